// SPDX-License-Identifier: Apache-2.0
/// \file Time passes: ticks fall at multiples of tick_ns after boot, on busy CPUs in ascending
/// order.
#pragma once

#include "model/fair/task_tick.hpp"

namespace schedcheck {

/// Advances the global time by `duration_ns`. `exiting_cpu`: the CPU whose current task is between
/// the exit step and its death and is not switched away (L-ATOMIC); kNoTask for none.
template <ValueDomain D>
void pass_time(const Model& model, Machine<D>& m, const IntOf<D>& duration_ns,
               int exiting_cpu = kNoTask) {
  const IntOf<D> end = m.now + duration_ns;
  if (model.tick_ns > 0) {
    const auto tick_all = [&] {
      for (int cpu = 0; cpu < static_cast<int>(m.rq.size()); ++cpu)
        task_tick<D>(model, m, cpu, cpu == exiting_cpu);
    };
    if constexpr (D::kSymbolic) {
      const std::int64_t ticks_max = duration_ns.hi() / model.tick_ns + 1;
      for (std::int64_t i = 0; i < ticks_max; ++i) {
        D::join(
            [&] {
              const IntOf<D> next =
                  (D::div(m.now - kBootTime, model.tick_ns) + 1) * model.tick_ns + kBootTime;
              if (next > end) return;
              m.now = next;
              tick_all();
            },
            m);
      }
    } else {
      const std::int64_t passed = (m.now - kBootTime) / model.tick_ns;
      for (std::int64_t next = kBootTime + (passed + 1) * model.tick_ns; next <= end;
           next += model.tick_ns) {
        m.now = next;
        tick_all();
      }
    }
  }
  m.now = end;
}

}  // namespace schedcheck
