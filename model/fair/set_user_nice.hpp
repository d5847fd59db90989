// SPDX-License-Identifier: Apache-2.0
/// \file A new nice value: set_user_nice, kernel/sched/syscalls.c; reweight_task_fair and
/// prio_changed_fair, kernel/sched/fair.c, v6.12.
#pragma once

#include "model/fair/nice_weight.hpp"
#include "model/groups/sched_move_task.hpp"

namespace schedcheck {

template <ValueDomain D>
void set_user_nice(const Model& model, Machine<D>& m, int cpu, int p, int nice) {
  const std::int64_t weight = weight_of_nice(nice) * 1024;
  Task<D>& task = task_of(m, p);
  if (task.load_weight == weight) return;
  const bool weaker = static_cast<bool>(task.load_weight > weight);
  Rq<D>& rq = cpu_rq(m, cpu);
  const bool running = static_cast<bool>(rq.curr == p);
  update_rq_clock(m, cpu);
  task.ghost.reweighted = true;
  if (is_rt(m, p)) {
    // It takes effect once the task is fair again.
    task.load_weight = weight;
    task.inv_weight = inverse_of_weight(weight / 1024);
    return;
  }
  with_task_off_queue<D>(model, m, cpu, p, running, [&] {
    reweight_entity<D>(model, m, task_entity<D>(model, m, cpu, p), IntOf<D>(weight),
                       IntOf<D>(inverse_of_weight(weight / 1024)));
  });
  if (!task.on_rq || rq.cfs.nr_queued == 1) return;
  if (!running) return wakeup_preempt<D>(model, m, cpu, p);
  if (weaker) rq.need_resched = true;
}

}  // namespace schedcheck
