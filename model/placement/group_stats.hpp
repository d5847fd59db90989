// SPDX-License-Identifier: Apache-2.0
/// \file A group's statistics and class at a fork: update_sg_wakeup_stats, group_is_overloaded,
/// group_has_capacity, group_classify of kernel/sched/fair.c, v5.5 and later.
#pragma once

#include <bit>
#include <tuple>

#include "model/placement/cpu_signals.hpp"

namespace schedcheck {

/// Group classes, busier is larger; values as recorded from v6.12. Only balancing gives kMisfit
/// (here: a CPU of reduced capacity) and kSmtBalance. Asym packing is not modelled (limit L6).
enum GroupType : std::int64_t {
  kHasSpare = 0,
  kFullyBusy = 1,
  kMisfit = 2,
  kSmtBalance = 3,
  kImbalanced = 5,
  kOverloaded = 6
};

/// `sg_lb_stats`.
template <ValueDomain D>
struct SgLbStats {
  IntOf<D> group_load, group_util, group_runnable;  ///< Sums over the group's CPUs.
  IntOf<D> sum_h_nr_running, sum_nr_running, idle_cpus;
  IntOf<D> group_capacity, group_weight;  ///< All CPUs of the group, whatever the affinity.
  IntOf<D> avg_load;                      ///< Load per 1024 of capacity; 0 unless busy.
  IntOf<D> group_type;

  auto fields() {
    return std::tie(group_load, group_util, group_runnable, sum_h_nr_running, sum_nr_running,
                    idle_cpus, group_capacity, group_weight, avg_load, group_type);
  }
};

/// The class of a group; pct is the domain's imbalance_pct. `imbalanced`: sgc.imbalance is set.
template <ValueDomain D>
IntOf<D> group_classify(std::int64_t pct, const SgLbStats<D>& sgs, bool imbalanced = false) {
  using Int = IntOf<D>;
  const Int& capacity = sgs.group_capacity;
  return D::eval([&]() -> Int {
    const BoolOf<D> util_exceeds = capacity * 100 < sgs.group_util * pct;
    const BoolOf<D> runnable_exceeds = capacity * pct < sgs.group_runnable * 100;
    if (sgs.sum_nr_running > sgs.group_weight && (util_exceeds || runnable_exceeds))
      return Int(kOverloaded);
    if (imbalanced) return Int(kImbalanced);
    if (sgs.sum_nr_running < sgs.group_weight) return Int(kHasSpare);
    if (runnable_exceeds) return Int(kFullyBusy);
    // Exactly at the threshold is neither over it nor spare.
    return D::select(capacity * 100 > sgs.group_util * pct, Int(kHasSpare), Int(kFullyBusy));
  });
}

/// The average load of a busy group, in weight units per CPU.
template <ValueDomain D>
IntOf<D> group_avg_load(const SgLbStats<D>& sgs) {
  return D::eval([&]() -> IntOf<D> {
    if (sgs.group_type != kFullyBusy && sgs.group_type != kOverloaded) return IntOf<D>(0);
    return D::div(sgs.group_load * kCapacity, sgs.group_capacity);
  });
}

/// Adds one CPU to the statistics, p looking for a place.
template <ValueDomain D>
inline void add_cpu_stats(SgLbStats<D>& sgs, const Machine<D>& m, int cpu, int p) {
  using Int = IntOf<D>;
  const Rq<D>& rq = cpu_rq(m, cpu);
  const BoolOf<D> own = contributes_to(m, cpu, p);
  const Int local = D::to_int(own && task_of(m, p).on_rq);
  sgs.group_load = sgs.group_load + cpu_load_without(m, cpu, p, own);
  sgs.group_util = sgs.group_util + cpu_util_without(m, cpu, p, own);
  sgs.group_runnable = sgs.group_runnable + cpu_runnable_without(m, cpu, p, own);
  sgs.sum_h_nr_running = sgs.sum_h_nr_running + rq.cfs.h_nr_queued - local;
  sgs.sum_nr_running = sgs.sum_nr_running + rq.nr_running - local;
  const BoolOf<D> idle =
      rq.nr_running - local == Int(0) && (rq.curr == kNoTask || rq.curr == p) && !rq.ttwu_pending;
  sgs.idle_cpus =
      sgs.idle_cpus + (mutant<D>(Mutant::kBusyCountsAsIdle) ? Int(1) : Int(D::to_int(idle)));
}

/// The same where the statistics cover that CPU: all CPUs or the allowed ones (fork_stats_scope).
template <ValueDomain D>
inline void count_cpu(const KernelSwitches& kernel, SgLbStats<D>& sgs, const Machine<D>& m, int cpu,
                      int p) {
  const bool count_all =
      kernel.fork_stats_scope == ForkStatsScope::kGroup || mutant<D>(Mutant::kAffinityIgnored);
  D::join(
      [&] {
        if (count_all || D::bit(task_of(m, p).cpus_ptr, cpu)) add_cpu_stats<D>(sgs, m, cpu, p);
      },
      sgs);
}

/// Weight, capacity and class of a group of `weight` CPUs whose sums are known.
template <ValueDomain D>
void classify_group(std::int64_t pct, const IntOf<D>& weight, SgLbStats<D>& sgs) {
  sgs.group_weight = weight;
  sgs.group_capacity = weight * kCapacity;
  sgs.group_type = group_classify<D>(pct, sgs);
}

/// `group` as a place for p.
template <ValueDomain D>
inline SgLbStats<D> update_sg_wakeup_stats(const Model& model, const Machine<D>& m,
                                           const SchedDomain& sd, CpuMask group, int p) {
  count_work<D>(Work::kGroupStats);
  SgLbStats<D> sgs{};
  int weight = 0;
  for (CpuMask rest = group; rest != 0; rest &= rest - 1, ++weight)
    count_cpu<D>(model.kernel, sgs, m, std::countr_zero(rest), p);
  classify_group<D>(sd.imbalance_pct, weight, sgs);
  sgs.avg_load = group_avg_load<D>(sgs);
  return sgs;
}

}  // namespace schedcheck
