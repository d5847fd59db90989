// SPDX-License-Identifier: Apache-2.0
/// \file A task changes its group, or goes through the motions: sched_move_task,
/// kernel/sched/core.c, and task_change_group_fair, kernel/sched/fair.c. Also the choice of the
/// group: autogroup.
#pragma once

#include "model/fair/schedule_cpu.hpp"
#include "model/groups/task_group.hpp"

namespace schedcheck {

/// sched_get_task_group: a task of the root cgroup that is not exiting runs in its session's group.
template <ValueDomain D>
int sched_get_task_group(const Model& model, const Machine<D>& m, int p) {
  if (model.nr_groups() == 1) return 0;
  const Task<D>& task = task_of(m, p);
  const int cgroup = D::which(task.cgroup, 0, model.nr_groups() - 1);
  if (cgroup != 0 || !model.sched_autogroup_enabled || task.ghost.exiting) return cgroup;
  return D::which(task.autogroup, 0, model.nr_groups() - 1);
}

/// Takes p, not queued, out of its queue's averages and into those of `group`. Records the numbers
/// for the properties.
template <ValueDomain D>
void task_change_group_fair(const Model& model, Machine<D>& m, int cpu, int p, int group) {
  Task<D>& task = task_of(m, p);
  const EntityRef from = task_entity<D>(model, m, cpu, p);
  const EntityRef to{cpu, p, group};
  update_load_avg<D>(model, m, from, LoadUpdate::kAge);
  const SchedAvg<D>& queue = cfs_rq_of(m, from).avg;
  MoveRecord<D>& move = m.event.move;
  move.happened = from.group == group;
  move.util_avg_before = queue.util_avg;
  move.util_sum_before = queue.util_sum;
  move.se_util_avg = task.avg.util_avg;
  move.se_util_sum = task.avg.util_sum;
  move.divider = pelt_divider<D>(queue);
  // Neither bound of a subtraction acts: not zero, not the sums' lower bound.
  const BoolOf<D> fits = task.avg.util_avg <= queue.util_avg && task.avg.util_sum <= queue.util_sum;
  const IntOf<D> clamped = detach_entity_cfs_rq<D>(model, m, from);
  task.avg.last_update_time = 0;
  task.group = group;
  const IntOf<D> stamp = queue.last_update_time;
  update_load_avg<D>(model, m, to, LoadUpdate::kAge);
  move.clean = fits && clamped == 0 && queue.last_update_time == stamp;
  attach_entity_load_avg<D>(model, m, to, model.kernel.attach_keeps_sum);
  move.util_avg_after = queue.util_avg;
  move.util_sum_after = queue.util_sum;
  update_tg_load_avg<D>(model, m, cpu, group);
  propagate_entity_cfs_rq<D>(model, m, to);
}

/// Runs f while p is off its queue and not running, as the kernel does for every change of a task's
/// scheduling parameters. p stays delayed if it was. `cpu`: where p is.
template <ValueDomain D, class F>
void with_task_off_queue(const Model& model, Machine<D>& m, int cpu, int p, bool running, F&& f) {
  const bool queued = running || (model.eevdf && static_cast<bool>(task_on_rq_queued(m, p)));
  // A running RT task keeps its place in front; only a waiting one goes behind its equals.
  if (queued) dequeue_task<D>(model, m, cpu, p, {});
  if (running) put_prev_task<D>(model, m, cpu, p);
  f();
  if (queued) enqueue_task<D>(model, m, cpu, p, {}, /*head=*/running);
  if (running) set_next_task<D>(model, m, cpu, p);
}

/// sched_move_task without its test: the full sequence, also if the group stays the same.
template <ValueDomain D>
void sched_move_task(const Model& model, Machine<D>& m, int cpu, int p, int group) {
  const bool running = !model.eevdf || static_cast<bool>(cpu_rq(m, cpu).curr == p);
  update_rq_clock(m, cpu);
  with_task_off_queue<D>(model, m, cpu, p, running, [&] {
    if (is_rt(m, p)) {
      task_of(m, p).group = group;
    } else {
      task_change_group_fair<D>(model, m, cpu, p, group);
    }
  });
  if (model.eevdf && running) cpu_rq(m, cpu).need_resched = true;
}

/// sched_move_task by version (switch exit_move): whether a task that stays in its group goes
/// through the sequence.
template <ValueDomain D>
void move_to_its_group(const Model& model, Machine<D>& m, int cpu, int p) {
  const int group = sched_get_task_group<D>(model, m, p);
  const bool same = model.nr_groups() == 1 || static_cast<bool>(task_of(m, p).group == group);
  const ExitMove rule = model.kernel.exit_move;
  if (same && rule == ExitMove::kBailIfSameGroup) return;
  if (same && rule == ExitMove::kBailUnlessExiting && !task_of(m, p).ghost.exiting) return;
  sched_move_task<D>(model, m, cpu, p, group);
}

}  // namespace schedcheck
