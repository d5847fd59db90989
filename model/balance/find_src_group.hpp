// SPDX-License-Identifier: Apache-2.0
/// \file The group to pull from and how much: update_sd_pick_busiest, sibling_imbalance,
/// calculate_imbalance, sched_balance_find_src_group, kernel/sched/fair.c (find_busiest_group until
/// v6.9), v6.1 and v6.12 by switches; NUMA rule of v6.0. Every function runs inside a region.
#pragma once

#include "model/balance/lb_env.hpp"
#include "model/placement/group_stats.hpp"

namespace schedcheck {

/// A group as balancing sees it.
template <ValueDomain D>
struct LbGroup {
  SgLbStats<D> stats;             ///< avg_load only if overloaded.
  IntOf<D> misfit_task_load = 0;  ///< Load of a lone task on a CPU of reduced capacity; 0: none.
  bool smt = false;               ///< Its CPUs are siblings: SD_SHARE_CPUCAPACITY.
  int cores = 1;
};

/// `sd_lb_stats`.
template <ValueDomain D>
struct SdLbStats {
  LbGroup<D> local{}, busiest{};
  IntOf<D> busiest_index = kNoTask;  ///< Position in the ring; kNoTask: none.
  IntOf<D> total_load = 0, total_capacity = 0, avg_load = 0;
};

template <ValueDomain D>
SdLbStats<D> init_sd_lb_stats() {
  SdLbStats<D> sds;
  sds.busiest.stats.group_type = kHasSpare;
  sds.busiest.stats.idle_cpus = kU32Max;
  return sds;
}

/// Class and average load of a group whose sums are known. `pulls`: it is a remote group and the
/// balancing CPU is idle.
template <ValueDomain D>
void classify_lb_group(const KernelSwitches& kernel, int pct, bool imbalanced, bool pulls,
                       LbGroup<D>& group) {
  SgLbStats<D>& sgs = group.stats;
  sgs.group_type = group_classify<D>(pct, sgs, imbalanced);
  if (sgs.group_type <= kFullyBusy && pulls) {
    if (kernel.smt_balance && group.smt && sgs.sum_h_nr_running > 1)
      sgs.group_type = kSmtBalance;
    else if (group.misfit_task_load > 0)
      sgs.group_type = kMisfit;
  }
  sgs.avg_load = 0;
  if (sgs.group_type == kOverloaded) sgs.avg_load = group_avg_load<D>(sgs);
}

/// has_spare groups: the fewest idle CPUs, then the most tasks.
template <ValueDomain D>
BoolOf<D> busier_with_spare(const SgLbStats<D>& sgs, const SgLbStats<D>& busiest) {
  if (sgs.idle_cpus != busiest.idle_cpus) return sgs.idle_cpus < busiest.idle_cpus;
  return sgs.sum_nr_running > busiest.sum_nr_running;
}

/// Whether `group` replaces the busiest one so far.
template <ValueDomain D>
BoolOf<D> update_sd_pick_busiest(const KernelSwitches& kernel, const SdLbStats<D>& sds,
                                 const LbGroup<D>& group) {
  const SgLbStats<D>& sgs = group.stats;
  const SgLbStats<D>& busiest = sds.busiest.stats;
  if (sgs.sum_h_nr_running == 0) return false;
  if (sgs.group_type != busiest.group_type) return sgs.group_type > busiest.group_type;
  if (sgs.group_type == kOverloaded) return sgs.avg_load > busiest.avg_load;
  if (sgs.group_type == kImbalanced) return false;
  const bool later_busy = kernel.fully_busy_tie == FullyBusyTie::kLast;
  if (sgs.group_type == kMisfit)
    return later_busy ? group.misfit_task_load > sds.busiest.misfit_task_load
                      : group.misfit_task_load >= sds.busiest.misfit_task_load;
  if (sgs.group_type == kSmtBalance && (sgs.idle_cpus != 0 || busiest.idle_cpus != 0))
    return busier_with_spare<D>(sgs, busiest);
  if (sgs.group_type != kHasSpare) return later_busy && !sds.busiest.smt;  // No avg_load: a tie.
  // A core with one task is not made idle for the sake of plain CPUs.
  if (kernel.smt_balance && sds.busiest_index != kNoTask && sds.busiest.smt != group.smt)
    return !group.smt || sgs.sum_h_nr_running > 1;
  return busier_with_spare<D>(sgs, busiest);
}

/// One turn of the loop over the ring; index 0 is the local group.
template <ValueDomain D>
void add_group(const KernelSwitches& kernel, SdLbStats<D>& sds, const LbGroup<D>& group,
               int index) {
  if (index == 0) {
    sds.local = group;
  } else if (update_sd_pick_busiest<D>(kernel, sds, group)) {
    sds.busiest = group;
    sds.busiest_index = index;
  }
  sds.total_load = sds.total_load + group.stats.group_load;
  sds.total_capacity = sds.total_capacity + group.stats.group_capacity;
}

/// How many tasks too many the busiest group has beside the local one.
template <ValueDomain D>
IntOf<D> sibling_imbalance(const KernelSwitches& kernel, const LbEnv<D>& env,
                           const SdLbStats<D>& sds) {
  using Int = IntOf<D>;
  const Int& busiest = sds.busiest.stats.sum_nr_running;
  const Int& local = sds.local.stats.sum_nr_running;
  if (kernel.sibling_imbalance == SiblingImbalance::kNrDifference)
    return D::sub_or_zero(busiest, local);
  if (!env.is_idle() || busiest == 0) return 0;
  const int of_busiest = sds.busiest.cores;
  const int of_local = sds.local.cores;
  if (of_busiest == of_local) return D::sub_or_zero(busiest, local);
  const Int excess = D::sub_or_zero(of_local * busiest, of_busiest * local);
  const int cores = of_local + of_busiest;
  const Int rounded = D::div(2 * excess + cores, Int(cores));
  if (rounded <= 1 && local == 0 && busiest > 1) return 2;
  return rounded;
}

/// The local group has room: fill it, or even out tasks or idle CPUs.
template <ValueDomain D>
void imbalance_of_spare(const KernelSwitches& kernel, LbEnv<D>& env, const SdLbStats<D>& sds) {
  using Int = IntOf<D>;
  const SgLbStats<D>& local = sds.local.stats;
  const SgLbStats<D>& busiest = sds.busiest.stats;
  env.migration_type = MigrationType::kTask;
  if (busiest.group_type > kFullyBusy && !env.sd.share_llc) {
    env.imbalance = D::sub_or_zero(local.group_capacity, local.group_util);
    if (env.is_idle() && env.imbalance == 0) {
      env.imbalance = 1;
    } else {
      env.migration_type = MigrationType::kUtil;
    }
    return;
  }
  if (busiest.group_weight == 1 || env.sd.prefer_sibling) {
    env.imbalance = sibling_imbalance<D>(kernel, env, sds);
  } else {
    // The kernel subtracts two u32: more idle CPUs there than here give about 2^32.
    env.imbalance = D::wrap_u32(local.idle_cpus - busiest.idle_cpus);
  }
  constexpr int kNumaImbalanceMin = 2;
  if (env.sd.numa && local.sum_nr_running + 1 <= env.sd.imb_numa_nr &&
      env.imbalance <= kNumaImbalanceMin)
    env.imbalance = Int(0);
  env.imbalance = D::shr(env.imbalance, 1);
}

template <ValueDomain D>
IntOf<D> domain_avg_load(const SdLbStats<D>& sds) {
  return D::div(sds.total_load * kCapacity, sds.total_capacity);
}

template <ValueDomain D>
void calculate_imbalance(const KernelSwitches& kernel, LbEnv<D>& env, SdLbStats<D>& sds) {
  using Int = IntOf<D>;
  SgLbStats<D>& local = sds.local.stats;
  const SgLbStats<D>& busiest = sds.busiest.stats;
  env.migration_type = MigrationType::kLoad;
  if (busiest.group_type == kMisfit) {
    env.imbalance = sds.busiest.misfit_task_load;
    return;
  }
  if (busiest.group_type == kSmtBalance || busiest.group_type == kImbalanced) {
    env.migration_type = MigrationType::kTask;
    env.imbalance = 1;
    return;
  }
  if (local.group_type == kHasSpare) return imbalance_of_spare<D>(kernel, env, sds);
  env.imbalance = 0;
  if (local.group_type < kOverloaded) {
    // It will be overloaded when it takes more.
    local.avg_load = D::div(local.group_load * kCapacity, local.group_capacity);
    if (local.avg_load >= busiest.avg_load) return;
    sds.avg_load = domain_avg_load<D>(sds);
    if (local.avg_load >= sds.avg_load) return;
  }
  // Neither above the mean here nor below it there. The kernel's first term wraps if negative and
  // then never is the smaller one.
  Int amount = (sds.avg_load - local.avg_load) * local.group_capacity;
  if (busiest.avg_load >= sds.avg_load)
    amount = D::min(amount, (busiest.avg_load - sds.avg_load) * busiest.group_capacity);
  env.imbalance = D::shr(amount, 10);
}

/// The answer before the amount is known. Sets sds.avg_load where it looks at it.
template <ValueDomain D>
BoolOf<D> is_balanced(const KernelSwitches& kernel, const LbEnv<D>& env, SdLbStats<D>& sds) {
  const SgLbStats<D>& local = sds.local.stats;
  const SgLbStats<D>& busiest = sds.busiest.stats;
  if (sds.busiest_index == kNoTask) return true;
  if (busiest.group_type == kMisfit || busiest.group_type == kImbalanced) return false;
  if (local.group_type > busiest.group_type) return true;
  if (local.group_type == kOverloaded) {
    if (local.avg_load >= busiest.avg_load) return true;
    sds.avg_load = domain_avg_load<D>(sds);
    if (local.avg_load >= sds.avg_load) return true;
    if (busiest.avg_load * 100 <= local.avg_load * env.sd.imbalance_pct) return true;
  }
  if (env.sd.prefer_sibling && local.group_type == kHasSpare &&
      sibling_imbalance<D>(kernel, env, sds) > 1)
    return false;
  if (busiest.group_type == kOverloaded) return false;
  if (!env.is_idle()) return true;
  if (busiest.group_type == kSmtBalance && sds.local.smt != sds.busiest.smt) return false;
  if (busiest.group_weight > 1 && local.idle_cpus <= busiest.idle_cpus + 1) return true;
  return busiest.sum_h_nr_running == 1;
}

/// The position in the ring of the group to pull from, or kNoTask; sets what env says about it.
template <ValueDomain D>
IntOf<D> find_src_group(const KernelSwitches& kernel, LbEnv<D>& env, SdLbStats<D> sds) {
  env.imbalance = 0;
  if (is_balanced<D>(kernel, env, sds)) return kNoTask;
  calculate_imbalance<D>(kernel, env, sds);
  if (env.imbalance == 0) return kNoTask;
  return sds.busiest_index;
}

}  // namespace schedcheck
