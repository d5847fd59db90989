// SPDX-License-Identifier: Apache-2.0
/// \file A group's sum over CPUs: update_tg_load_avg, kernel/sched/fair.c.
#pragma once

#include "model/machine.hpp"

namespace schedcheck {

/// Adds what the load of the group's queue on `cpu` changed by to the group's sum, if it changed by
/// more than 1/64 and (since v6.7) not within the last millisecond. Nothing at the root.
template <ValueDomain D>
void update_tg_load_avg(const Model& model, Machine<D>& m, int cpu, int group) {
  if (group == 0) return;
  CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, group);
  TaskGroup<D>& tg = m.group[static_cast<std::size_t>(group) - 1];
  D::join(
      [&] {
        if (model.kernel.tg_load_avg_ratelimit &&
            m.now - cfs_rq.up.last_update_tg_load_avg < 1'000'000)
          return;
        const IntOf<D> contrib = cfs_rq.up.tg_load_avg_contrib;
        const IntOf<D> delta = cfs_rq.avg.load_avg - contrib;
        if (D::max(delta, IntOf<D>(0) - delta) <= D::shr(contrib, 6)) return;
        tg.load_avg = tg.load_avg + delta;
        cfs_rq.up.tg_load_avg_contrib = IntOf<D>(cfs_rq.avg.load_avg);
        cfs_rq.up.last_update_tg_load_avg = m.now;
      },
      cfs_rq.up, tg.load_avg);
}

}  // namespace schedcheck
