// SPDX-License-Identifier: Apache-2.0
/// \file A group comes into being: sched_create_group, online_fair_sched_group; and attaching or
/// detaching an entity with everything above it: attach_entity_cfs_rq, detach_entity_cfs_rq.
/// kernel/sched/fair.c.
#pragma once

#include "model/fair/entity.hpp"

namespace schedcheck {

/// propagate_entity_cfs_rq: what changed on e's queue reaches all levels above.
template <ValueDomain D>
void propagate_entity_cfs_rq(const Model& model, Machine<D>& m, EntityRef e) {
  list_add_leaf_cfs_rq<D>(m, e);
  for_each_sched_entity(model, parent_entity(model, e), [&](EntityRef level) {
    update_load_avg<D>(model, m, level, LoadUpdate::kUpdateTg);
    list_add_leaf_cfs_rq<D>(m, level);
  });
}

/// After e and its queue were aged. Yields what the lower bounds put back.
template <ValueDomain D>
IntOf<D> detach_entity_cfs_rq(const Model& model, Machine<D>& m, EntityRef e) {
  const IntOf<D> clamped = detach_entity_load_avg<D>(model, m, e);
  update_tg_load_avg<D>(model, m, e.cpu, e.group);
  propagate_entity_cfs_rq<D>(model, m, e);
  return clamped;
}

template <ValueDomain D>
void attach_entity_cfs_rq(const Model& model, Machine<D>& m, EntityRef e, bool keeps_sum) {
  update_load_avg<D>(model, m, e, LoadUpdate::kAge);
  attach_entity_load_avg<D>(model, m, e, keeps_sum);
  update_tg_load_avg<D>(model, m, e.cpu, e.group);
  propagate_entity_cfs_rq<D>(model, m, e);
}

/// Group g exists from now on, with `shares` times 1024. Its parent must exist.
template <ValueDomain D>
void create_group(const Model& model, Machine<D>& m, int g, const IntOf<D>& shares) {
  TaskGroup<D>& tg = m.group[static_cast<std::size_t>(g) - 1];
  tg.shares = shares;
  for (int cpu = 0; cpu < static_cast<int>(m.rq.size()); ++cpu) {
    GroupCpu<D>& here = group_on(m, g, cpu);
    here.online = true;
    here.se.load_weight = kNice0Load;
    here.se.inv_weight = computed_inverse<D>(IntOf<D>(kNice0Load / 1024));
    update_rq_clock(m, cpu);
    attach_entity_cfs_rq<D>(model, m, group_entity(model, cpu, g), false);
  }
}

}  // namespace schedcheck
