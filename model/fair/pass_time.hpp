// SPDX-License-Identifier: Apache-2.0
/// \file Time passes: ticks fall at multiples of tick_ns after boot, on busy CPUs in ascending
/// order.
#pragma once

#include <algorithm>

#include "model/fair/task_tick.hpp"

namespace schedcheck {

/// When the next timer of the classes is due; kTimeMax: none is armed.
template <ValueDomain D>
std::int64_t next_timer(const Machine<D>& m) {
  std::int64_t next = kTimeMax;
  for (const Rq<D>& rq : m.rq) {
    if (rq.rt_timer != 0) next = std::min<std::int64_t>(next, rq.rt_timer);
    if (rq.server.timer != 0) next = std::min<std::int64_t>(next, rq.server.timer);
  }
  return next;
}

/// The timers of `cpu` that are due; what they ask for is served unless its task is exiting.
template <ValueDomain D>
void fire_timers(const Model& model, Machine<D>& m, int cpu, bool keep_current) {
  Rq<D>& rq = cpu_rq(m, cpu);
  const auto due = [&](const auto& timer) { return timer != 0 && timer <= m.now; };
  if (!due(rq.rt_timer) && !due(rq.server.timer)) return;
  if (due(rq.rt_timer)) rt_period_timer<D>(model, m, cpu);
  if (due(rq.server.timer)) {
    update_rq_clock(m, cpu);
    // What fair tasks ran by themselves may put the point off.
    update_curr<D>(model, m, cpu, 0);
    if (due(rq.server.timer)) dl_server_timer<D>(model, m, cpu);
  }
  if (!keep_current) serve_resched<D>(model, m, cpu);
}

/// The native reading: from tick to tick and timer to timer. Where both fall, timers come first.
template <ValueDomain D>
void advance(const Model& model, Machine<D>& m, std::int64_t end, int exiting_cpu) {
  const std::int64_t tick = model.tick_ns;
  std::int64_t next_tick =
      tick > 0 ? kBootTime + ((m.now - kBootTime) / tick + 1) * tick : kTimeMax;
  const int nr_cpus = static_cast<int>(m.rq.size());
  for (;;) {
    const std::int64_t timer = next_timer(m);
    m.now = std::max<std::int64_t>(m.now, std::min({end, next_tick, timer}));
    if (timer <= m.now) {
      for (int cpu = 0; cpu < nr_cpus; ++cpu) fire_timers<D>(model, m, cpu, cpu == exiting_cpu);
    } else if (next_tick <= m.now) {
      for (int cpu = 0; cpu < nr_cpus; ++cpu) task_tick<D>(model, m, cpu, cpu == exiting_cpu);
      next_tick += tick;
    } else {
      return;
    }
  }
}

/// Advances the global time by `duration_ns`. `exiting_cpu`: the CPU whose current task is between
/// the exit step and its death and is not switched away (L-ATOMIC); kNoTask for none.
template <ValueDomain D>
void pass_time(const Model& model, Machine<D>& m, const IntOf<D>& duration_ns,
               int exiting_cpu = kNoTask) {
  const IntOf<D> end = m.now + duration_ns;
  if constexpr (!D::kSymbolic) {
    advance<D>(model, m, end, exiting_cpu);
  } else {
    if (model.tick_ns > 0) {
      const std::int64_t ticks_max = duration_ns.hi() / model.tick_ns + 1;
      for (std::int64_t i = 0; i < ticks_max; ++i) {
        D::join(
            [&] {
              const IntOf<D> next =
                  (D::div(m.now - kBootTime, model.tick_ns) + 1) * model.tick_ns + kBootTime;
              if (next > end) return;
              m.now = next;
              for (int cpu = 0; cpu < static_cast<int>(m.rq.size()); ++cpu)
                task_tick<D>(model, m, cpu, cpu == exiting_cpu);
            },
            m);
      }
    }
    m.now = end;
  }
}

}  // namespace schedcheck
