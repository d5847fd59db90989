// SPDX-License-Identifier: Apache-2.0
/// \file An entity starts or stops waiting: __enqueue_entity and __dequeue_entity,
/// kernel/sched/fair.c, with the sums over the waiting entities.
#pragma once

#include "model/fair/avg_vruntime.hpp"

namespace schedcheck {

/// The form of v6.19: the base moves here and nowhere else, so it stays behind a task that runs
/// alone; curr is counted as the callers left it (twice when it is put back, not when it is taken).
template <ValueDomain D>
void move_zero_vruntime(const Model& model, Machine<D>& m, EntityRef e) {
  if (model.kernel.zero_update != ZeroUpdate::kEnqueueDequeue) return;
  const Mean<D> mean = mean_of<D>(model, m, e.cpu, e.group);
  shift_zero_vruntime<D>(cfs_rq_of(m, e).time, floor_of<D>(mean));
}

/// e starts to wait.
template <ValueDomain D>
void timeline_insert(const Model& model, Machine<D>& m, EntityRef e) {
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
  move_zero_vruntime<D>(model, m, e);
}

/// e no longer waits: it runs or leaves.
template <ValueDomain D>
void timeline_erase(const Model& model, Machine<D>& m, EntityRef e) {
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
  move_zero_vruntime<D>(model, m, e);
}

}  // namespace schedcheck
