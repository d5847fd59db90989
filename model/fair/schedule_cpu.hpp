// SPDX-License-Identifier: Apache-2.0
/// \file Who runs next on a CPU: __schedule, pick_next_task, kernel/sched/core.c, and
/// pick_next_task_fair, kernel/sched/fair.c. Without model.eevdf limit L1 holds: round robin by
/// task number at ticks, no preemption by wakeups or forks.
#pragma once

#include "model/fair/update_blocked_averages.hpp"
#include "model/fair/wakeup_preempt.hpp"
#include "model/rt/task_class.hpp"

namespace schedcheck {

/// Limit L1: the next queued task of `cpu` after number `prev`, cyclically; `prev` itself last;
/// kNoTask if none.
template <ValueDomain D>
IntOf<D> round_robin_pick(const Machine<D>& m, int cpu, int prev) {
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

/// What goes before the fair class: its server, then RT tasks. kNoTask: nothing.
template <ValueDomain D>
int pick_before_fair(const Model& model, Machine<D>& m, int cpu) {
  Rq<D>& rq = cpu_rq(m, cpu);
  if (rq.server.queued && rq.cfs.h_nr_queued == 0) dl_server_stop(rq.server);
  const int rt = pick_task_rt<D>(m, cpu);
  if (rt == kNoTask || !rq.server.queued) return rt;
  // The pick charges the running task, which may use up the server's runtime.
  const int fair = pick_task_fair<D>(model, m, cpu);
  return fair != kNoTask && rq.server.queued ? fair : rt;
}

/// The next task; kNoTask: the idle task.
template <ValueDomain D>
int pick_next_task(const Model& model, Machine<D>& m, int cpu, int prev) {
  if (model.eevdf) {
    if constexpr (!D::kSymbolic) {
      const int first = pick_before_fair<D>(model, m, cpu);
      if (first != kNoTask) return first;
    }
    return pick_task_fair<D>(model, m, cpu);
  }
  return D::which(round_robin_pick<D>(m, cpu, prev), kNoTask, static_cast<int>(m.task.size()) - 1);
}

/// newidle_balance without anything to pull (limit L5): the CPU goes idle and its averages are
/// updated once more, before the switch away from the previous task.
template <ValueDomain D>
void newidle(const Model& model, Machine<D>& m, int cpu) {
  cpu_rq(m, cpu).idle_stamp = cpu_rq(m, cpu).clock;
  update_blocked_averages<D>(model, m, cpu);
}

/// From one fair task to another: only levels whose current entity changes are touched.
template <ValueDomain D>
void switch_entities(const Model& model, Machine<D>& m, int cpu, int prev, int next) {
  EntityRef pse = task_entity<D>(model, m, cpu, prev);
  EntityRef se = task_entity<D>(model, m, cpu, next);
  while (se.group != pse.group) {
    const int level = depth_of(model, se);
    const int prev_level = depth_of(model, pse);
    if (level <= prev_level) {
      put_prev_entity<D>(model, m, pse);
      pse = parent_entity(model, pse);
    }
    if (level >= prev_level) {
      set_next_entity<D>(model, m, se);
      se = parent_entity(model, se);
    }
  }
  put_prev_entity<D>(model, m, pse);
  set_next_entity<D>(model, m, se);
}

/// Switches from `prev` to `next` (kNoTask: the idle task). The clock must be up to date. Requires
/// prev == rq->curr; prev may have left the queue already.
template <ValueDomain D>
void switch_to(const Model& model, Machine<D>& m, int cpu, int prev, int next) {
  Rq<D>& rq = cpu_rq(m, cpu);
  if (next == kNoTask) newidle<D>(model, m, cpu);
  if (next == prev) {
    rq.need_resched = false;
    return;
  }
  const bool both_fair = prev != kNoTask && next != kNoTask && !is_rt(m, prev) && !is_rt(m, next);
  if (both_fair) {
    switch_entities<D>(model, m, cpu, prev, next);
  } else {
    if (prev != kNoTask) put_prev_task<D>(model, m, cpu, prev);
    if (next != kNoTask) set_next_task<D>(model, m, cpu, next);
  }
  rq.need_resched = false;
  rq.curr = next;
}

/// __schedule: switches from `prev` to the task that the CPU runs next.
template <ValueDomain D>
void schedule_cpu(const Model& model, Machine<D>& m, int cpu, int prev) {
  switch_to<D>(model, m, cpu, prev, pick_next_task<D>(model, m, cpu, prev));
}

/// Serves the request to reschedule that an event left on `cpu`, if any.
template <ValueDomain D>
void serve_resched(const Model& model, Machine<D>& m, int cpu) {
  if (!model.eevdf || !cpu_rq(m, cpu).need_resched) return;
  update_rq_clock(m, cpu);
  schedule_cpu<D>(model, m, cpu, entity_number<D>(cpu_rq(m, cpu).curr));
}

}  // namespace schedcheck
