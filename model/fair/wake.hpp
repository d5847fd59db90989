// SPDX-License-Identifier: Apache-2.0
/// \file Waking a task and moving it between CPUs (try_to_wake_up, migrate_task_rq_fair,
/// move_queued_task; kernel/sched/core.c and fair.c), under limit L2 for the choice of the CPU.
#pragma once

#include "model/fair/schedule_cpu.hpp"
#include "model/placement/cpu_signals.hpp"

namespace schedcheck {

/// The CPUs that share a last level cache with `cpu`.
inline CpuMask llc_span(const Topology& topology, int cpu) {
  CpuMask span = CpuMask{1} << cpu;
  for (const SchedDomain& sd : topology.domains[static_cast<std::size_t>(cpu)])
    if (sd.share_llc) span = sd.span;
  return span;
}

/// Limit L2: the previous CPU if idle, else the first idle CPU of its LLC from there on, else the
/// previous CPU; among allowed CPUs, and the first allowed CPU if none of these is.
template <ValueDomain D>
IntOf<D> select_task_rq_wake(const Model& model, const Machine<D>& m, int p, int prev) {
  using Int = IntOf<D>;
  const Task<D>& task = task_of(m, p);
  if (is_rt(m, p)) {
    if (D::bit(task.cpus_ptr, prev)) return prev;
    return D::first(task.cpus_ptr, model.topology.all);
  }
  const CpuMask span = llc_span(model.topology, prev);
  return D::eval([&]() -> Int {
    const int n = model.topology.nr_cpus;
    for (int k = 0; k < n; ++k) {
      const int cpu = prev + k < n ? prev + k : prev + k - n;
      if ((span >> cpu & 1) == 0) continue;
      if (idle_cpu(m, cpu) && D::bit(task.cpus_ptr, cpu)) return Int(cpu);
    }
    if (D::bit(task.cpus_ptr, prev)) return Int(prev);
    return D::first(task.cpus_ptr, model.topology.all);
  });
}

/// migrate_task_rq_fair for a sleeper: its averages stay on the old queue until that is updated
/// next. From v6.0 on, if the old CPU is idle the averages it takes along are aged to now first.
template <ValueDomain D>
void leave_lazily(const Model& model, Machine<D>& m, int prev, int p) {
  remove_entity_load_avg<D>(model, m, task_entity<D>(model, m, prev, p), /*death=*/false);
  Task<D>& task = task_of(m, p);
  if (model.kernel.migrate_se_pelt_lag) {
    D::join(
        [&] {
          if (cpu_rq(m, prev).curr == kNoTask) update_load_avg_blocked_se<D>(m, p, m.now);
        },
        task);
  }
  task.avg.last_update_time = 0;
}

/// Queues p, which is on no queue, on `cpu`; it may ask for the CPU, or starts there at once if the
/// CPU is idle (limit L1). Yields nothing: the request is served at the end of the event.
template <ValueDomain D>
void activate_task(const Model& model, Machine<D>& m, int cpu, int p, Enqueue how) {
  task_of(m, p).cpu = cpu;
  update_rq_clock(m, cpu);
  enqueue_task<D>(model, m, cpu, p, how);
  if (model.eevdf) return wakeup_preempt<D>(model, m, cpu, p);
  D::join(
      [&] {
        if (cpu_rq(m, cpu).curr != kNoTask) return;
        set_next_task<D>(model, m, cpu, p);
        cpu_rq(m, cpu).curr = p;
      },
      m);
}

/// ttwu_runnable: p sleeps but is still queued for its lag; it stays where it is.
template <ValueDomain D>
void wake_delayed(const Model& model, Machine<D>& m, int cpu, int p) {
  update_rq_clock(m, cpu);
  util_est_enqueue<D>(m, cpu, p);
  requeue_delayed_entity<D>(model, m, task_entity<D>(model, m, cpu, p));
  wakeup_preempt<D>(model, m, cpu, p);
}

/// p, which sleeps, is woken onto `cpu`.
template <ValueDomain D>
void wake_to_cpu(const Model& model, Machine<D>& m, int p, int prev, int cpu) {
  task_of(m, p).state = kRunnable;
  if (model.eevdf && task_of(m, p).on_rq) return wake_delayed<D>(model, m, prev, p);
  if (cpu != prev && !is_rt(m, p)) leave_lazily<D>(model, m, prev, p);
  activate_task<D>(model, m, cpu, p, {.wakeup = true});
}

/// wake: requires that p is blocked.
template <ValueDomain D>
void try_to_wake_up(const Model& model, Machine<D>& m, int p) {
  const int last = static_cast<int>(m.rq.size()) - 1;
  const int prev = D::which(task_of(m, p).cpu, 0, last);
  const int cpu = D::which(select_task_rq_wake<D>(model, m, p, prev), 0, last);
  wake_to_cpu<D>(model, m, p, prev, cpu);
}

/// p, queued on `from`, moves to `cpu` with its exact sums (move_queued_task).
template <ValueDomain D>
void move_queued_task(const Model& model, Machine<D>& m, int p, int from, int cpu) {
  update_rq_clock(m, from);
  dequeue_task<D>(model, m, from, p, {.migrating = true});
  D::join(
      [&] {
        if (cpu_rq(m, from).curr == p) schedule_cpu<D>(model, m, from, p);
      },
      m);
  if (!is_rt(m, p)) task_of(m, p).avg.last_update_time = 0;
  activate_task<D>(model, m, cpu, p, {});
}

/// set_affinity of any live task. A queued task that may not stay moves to its first allowed CPU
/// (limit L7); a sleeper moves when it wakes.
template <ValueDomain D>
void set_cpus_allowed(const Model& model, Machine<D>& m, int p, CpuMask mask) {
  Task<D>& task = task_of(m, p);
  task.cpus_ptr = typename D::Mask(mask);
  if (!task_on_rq_queued(m, p)) return;
  const int cpu = D::which(task.cpu, 0, static_cast<int>(m.rq.size()) - 1);
  if ((mask >> cpu & 1) != 0) return;
  move_queued_task<D>(model, m, p, cpu, std::countr_zero(mask));
}

}  // namespace schedcheck
