// SPDX-License-Identifier: Apache-2.0
/// \file One balance pass of one domain: update_sg_lb_stats, update_sd_lb_stats,
/// need_active_balance, sched_balance_rq, kernel/sched/fair.c (load_balance until v6.9), v6.1 and
/// v6.12 by switches. Left out: SD_SERIALIZE for newidle (v6.19), what the stop thread of an active
/// balance does, overload flags of the root domain. Runs inside a region; how many CPUs and tasks
/// there are, and which of them is chosen, is plain.
#pragma once

#include "model/balance/detach_tasks.hpp"
#include "model/balance/find_src_group.hpp"
#include "model/balance/find_src_rq.hpp"
#include "model/balance/should_we_balance.hpp"

namespace schedcheck {

/// `sched_group_capacity` of a group.
struct GroupCapacity {
  std::int64_t capacity;   ///< Sum over its CPUs, when last refreshed.
  bool imbalance = false;  ///< Pinned tasks kept the domain below from being balanced.
};

/// What a pass of a domain reads and writes beside the machine.
template <ValueDomain D>
struct BalanceRqState {
  IntOf<D> nr_balance_failed, balance_interval;  ///< Interval: ms.
  bool has_parent = false;
  bool parent_imbalance = false;  ///< The flag of the parent's local group; if there is a parent.
  CpuMask active_balance = 0;     ///< CPUs whose stop thread was asked to push a task.
};

template <ValueDomain D>
struct BalanceRqResult {
  int moved = 0;
  bool continue_balancing = true;
  bool no_busiest = false;  ///< There was no busiest group or queue.
  int active_balance_from = kNoTask;
};

/// A group's statistics. `cpu` counts if it is in env.cpus; the class is not yet known.
template <ValueDomain D>
LbGroup<D> sum_lb_group(const Machine<D>& m, const LbEnv<D>& env, std::size_t index) {
  LbGroup<D> group{};
  SgLbStats<D>& sgs = group.stats;
  CpuMask cores = 0;
  for (CpuMask rest = env.sd.groups[index]; rest != 0; rest &= rest - 1) {
    const int cpu = std::countr_zero(rest);
    cores |= env.cpu[static_cast<std::size_t>(cpu)].smt_mask &
             -env.cpu[static_cast<std::size_t>(cpu)].smt_mask;
    if ((env.cpus >> cpu & 1) == 0) continue;
    const Rq<D>& rq = cpu_rq(m, cpu);
    sgs.group_load = sgs.group_load + cpu_load(m, cpu);
    sgs.group_util = sgs.group_util + cpu_util(m, cpu);
    sgs.group_runnable = sgs.group_runnable + rq.cfs.avg.runnable_avg;
    sgs.sum_h_nr_running = sgs.sum_h_nr_running + rq.cfs.h_nr_queued;
    sgs.sum_nr_running = sgs.sum_nr_running + rq.nr_running;
    if (idle_cpu(m, cpu)) {
      sgs.idle_cpus = sgs.idle_cpus + 1;
    } else if (index != 0 && env.is_idle() && rq.cfs.h_nr_queued == 1 &&
               env.capacity_is_reduced(cpu)) {
      group.misfit_task_load = D::max(group.misfit_task_load, cpu_load(m, cpu));
    }
  }
  group.cores = std::popcount(cores);
  group.smt = (env.sd.group_flags[index] & kSdShareCpucapacity) != 0;
  sgs.group_weight = std::popcount(env.sd.groups[index]);
  return group;
}

/// `capacities`: per group, in ring order.
template <ValueDomain D>
SdLbStats<D> update_sd_lb_stats(const KernelSwitches& kernel, const Machine<D>& m,
                                const LbEnv<D>& env, std::span<const GroupCapacity> capacities) {
  SdLbStats<D> sds = init_sd_lb_stats<D>();
  for (std::size_t i = 0; i < env.sd.groups.size(); ++i) {
    LbGroup<D> group = sum_lb_group<D>(m, env, i);
    group.stats.group_capacity = capacities[i].capacity;
    classify_lb_group<D>(kernel, env.sd.imbalance_pct, capacities[i].imbalance,
                         i != 0 && env.is_idle(), group);
    add_group<D>(kernel, sds, group, static_cast<int>(i));
  }
  return sds;
}

/// Whether the running task itself has to be pushed away.
template <ValueDomain D>
BoolOf<D> need_active_balance(const Machine<D>& m, const LbEnv<D>& env) {
  if (env.migration_type == MigrationType::kTask &&
      env.nr_balance_failed > env.sd.cache_nice_tries + 2)
    return true;
  return env.is_idle() && cpu_rq(m, env.src_cpu).cfs.h_nr_queued == 1 &&
         env.capacity_is_reduced(env.src_cpu) &&
         env.capacity_of(env.src_cpu) * env.sd.imbalance_pct < env.capacity_of(env.dst_cpu) * 100;
}

/// The source for env, which it becomes; false: there is none.
template <ValueDomain D>
bool find_source(const KernelSwitches& kernel, const Machine<D>& m, LbEnv<D>& env,
                 std::span<const GroupCapacity> capacities) {
  const int last = static_cast<int>(env.sd.groups.size()) - 1;
  const int group =
      D::which(find_src_group<D>(kernel, env, update_sd_lb_stats<D>(kernel, m, env, capacities)),
               kNoTask, last);
  if (group == kNoTask) return false;
  env.src_cpu =
      D::which(find_src_rq<D>(kernel, m, env, env.sd.groups[static_cast<std::size_t>(group)]),
               kNoTask, kMaxCpus - 1);
  return env.src_cpu != kNoTask;
}

/// Pulls for dst_cpu and then for others of its group that tasks may go to instead.
template <ValueDomain D, class Move>
int pull_tasks(Machine<D>& m, LbEnv<D>& env, const PassRules& rules, CfsTasks& tasks,
               Pinned& pinned, const Move& move) {
  const int nr_running = D::which(cpu_rq(m, env.src_cpu).nr_running, 0, kMaxTasks);
  const int loop_max = std::min(kNrMigrate, nr_running);
  int moved = 0;
  for (int loop = 0;; loop = 0) {
    const auto to_dst = [&](int p) { move(p, env.dst_cpu); };
    moved += detach_tasks<D>(m, env, rules, tasks, pinned, loop_max, loop, to_dst);
    if (pinned.new_dst_cpu == kNoTask || env.imbalance <= 0) return moved;
    env.cpus &= ~(CpuMask{1} << env.dst_cpu);
    env.dst_cpu = pinned.new_dst_cpu;
    pinned.new_dst_cpu = kNoTask;
  }
}

/// The part of a pass behind its verdict.
template <ValueDomain D>
class BalanceRq {
 public:
  BalanceRq(const KernelSwitches& kernel, Machine<D>& m, LbEnv<D>& env, BalanceRqState<D>& state)
      : kernel_(kernel), m_(m), env_(env), state_(state), this_cpu_(env.dst_cpu) {
    env_.nr_balance_failed = state.nr_balance_failed;
  }

