// SPDX-License-Identifier: Apache-2.0
/// \file Watches whether a schedule is nothing but one spawn loop per CPU: the scenario S3 of the
/// exit/util thread with costs within 50 %. Keeps one phase per CPU in RqGhost.
#pragma once

#include "model/step.hpp"

namespace schedcheck {

/// Phases of a CPU's loop. Any event that does not fit makes every CPU kSpawnBroken for good.
enum SpawnPhase : std::int64_t {
  kSpawnParent = 0,  ///< The parent runs; next: fork after 25 to 75 units.
  kSpawnForked = 1,  ///< The parent runs on; next: block after 5 to 15 units.
  kSpawnChild = 2,   ///< The child runs; next: exit after 50 to 150 units, 10 to 30 after the step.
  kSpawnBroken = 4
};

namespace spawn_detail {

constexpr bool within(std::int64_t ns, std::int64_t units) {
  return units * kNsPerUnit <= 2 * ns && 2 * ns <= 3 * units * kNsPerUnit;
}

inline void break_all(Machine<NativeDomain>& m) {
  for (Rq<NativeDomain>& rq : m.rq) rq.ghost.spawn_phase = kSpawnBroken;
}

/// The loop of `cpu` takes its step if it is in `from` for about `units`; else the scenario is
/// over.
inline void advance(Machine<NativeDomain>& m, int cpu, SpawnPhase from, std::int64_t units,
                    SpawnPhase to, std::int64_t at_ns) {
  RqGhost<NativeDomain>& ghost = cpu_rq(m, cpu).ghost;
  if (ghost.spawn_phase != from || !within(at_ns - ghost.spawn_since, units)) return break_all(m);
  ghost.spawn_phase = to;
  ghost.spawn_since = m.now;
}

}  // namespace spawn_detail

/// The scenario starts at boot time with one fresh task per CPU. Native reading only, like the
/// rest: the phases stay as they are symbolically, so the property is for the random engine.
inline void start_spawn_monitor(Machine<NativeDomain>& m) {
  constexpr std::int64_t kFreshUtil = kCapacity / 2;
  for (Rq<NativeDomain>& rq : m.rq) {
    rq.ghost.spawn_since = m.now;
    if (rq.nr_running != 1 || rq.cfs.avg.util_avg != kFreshUtil || m.now != kBootTime)
      return spawn_detail::break_all(m);
  }
}

/// Follows an event that is about to happen.
inline void watch_spawn_loops_before(Machine<NativeDomain>& m, const Event& event) {
  if (m.rq[0].ghost.spawn_phase == kSpawnBroken || event.kind == EventKind::kRun ||
      event.kind == EventKind::kExit)
    return;
  if (event.kind != EventKind::kFork && event.kind != EventKind::kBlock)
    return spawn_detail::break_all(m);
  const auto cpu = static_cast<int>(task_of(m, event.task).cpu);
  if (event.kind == EventKind::kFork) {
    spawn_detail::advance(m, cpu, kSpawnParent, 50, kSpawnForked, m.now);
  } else {
    spawn_detail::advance(m, cpu, kSpawnForked, 10, kSpawnChild, m.now);
  }
}

/// Follows an exit that has happened.
inline void watch_spawn_loops_after(Machine<NativeDomain>& m, const Event& event) {
  if (m.rq[0].ghost.spawn_phase == kSpawnBroken || event.kind != EventKind::kExit) return;
  const auto cpu = static_cast<int>(task_of(m, event.task).cpu);
  if (!spawn_detail::within(event.duration_ns, 20) || event.wakes < 0 ||
      cpu_rq(m, cpu).curr != event.wakes)
    return spawn_detail::break_all(m);
  spawn_detail::advance(m, cpu, kSpawnChild, 100, kSpawnParent, m.now - event.duration_ns);
}

}  // namespace schedcheck
