// SPDX-License-Identifier: Apache-2.0
/// \file The fair task that a CPU runs next: pick_task_fair and pick_next_entity,
/// kernel/sched/fair.c, v6.12. A delayed entity that would be picked leaves its queue instead.
#pragma once

#include "model/fair/enqueue_task.hpp"

namespace schedcheck {

/// The entity that a queue would run next: a preferred one (pick_buddy, since v6.14) if eligible.
template <ValueDomain D>
int pick_next_entity(const Model& model, const Machine<D>& m, int cpu, int group) {
  const CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, group);
  if (model.kernel.pick_buddy && cfs_rq.next != kNoTask) {
    const int next = D::which(cfs_rq.next, 0, last_entity(model));
    if (entity_eligible<D>(model, m, {cpu, next, group})) return next;
  }
  return D::which(pick_eevdf<D>(model, m, cpu, group), 0, last_entity(model));
}

/// kNoTask: no fair task can run.
template <ValueDomain D>
int pick_task_fair(const Model& model, Machine<D>& m, int cpu) {
  int group = 0;
  while (cpu_rq(m, cpu).cfs.nr_queued > 0) {
    if (queued_curr<D>(model, m, cpu, group) != kNoTask) update_curr<D>(model, m, cpu, group);
    const EntityRef e{cpu, pick_next_entity<D>(model, m, cpu, group), group};
    if (se_of(m, e).sched_delayed && !(e.is_task() && mutant<D>(Mutant::kDelayedPickedAsIs))) {
      dequeue_entities<D>(model, m, e, {.sleep = true, .delayed = true});
      group = 0;
      continue;
    }
    if (e.is_task()) return e.entity;
    group = e.entity - kGroupEntity;
  }
  return kNoTask;
}

}  // namespace schedcheck
