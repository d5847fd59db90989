// SPDX-License-Identifier: Apache-2.0
/// \file The scheduler step inside do_exit: sched_autogroup_exit_task -> sched_move_task,
/// kernel/sched/autogroup.c and core.c, by version (switch exit_move).
#pragma once

#include "model/fair/entity.hpp"

namespace schedcheck {

/// Detach from the old group's queue and attach to the new one's, here the same root queue
/// (task_change_group_fair). Records the numbers for the properties.
template <ValueDomain D>
void task_change_group_fair(const Model& model, Machine<D>& m, int cpu, int p) {
  Rq<D>& rq = cpu_rq(m, cpu);
  Task<D>& task = task_of(m, p);
  update_load_avg<D>(model, m, cpu, p, UpdateFlag::kNone);
  MoveRecord<D>& move = m.event.move;
  move.happened = true;
  move.util_avg_before = rq.cfs.avg.util_avg;
  move.util_sum_before = rq.cfs.avg.util_sum;
  move.se_util_avg = task.avg.util_avg;
  move.se_util_sum = task.avg.util_sum;
  move.divider = pelt_divider<D>(rq.cfs.avg);
  // Neither bound of a subtraction acts: not zero, not the sums' lower bound.
  const BoolOf<D> fits =
      task.avg.util_avg <= rq.cfs.avg.util_avg && task.avg.util_sum <= rq.cfs.avg.util_sum;
  const IntOf<D> clamped = detach_entity_load_avg<D>(model, m, cpu, p);
  task.avg.last_update_time = 0;
  const IntOf<D> stamp = rq.cfs.avg.last_update_time;
  update_cfs_rq_load_avg<D>(model, m, cpu);
  move.clean = fits && clamped == 0 && rq.cfs.avg.last_update_time == stamp;
  attach_entity_load_avg<D>(model, m, cpu, p, model.kernel.attach_keeps_sum);
  move.util_avg_after = rq.cfs.avg.util_avg;
  move.util_sum_after = rq.cfs.avg.util_sum;
}

/// The full sequence for p, current on `cpu`: dequeue as for a save and restore, change group,
/// enqueue.
template <ValueDomain D>
void sched_move_task(const Model& model, Machine<D>& m, int cpu, int p) {
  update_rq_clock(m, cpu);
  dequeue_entity<D>(model, m, cpu, p, /*migrating=*/false);
  put_prev_entity<D>(model, m, cpu, p);
  task_change_group_fair<D>(model, m, cpu, p);
  enqueue_entity<D>(model, m, cpu, p);
  set_next_entity<D>(model, m, cpu, p);
}

/// The position in do_exit where PF_EXITING is set and the task may be moved. The group never
/// changes in this model yet (limit L3): so bail_if_same_group returns at once, before any update.
template <ValueDomain D>
void exit_step(const Model& model, Machine<D>& m, int cpu, int p) {
  Task<D>& task = task_of(m, p);
  task.ghost.exiting = true;
  const IntOf<D> since = D::sub_or_zero(m.now, task.avg.last_update_time);
  task.ghost.before_exit_units = task.ghost.unsynced_units + D::shr(since, 10);
  switch (model.kernel.exit_move) {
    case ExitMove::kNone:
    case ExitMove::kBailIfSameGroup:
      return;
    case ExitMove::kFull:
    case ExitMove::kBailUnlessExiting:
      sched_move_task<D>(model, m, cpu, p);
  }
}

}  // namespace schedcheck
