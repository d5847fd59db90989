// SPDX-License-Identifier: Apache-2.0
/// \file Taking tasks off the source queue: can_migrate_task, task_hot, detach_tasks,
/// kernel/sched/fair.c, v6.1 and v6.12. Left out: throttled groups, buddies, NUMA locality. Runs
/// inside a region; what a queue holds and where a task may go must be plain (D::which).
#pragma once

#include <algorithm>
#include <vector>

#include "model/balance/lb_env.hpp"
#include "model/placement/cpu_signals.hpp"

namespace schedcheck {

/// The fair tasks of each CPU, most recently run first: `rq->cfs_tasks`.
using CfsTasks = std::vector<std::vector<int>>;

inline constexpr int kNrMigrate = 32;  ///< sysctl_sched_nr_migrate
inline constexpr int kMaxShift = 62;

/// What affinities did to a pass (LBF_*).
struct Pinned {
  bool all = false;           ///< No task of the source could run on any destination.
  bool some = false;          ///< A task could not go to the destination ..
  int new_dst_cpu = kNoTask;  ///< .. but to this CPU of its group.
};

/// What a pass needs to know that neither the machine nor the domain says.
struct PassRules {
  std::int64_t migration_cost = 500'000;  ///< ns; sysctl_sched_migration_cost
  bool preemption = false;                ///< CONFIG_PREEMPTION: a newidle pass takes one task.
  std::vector<bool> percpu_kthread;  ///< [task]; empty: none is bound by being a kernel thread.
};

template <ValueDomain D>
BoolOf<D> task_hot(const Machine<D>& m, const LbEnv<D>& env, const PassRules& rules, int p) {
  if ((env.sd.flags & kSdShareCpucapacity) != 0) return false;  // Siblings share their caches.
  if (rules.migration_cost == -1) return true;
  if (rules.migration_cost == 0) return false;
  return cpu_rq(m, env.src_cpu).clock - task_of(m, p).exec_start < rules.migration_cost;
}

template <ValueDomain D>
BoolOf<D> can_migrate_task(const Machine<D>& m, const LbEnv<D>& env, const PassRules& rules,
                           Pinned& pinned, int p) {
  if (!rules.percpu_kthread.empty() && rules.percpu_kthread[static_cast<std::size_t>(p)])
    return false;
  const typename D::Mask& cpus_ptr = task_of(m, p).cpus_ptr;
  if (!D::bit(cpus_ptr, env.dst_cpu)) {
    pinned.some = true;
    if (env.idle == CpuIdleType::kNewlyIdle || pinned.new_dst_cpu != kNoTask) return false;
    for (CpuMask rest = env.sd.balance_masks[0] & env.cpus; rest != 0; rest &= rest - 1)
      if (D::bit(cpus_ptr, std::countr_zero(rest))) {
        pinned.new_dst_cpu = std::countr_zero(rest);
        break;
      }
    return false;
  }
  pinned.all = false;
  if (cpu_rq(m, env.src_cpu).curr == p) return false;
  return !task_hot<D>(m, env, rules, p) || env.nr_balance_failed > env.sd.cache_nice_tries;
}

/// Whether p is small enough, and takes it off the imbalance if so.
template <ValueDomain D>
BoolOf<D> fits_imbalance(const Machine<D>& m, LbEnv<D>& env, int p) {
  using Int = IntOf<D>;
  if (env.migration_type == MigrationType::kTask) {
    env.imbalance = env.imbalance - 1;
    return true;
  }
  const Int amount =
      env.migration_type == MigrationType::kLoad
          ? D::max(task_h_load(m, env.src_cpu, p), Int(1))
          : D::max(Int(task_of(m, p).avg.util_avg), Int(task_of(m, p).util_est.value));
  // Each failed pass halves what counts; further shifts than the word has change nothing.
  const int failed = D::which(D::min(env.nr_balance_failed, Int(kMaxShift)), 0, kMaxShift);
  if (D::shr(amount, failed) > env.imbalance) return false;
  env.imbalance = env.imbalance - amount;
  return true;
}

/// Moves tasks from the tail of the source queue to env.dst_cpu; how many. `move(p)` dequeues p
/// there and enqueues it here. `loop`: tasks looked at so far in this pass.
template <ValueDomain D, class Move>
int detach_tasks(Machine<D>& m, LbEnv<D>& env, const PassRules& rules, CfsTasks& tasks,
                 Pinned& pinned, int loop_max, int& loop, const Move& move) {
  const auto& src_rq = cpu_rq(m, env.src_cpu);
  std::vector<int>& list = tasks[static_cast<std::size_t>(env.src_cpu)];
  if (src_rq.nr_running <= 1) {
    pinned.all = false;
    return 0;
  }
  if (env.imbalance <= 0) return 0;
  std::vector<int> detached;
  while (!list.empty()) {
    if (env.is_idle() && src_rq.nr_running <= 1) break;  // Its last task stays.
    if (++loop > loop_max) break;
    const int p = list.back();
    if (!can_migrate_task<D>(m, env, rules, pinned, p) || !fits_imbalance<D>(m, env, p)) {
      std::rotate(list.begin(), list.end() - 1, list.end());
      continue;
    }
    list.pop_back();
    move(p);
    detached.push_back(p);
    if (rules.preemption && env.idle == CpuIdleType::kNewlyIdle) break;
    if (env.imbalance <= 0) break;
  }
  std::vector<int>& dst = tasks[static_cast<std::size_t>(env.dst_cpu)];
  dst.insert(dst.begin(), detached.begin(), detached.end());
  return static_cast<int>(detached.size());
}

}  // namespace schedcheck
