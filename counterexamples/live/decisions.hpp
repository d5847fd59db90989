// SPDX-License-Identifier: Apache-2.0
/// \file What the kernel decides while a schedule runs, in the model's numbers: the questions that
/// a recorded trace can answer too.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "counterexamples/export/timeline.hpp"

namespace schedcheck {

enum class DecisionKind : std::uint8_t {
  kForkPlacement,  ///< The CPU of a new task.
  kWakePlacement,  ///< The CPU of a woken task.
  kMove,           ///< The CPU to which a runnable task is moved by a change of its affinity.
  kPick,           ///< Who runs next on a CPU whose task blocks, exits or yields.
  kPreempts,       ///< 1: the new or woken task runs at once where another one ran; 0: it waits.
};

std::string_view decision_name(DecisionKind kind);

/// Two events of one model time are this far apart in a workload; what a placement causes at once
/// has to be seen within it.
inline constexpr std::int64_t kAtOnceNs = 50'000;

/// Such events come from the driver of the workload, not from the task that they are about.
constexpr bool driver_does(EventKind kind) {
  return kind == EventKind::kWake || kind == EventKind::kSetAffinity ||
         kind == EventKind::kSetNice || kind == EventKind::kSetPolicy;
}

struct Decision {
  int event = 0;  ///< Position in Timeline::events.
  DecisionKind kind = DecisionKind::kForkPlacement;
  int task = 0;   ///< Who is placed, moved, or leaves the CPU (kPick).
  int cpu = 0;    ///< Where it is decided: the target CPU, or the one that is left.
  int value = 0;  ///< A CPU, a task (kNoTask: none), or 0 and 1.
};

/// In order of events. kPick of an event comes before what follows it.
std::vector<Decision> model_decisions(const Timeline& timeline);

}  // namespace schedcheck
