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
  kYield,          ///< `task`, which runs, gives way: sched_yield.
  kSetNice,        ///< `task`, alive, gets the nice value `amount`.
  kMoveGroup,      ///< `task`, alive, joins the cgroup `group`.
  kSetWeight,      ///< The cgroup `group` gets the weight `amount`; 1024 is the default.
  kSetsid,         ///< `task`, which runs, starts a session, which has its own autogroup.
  kSetPolicy,      ///< `task`, alive, gets the policy `amount` (rt/set_scheduler.hpp).
};
inline constexpr int kEventKinds = 13;
/// The first kinds need neither virtual time nor groups: the ones that queries leave free.
inline constexpr int kQueryEventKinds = 7;

/// The event is about a task, not about time, a CPU or a group.
constexpr bool has_task(EventKind kind) {
  return kind != EventKind::kRun && kind != EventKind::kUpdateBlocked &&
         kind != EventKind::kSetWeight;
}

/// One event. `after_ns` passes before it (and does not count as an event of its own).
struct Event {
  EventKind kind = EventKind::kRun;
  int task = 0;
  int cpu = 0;
  int wakes = -1;
  int group = 0;
  CpuMask cpus = 0;
  std::int64_t amount = 0;
  std::int64_t duration_ns = 0;
  std::int64_t after_ns = 0;

  friend bool operator==(const Event&, const Event&) = default;
};

inline constexpr std::array<std::string_view, kEventKinds> kEventNames = {
    "run",   "fork",     "exit",       "block",      "wake",   "set_affinity", "update_blocked",
    "yield", "set_nice", "move_group", "set_weight", "setsid", "set_policy"};

inline std::string_view event_name(EventKind kind) {
  return kEventNames[static_cast<std::size_t>(kind)];
}

}  // namespace schedcheck
