// SPDX-License-Identifier: Apache-2.0
/// \file The waiting entities of a queue: its timeline tree and the sums over it
/// (__enqueue_entity, __dequeue_entity, cfs_rq_min_slice; kernel/sched/fair.c).
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

/// e starts to wait.
template <ValueDomain D>
void timeline_insert(Machine<D>& m, EntityRef e) {
  VirtualTime<D>& time = cfs_rq_of(m, e).time;
  SchedEntity<D>& se = se_of(m, e);
  const IntOf<D> weight = scale_load_down<D>(se.load_weight);
  time.avg_vruntime =
      D::narrow(time.avg_vruntime + entity_key<D>(time, se) * weight, -kVirtualMax, kVirtualMax);
  if (mutant<D>(Mutant::kTimelineSumTooSmall)) time.avg_vruntime = time.avg_vruntime - 1;
  time.avg_load = time.avg_load + weight;
  se.left = time.last;
  se.right = kNoTask;
  if (time.last == kNoTask) {
    time.first = e.entity;
  } else {
    se_of(m, {e.cpu, entity_number<D>(time.last), e.group}).right = e.entity;
  }
  time.last = e.entity;
}

/// e no longer waits: it runs or leaves.
template <ValueDomain D>
void timeline_erase(Machine<D>& m, EntityRef e) {
  VirtualTime<D>& time = cfs_rq_of(m, e).time;
  const SchedEntity<D>& se = se_of(m, e);
  const IntOf<D> weight = scale_load_down<D>(se.load_weight);
  time.avg_vruntime =
      D::narrow(time.avg_vruntime - entity_key<D>(time, se) * weight, -kVirtualMax, kVirtualMax);
  time.avg_load = time.avg_load - weight;
  const auto neighbour = [&](const auto& entity) -> SchedEntity<D>& {
    return se_of(m, {e.cpu, entity_number<D>(entity), e.group});
  };
  (se.left == kNoTask ? time.first : neighbour(se.left).right) = se.right;
  (se.right == kNoTask ? time.last : neighbour(se.right).left) = se.left;
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
