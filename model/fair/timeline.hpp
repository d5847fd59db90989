// SPDX-License-Identifier: Apache-2.0
/// \file The waiting entities of a queue, its timeline tree (cfs_rq_min_slice;
/// kernel/sched/fair.c).
#pragma once

#include "model/fair/calc_delta_fair.hpp"
#include "model/mutants.hpp"

namespace schedcheck {

/// The running entity of a queue if it is still queued, else kNoTask.
template <ValueDomain D>
int queued_curr(const Model& model, const Machine<D>& m, int cpu, int group) {
  const int curr = D::which(cfs_rq_of(m, cpu, group).curr, kNoTask, last_entity(model));
  if (curr == kNoTask) return kNoTask;
  if (se_of(m, {cpu, curr, group}).on_rq) return curr;
  return kNoTask;
}

/// Calls f(EntityRef) for every waiting entity of a queue, in the order in which they came.
template <ValueDomain D, class F>
void for_each_waiting(const Machine<D>& m, int cpu, int group, F&& f) {
  int entity = entity_number<D>(cfs_rq_of(m, cpu, group).time.first);
  while (entity != kNoTask) {
    const EntityRef e{cpu, entity, group};
    entity = entity_number<D>(se_of(m, e).right);
    f(e);
  }
}

/// How far e's virtual runtime is from the queue's base; queued entities stay near it.
template <ValueDomain D>
IntOf<D> entity_key(const VirtualTime<D>& time, const SchedEntity<D>& se) {
  return D::narrow(se.vruntime - time.zero_vruntime, -kKeyMax, kKeyMax);
}

/// The smallest slice that a queued entity asks for, ns; more than any slice if none is queued.
template <ValueDomain D>
IntOf<D> cfs_rq_min_slice(const Model& model, const Machine<D>& m, int cpu, int group) {
  IntOf<D> slice(kNoSlice);
  const int curr = queued_curr<D>(model, m, cpu, group);
  if (curr != kNoTask) slice = se_of(m, {cpu, curr, group}).slice;
  for_each_waiting<D>(m, cpu, group,
                      [&](EntityRef e) { slice = D::min(slice, se_of(m, e).slice); });
  return slice;
}

}  // namespace schedcheck
