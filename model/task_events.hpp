// SPDX-License-Identifier: Apache-2.0
/// \file What a task does: fork, exit, block. kernel/sched/core.c, kernel/exit.c.
#pragma once

#include "model/exit/exit_step.hpp"
#include "model/fair/pass_time.hpp"
#include "model/fair/set_user_nice.hpp"
#include "model/fair/yield_task.hpp"
#include "model/groups/group_events.hpp"
#include "model/init.hpp"
#include "model/placement/find_dst_cpu.hpp"

namespace schedcheck {

/// sched_fork and wake_up_new_task: the child of `parent`, which runs on `cpu`.
template <ValueDomain D, class Observer>
void fork_event(const Model& model, Machine<D>& m, int parent, int cpu, const Observer& observer) {
  const int child = D::which(m.nr_tasks, 0, model.max_tasks - 1);
  const Task<D>& from = task_of(m, parent);
  copy_process<D>(m, child, cpu, from.load_weight, from.inv_weight, from.cpus_ptr);
  if (is_rt(m, parent)) {
    Task<D>& task = task_of(m, child);
    task.rt_priority = from.rt_priority;
    task.rt_round_robin = from.rt_round_robin;
    task.rr_left = kRrTimesliceNs;
  }
  if (model.nr_groups() > 1) {
    Task<D>& task = task_of(m, child);
    task.cgroup = from.cgroup;
    task.autogroup = from.autogroup;
    task.group = sched_get_task_group<D>(model, m, child);
  }
  // RT placement is not modelled (limit L9): the child starts beside its parent.
  const IntOf<D> selected =
      is_rt(m, child) ? IntOf<D>(cpu) : select_task_rq_fork<D>(model, m, child, cpu);
  const int chosen = D::which(selected, 0, model.topology.nr_cpus - 1);
  observer.on_fork(model, m, parent, child, cpu, chosen);
  post_init_entity_util_avg<D>(model, m, task_entity<D>(model, m, chosen, child));
  start_new_task<D>(model, m, chosen, child);
}

/// The end of do_exit: p, which runs on `cpu`, wakes `wakes` (-1: nobody), dies and is switched
/// away from; the next update of its queue removes its averages (task_dead_fair).
template <ValueDomain D>
void die(const Model& model, Machine<D>& m, int p, int cpu, int wakes) {
  if (wakes >= 0) {
    D::join(
        [&] {
          if (task_of(m, wakes).state == kBlocked) try_to_wake_up<D>(model, m, wakes);
        },
        m);
  }
  update_rq_clock(m, cpu);
  deschedule<D>(model, m, cpu, p, true);
  if (is_rt(m, p)) return;
  remove_entity_load_avg<D>(model, m, task_entity<D>(model, m, cpu, p), /*death=*/true);
}

/// do_exit from the exit step on: the step, `after_step_ns` of running, and the end.
template <ValueDomain D>
void exit_event(const Model& model, Machine<D>& m, int p, int cpu, const IntOf<D>& after_step_ns,
                int wakes) {
  exit_step<D>(model, m, cpu, p);
  pass_time<D>(model, m, after_step_ns, cpu);
  die<D>(model, m, p, cpu, wakes);
}

template <ValueDomain D>
void block_event(const Model& model, Machine<D>& m, int p, int cpu) {
  update_rq_clock(m, cpu);
  deschedule<D>(model, m, cpu, p, false);
}

}  // namespace schedcheck