  template <class Move>
  BalanceRqResult<D> run(std::span<const GroupCapacity> capacities, const PassRules& rules,
                         CfsTasks& tasks, const Move& move) {
    for (;;) {
      if (!should_we_balance<D>(kernel_, m_, env_)) {
        result_.continue_balancing = false;
        return balanced();
      }
      result_.no_busiest = !find_source<D>(kernel_, m_, env_, capacities);
      if (result_.no_busiest) return balanced();
      pinned_.all = true;
      if (cpu_rq(m_, env_.src_cpu).nr_running <= 1) return unbalanced();
      result_.moved = pull_tasks<D>(m_, env_, rules, tasks, pinned_, move);
      if (state_.has_parent && pinned_.some && env_.imbalance > 0) state_.parent_imbalance = true;
      if (!pinned_.all) return unbalanced();
      // Nothing there may leave: look again without that CPU.
      env_.cpus &= ~(CpuMask{1} << env_.src_cpu);
      if ((env_.cpus & ~env_.sd.balance_masks[0]) == 0) return all_pinned();
    }
  }

 private:
  BalanceRqResult<D> balanced() {
    if (state_.has_parent && !pinned_.all) state_.parent_imbalance = false;
    return all_pinned();
  }
  BalanceRqResult<D> all_pinned() {
    env_.nr_balance_failed = 0;
    return wait_longer();
  }
  BalanceRqResult<D> wait_longer() {
    constexpr int kMaxPinnedInterval = 512;
    result_.moved = 0;
    if (env_.idle != CpuIdleType::kNewlyIdle &&
        ((pinned_.all && state_.balance_interval < kMaxPinnedInterval) ||
         state_.balance_interval < env_.sd.max_interval()))
      state_.balance_interval = state_.balance_interval * 2;
    return done();
  }
  BalanceRqResult<D> unbalanced() {
    if (result_.moved > 0) {
      env_.nr_balance_failed = 0;
    } else {
      if (env_.idle != CpuIdleType::kNewlyIdle) env_.nr_balance_failed = env_.nr_balance_failed + 1;
      if (need_active_balance<D>(m_, env_) && !ask_stop_thread()) return wait_longer();
    }
    state_.balance_interval = env_.sd.min_interval();
    return done();
  }
  /// False: what runs there may not come here.
  bool ask_stop_thread() {
    const int curr = D::which(cpu_rq(m_, env_.src_cpu).curr, kNoTask, kMaxTasks - 1);
    if (curr != kNoTask && !D::bit(task_of(m_, curr).cpus_ptr, this_cpu_)) return false;
    pinned_.all = false;
    const CpuMask src = CpuMask{1} << env_.src_cpu;
    if ((state_.active_balance & src) == 0) result_.active_balance_from = env_.src_cpu;
    state_.active_balance |= src;
    return true;
  }
  BalanceRqResult<D> done() {
    state_.nr_balance_failed = env_.nr_balance_failed;
    return result_;
  }

  const KernelSwitches& kernel_;
  Machine<D>& m_;
  LbEnv<D>& env_;
  BalanceRqState<D>& state_;
  const int this_cpu_;
  Pinned pinned_;
  BalanceRqResult<D> result_;
};

/// `move(p, cpu)` moves a queued task. Yields what the pass did; env and state tell the rest.
template <ValueDomain D, class Move>
BalanceRqResult<D> sched_balance_rq(const KernelSwitches& kernel, Machine<D>& m, LbEnv<D> env,
                                    BalanceRqState<D>& state,
                                    std::span<const GroupCapacity> capacities,
                                    const PassRules& rules, CfsTasks& tasks, const Move& move) {
  return BalanceRq<D>(kernel, m, env, state).run(capacities, rules, tasks, move);
}

}  // namespace schedcheck
