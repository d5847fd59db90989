// SPDX-License-Identifier: Apache-2.0
/// \file The averages of a CPU's queues catch up although nothing happens there:
/// sched_balance_update_blocked_averages, kernel/sched/fair.c.
#pragma once

#include "model/fair/entity.hpp"

namespace schedcheck {

/// Groups before their parents: those made later first. The clock must be up to date.
template <ValueDomain D>
void update_blocked_averages(const Model& model, Machine<D>& m, int cpu) {
  for (int g = model.nr_groups() - 1; g > 0; --g) {
    CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, g);
    if (!group_on(m, g, cpu).online) continue;
    if (update_cfs_rq_load_avg<D>(model, m, cpu, g)) update_tg_load_avg<D>(model, m, cpu, g);
    const EntityRef e{cpu, kGroupEntity + g, model.group_parent[static_cast<std::size_t>(g)]};
    const SchedAvg<D>& avg = se_of(m, e).avg;
    if (avg.load_avg != 0 || avg.util_avg != 0 || cfs_rq.up.propagate)
      update_load_avg<D>(model, m, e, LoadUpdate::kUpdateTg);
  }
  update_cfs_rq_load_avg<D>(model, m, cpu);
}

}  // namespace schedcheck
