// SPDX-License-Identifier: Apache-2.0
/// \file sched_yield: do_sched_yield, kernel/sched/syscalls.c, and yield_task_fair,
/// kernel/sched/fair.c, by version (switch yield_mode).
#pragma once

#include "model/fair/schedule_cpu.hpp"

namespace schedcheck {

/// p, current on `cpu`, falls back in virtual time unless it is alone. The clock must be up to
/// date.
template <ValueDomain D>
void yield_task_fair(const Model& model, Machine<D>& m, int cpu, int p) {
  if (cpu_rq(m, cpu).nr_running == 1) return;
  const EntityRef e = task_entity<D>(model, m, cpu, p);
  clear_buddies<D>(model, m, e);
  update_curr<D>(model, m, cpu, e.group);
  SchedEntity<D>& se = se_of(m, e);
  if (model.kernel.yield_mode == YieldMode::kPushDeadline) {
    se.deadline = se.deadline + calc_delta_fair<D>(se.slice, se);
  } else if (entity_eligible<D>(model, m, e)) {
    se.vruntime = se.deadline;
    update_deadline<D>(model, m, e);
  }
}

template <ValueDomain D>
void do_sched_yield(const Model& model, Machine<D>& m, int cpu, int p) {
  update_rq_clock(m, cpu);
  if (is_rt(m, p)) {
    // yield_task_rt: behind its equals.
    dequeue_task<D>(model, m, cpu, p, {});
    enqueue_task<D>(model, m, cpu, p, {});
  } else {
    yield_task_fair<D>(model, m, cpu, p);
  }
  schedule_cpu<D>(model, m, cpu, p);
}

}  // namespace schedcheck
