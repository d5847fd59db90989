// SPDX-License-Identifier: Apache-2.0
/// \file Who runs next on a CPU: __schedule and pick_next_task_fair, kernel/sched/core.c and
/// fair.c, under limit L1: round robin by task number at ticks, no preemption by wakeups or forks.
#pragma once

#include "model/fair/entity.hpp"

namespace schedcheck {

/// The next queued task of `cpu` after number `prev`, cyclically; `prev` itself last; kNoTask if
/// none.
template <ValueDomain D>
IntOf<D> pick_next_task(const Machine<D>& m, int cpu, int prev) {
  return D::eval([&]() -> IntOf<D> {
    if (cpu_rq(m, cpu).cfs.h_nr_queued == 0) return IntOf<D>(kNoTask);
    const int slots = static_cast<int>(m.task.size());
    int p = prev;
    for (int k = 0; k < slots; ++k) {
      p = p + 1 < slots ? p + 1 : 0;
      if (task_of(m, p).on_rq && task_of(m, p).cpu == cpu) return IntOf<D>(p);
    }
    return IntOf<D>(kNoTask);
  });
}

/// newidle_balance without anything to pull (limit L5): the CPU goes idle and its queue is updated
/// once more, before the switch away from the previous task.
template <ValueDomain D>
void newidle(const Model& model, Machine<D>& m, int cpu) {
  cpu_rq(m, cpu).idle_stamp = cpu_rq(m, cpu).clock;
  update_cfs_rq_load_avg<D>(model, m, cpu);
}

/// Switches from `prev` (kNoTask: the idle task) to the next task. The clock must be up to date.
/// Requires prev == rq->curr; prev may have left the queue already.
template <ValueDomain D>
void schedule_cpu(const Model& model, Machine<D>& m, int cpu, int prev) {
  const int next =
      D::which(pick_next_task<D>(m, cpu, prev), kNoTask, static_cast<int>(m.task.size()) - 1);
  if (next == prev) return;
  if (next == kNoTask) newidle<D>(model, m, cpu);
  if (prev != kNoTask) put_prev_entity<D>(model, m, cpu, prev);
  if (next == kNoTask) {
    cpu_rq(m, cpu).curr = kNoTask;
  } else {
    set_next_entity<D>(model, m, cpu, next);
  }
}

/// p, just queued on `cpu`, starts at once if nothing runs there. Requires an up-to-date clock.
template <ValueDomain D>
void start_if_idle(const Model& model, Machine<D>& m, int cpu, int p) {
  if (cpu_rq(m, cpu).curr == kNoTask) set_next_entity<D>(model, m, cpu, p);
}

/// entity_tick for the current task, then limit L1's round robin unless `keep_current`.
template <ValueDomain D>
void task_tick(const Model& model, Machine<D>& m, int cpu, bool keep_current) {
  D::join(
      [&] {
        const int curr =
            D::which(cpu_rq(m, cpu).curr, kNoTask, static_cast<int>(m.task.size()) - 1);
        if (curr == kNoTask) return;
        update_rq_clock(m, cpu);
        update_load_avg<D>(model, m, cpu, curr, UpdateFlag::kNone);
        if (!keep_current && cpu_rq(m, cpu).cfs.h_nr_queued > 1)
          schedule_cpu<D>(model, m, cpu, curr);
      },
      cpu_rq(m, cpu), m.task, m.ledger, m.event);
}

}  // namespace schedcheck
