// SPDX-License-Identifier: Apache-2.0
/// \file What the environment may do. What the kernel decides is never an event.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/topology/machine_description.hpp"

namespace schedcheck {

enum class EventKind : std::uint8_t {
  kRun,            ///< Time passes: `duration_ns`.
  kFork,           ///< `task`, which runs, forks the next task number.
  kExit,           ///< `task`, which runs, exits; `duration_ns` passes between exit step and death,
                   ///< where exit_notify wakes `wakes` (a parent that waits), if it sleeps.
  kBlock,          ///< `task`, which runs, goes to sleep.
  kWake,           ///< `task`, which sleeps, is woken.
  kSetAffinity,    ///< `task`, alive, may from now on use only `cpus`.
  kUpdateBlocked,  ///< The averages of `cpu` are refreshed (NOHZ refresh).
};
inline constexpr int kEventKinds = 7;

/// One event. `after_ns` passes before it (and does not count as an event of its own).
struct Event {
  EventKind kind = EventKind::kRun;
  int task = 0;
  int cpu = 0;
  int wakes = -1;
  CpuMask cpus = 0;
  std::int64_t duration_ns = 0;
  std::int64_t after_ns = 0;

  friend bool operator==(const Event&, const Event&) = default;
};

inline constexpr std::array<std::string_view, kEventKinds> kEventNames = {
    "run", "fork", "exit", "block", "wake", "set_affinity", "update_blocked"};

inline std::string_view event_name(EventKind kind) {
  return kEventNames[static_cast<std::size_t>(kind)];
}

}  // namespace schedcheck
