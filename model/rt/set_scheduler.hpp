// SPDX-License-Identifier: Apache-2.0
/// \file A task changes its policy: __sched_setscheduler, kernel/sched/syscalls.c;
/// switched_from_fair, switched_to_fair, kernel/sched/fair.c; switched_to_rt, prio_changed_rt,
/// kernel/sched/rt.c. v6.12.
#pragma once

#include "model/groups/sched_move_task.hpp"

namespace schedcheck {

/// Policy and priority in one number: 0 fair, 1..99 SCHED_FIFO, 101..199 SCHED_RR.
inline constexpr std::int64_t kMaxRtPriority = 99;
inline constexpr std::int64_t kRoundRobinPolicy = 100;
constexpr bool is_policy(std::int64_t policy) {
  return policy >= 0 && policy < 2 * kRoundRobinPolicy && policy != kRoundRobinPolicy;
}

template <ValueDomain D>
void set_policy_fields(Task<D>& task, std::int64_t policy) {
  task.rt_priority = policy % kRoundRobinPolicy;
  task.rt_round_robin = policy > kRoundRobinPolicy;
  task.rr_left = kRrTimesliceNs;
}

/// detach_task_cfs_rq and attach_task_cfs_rq: an RT task leaves no average in the fair queues.
template <ValueDomain D>
void switched_from_fair(const Model& model, Machine<D>& m, EntityRef e) {
  update_load_avg<D>(model, m, e, LoadUpdate::kAge);
  detach_entity_cfs_rq<D>(model, m, e);
}

/// check_class_changed: whether p's CPU has to look anew.
template <ValueDomain D>
void check_class_changed(const Model& model, Machine<D>& m, int cpu, int p, bool was_rt,
                         const IntOf<D>& old_priority) {
  Rq<D>& rq = cpu_rq(m, cpu);
  const Task<D>& task = task_of(m, p);
  const bool now_rt = is_rt(m, p);
  const EntityRef e = task_entity<D>(model, m, cpu, p);
  if (!was_rt && now_rt) switched_from_fair<D>(model, m, e);
  if (was_rt && !now_rt) attach_entity_cfs_rq<D>(model, m, e, false);
  if (!task_on_rq_queued(m, p)) return;
  if (rq.curr != p) return wakeup_preempt<D>(model, m, cpu, p);
  // A fair task that ran before RT tasks, through the server, and turns RT: the kernel would leave
  // it to push and pull (limit L9).
  const bool outranked = now_rt && pick_task_rt<D>(m, cpu) != p;
  if (outranked || (was_rt != now_rt ? !now_rt : task.rt_priority < old_priority))
    rq.need_resched = true;
}

/// p, alive, on `cpu`, gets `policy`.
template <ValueDomain D>
void sched_setscheduler(const Model& model, Machine<D>& m, int cpu, int p, std::int64_t policy) {
  Task<D>& task = task_of(m, p);
  const bool was_rt = is_rt(m, p);
  const IntOf<D> old_priority = task.rt_priority;
  update_rq_clock(m, cpu);
  if (!was_rt && policy != 0 && task.sched_delayed)
    dequeue_task<D>(model, m, cpu, p, {.sleep = true, .delayed = true});
  const bool running = static_cast<bool>(cpu_rq(m, cpu).curr == p);
  with_task_off_queue<D>(model, m, cpu, p, running, [&] { set_policy_fields<D>(task, policy); });
  check_class_changed<D>(model, m, cpu, p, was_rt, old_priority);
}

}  // namespace schedcheck
