// SPDX-License-Identifier: Apache-2.0
/// \file The averages of a CPU's queues catch up although nothing happens there:
/// sched_balance_update_blocked_averages, kernel/sched/fair.c.
#pragma once

#include "model/fair/entity.hpp"

namespace schedcheck {

/// Whether group g's queue on `cpu` has nothing left that a later visit could change.
template <ValueDomain D>
bool cfs_rq_is_decayed(const Model& model, const Machine<D>& m, int cpu, int g) {
  const CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, g);
  if (cfs_rq.load_weight != 0 || cfs_rq.avg.load_sum != 0 || cfs_rq.avg.util_sum != 0 ||
      cfs_rq.avg.runnable_sum != 0)
    return false;
  for (int child = g + 1; child < model.nr_groups(); ++child)
    if (model.group_parent[static_cast<std::size_t>(child)] == g && group_on(m, child, cpu).on_list)
      return false;
  if (!model.kernel.decayed_checks_contrib) return true;
  return static_cast<bool>(cfs_rq.up.tg_load_avg_contrib == 0);
}

/// Groups before their parents: those made later first. The clock must be up to date.
template <ValueDomain D>
void update_blocked_averages(const Model& model, Machine<D>& m, int cpu) {
  for (int g = model.nr_groups() - 1; g > 0; --g) {
    CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, g);
    GroupCpu<D>& here = group_on(m, g, cpu);
    if (!here.online || (model.leaf_list && !here.on_list)) continue;
    if (update_cfs_rq_load_avg<D>(model, m, cpu, g)) update_tg_load_avg<D>(model, m, cpu, g);
    const EntityRef e = group_entity(model, cpu, g);
    const SchedAvg<D>& avg = se_of(m, e).avg;
    if (avg.load_avg != 0 || avg.util_avg != 0 || cfs_rq.up.propagate)
      update_load_avg<D>(model, m, e, LoadUpdate::kUpdateTg);
    if (cfs_rq_is_decayed<D>(model, m, cpu, g)) here.on_list = false;
  }
  update_cfs_rq_load_avg<D>(model, m, cpu);
}

}  // namespace schedcheck
