// SPDX-License-Identifier: Apache-2.0
/// \file The CPU to pull from inside the busiest group: sched_balance_find_src_rq,
/// kernel/sched/fair.c (find_busiest_queue until v6.9), v6.1 and v6.12 by switches. Runs inside a
/// region.
#pragma once

#include "model/balance/lb_env.hpp"
#include "model/placement/cpu_signals.hpp"

namespace schedcheck {

/// cpu_util_cfs_boost: waiting counts as utilisation. Capacity units, at most 1024.
template <ValueDomain D>
IntOf<D> cpu_util_cfs_boost(const KernelSwitches& kernel, const Machine<D>& m, int cpu) {
  const IntOf<D> util = cpu_util(m, cpu);
  if (!kernel.runnable_boosting) return util;
  return D::min(D::max(util, IntOf<D>(cpu_rq(m, cpu).cfs.avg.runnable_avg)), IntOf<D>(kCapacity));
}

/// A CPU of `group`, or kNoTask.
template <ValueDomain D>
IntOf<D> find_src_rq(const KernelSwitches& kernel, const Machine<D>& m, const LbEnv<D>& env,
                     CpuMask group) {
  using Int = IntOf<D>;
  Int busiest = kNoTask;
  Int most = 0;  // Load, utilisation or tasks.
  std::int64_t capacity_of_busiest = 1;
  for (CpuMask rest = group & env.cpus; rest != 0; rest &= rest - 1) {
    const int cpu = std::countr_zero(rest);
    const Int nr_running = cpu_rq(m, cpu).cfs.h_nr_queued;
    if (nr_running == 0) continue;
    const std::int64_t capacity = env.capacity_of(cpu);
    switch (env.migration_type) {
      case MigrationType::kLoad: {
        // One task larger than the imbalance would only move the problem, unless its CPU is slow.
        const Int load = cpu_load(m, cpu);
        if (nr_running == 1 && load > env.imbalance && !env.capacity_is_reduced(cpu)) continue;
        if (load * capacity_of_busiest <= most * capacity) continue;
        most = load;
        capacity_of_busiest = capacity;
        break;
      }
      case MigrationType::kUtil: {
        const Int util = cpu_util_cfs_boost<D>(kernel, m, cpu);
        if (nr_running <= 1 || util <= most) continue;
        most = util;
        break;
      }
      case MigrationType::kTask:
        if (nr_running <= most) continue;
        most = nr_running;
        break;
    }
    busiest = cpu;
  }
  return busiest;
}

}  // namespace schedcheck
