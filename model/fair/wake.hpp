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
  remove_entity_load_avg<D>(model, m, prev, p, /*death=*/false);
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

/// Queues p, which is on no queue, on `cpu` and starts it there if the CPU is idle.
template <ValueDomain D>
void activate_task(const Model& model, Machine<D>& m, int cpu, int p) {
  task_of(m, p).cpu = cpu;
  task_of(m, p).state = kRunnable;
  update_rq_clock(m, cpu);
  enqueue_entity<D>(model, m, cpu, p);
  D::join([&] { start_if_idle<D>(model, m, cpu, p); }, m);
}

/// wake: requires that p is blocked.
template <ValueDomain D>
void try_to_wake_up(const Model& model, Machine<D>& m, int p) {
  const int last = static_cast<int>(m.rq.size()) - 1;
  const int prev = D::which(task_of(m, p).cpu, 0, last);
  const int cpu = D::which(select_task_rq_wake<D>(model, m, p, prev), 0, last);
  if (cpu != prev) leave_lazily<D>(model, m, prev, p);
  activate_task<D>(model, m, cpu, p);
}

/// set_affinity of any live task. A queued task that may not stay moves to its first allowed CPU
/// (limit L7) with its exact sums; a sleeper moves when it wakes.
template <ValueDomain D>
void set_cpus_allowed(const Model& model, Machine<D>& m, int p, CpuMask mask) {
  Task<D>& task = task_of(m, p);
  task.cpus_ptr = typename D::Mask(mask);
  if (!task.on_rq) return;
  const int cpu = D::which(task.cpu, 0, static_cast<int>(m.rq.size()) - 1);
  if ((mask >> cpu & 1) != 0) return;
  update_rq_clock(m, cpu);
  dequeue_entity<D>(model, m, cpu, p, /*migrating=*/true);
  D::join(
      [&] {
        if (cpu_rq(m, cpu).curr == p) schedule_cpu<D>(model, m, cpu, p);
      },
      m);
  task.avg.last_update_time = 0;
  activate_task<D>(model, m, std::countr_zero(mask), p);
}

}  // namespace schedcheck
