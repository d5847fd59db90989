// SPDX-License-Identifier: Apache-2.0
/// \file The group for a new task: update_pick_idlest and sched_balance_find_dst_group (until v6.9
/// find_idlest_group), kernel/sched/fair.c.
#pragma once

#include <array>

#include "model/placement/group_stats.hpp"

namespace schedcheck {

inline constexpr int kStayLocal = -1;
inline constexpr std::size_t kMaxGroups = kMaxCpus;

/// Whether `sgs` replaces `idlest` as the best remote group. Both belong to one domain.
template <ValueDomain D>
inline BoolOf<D> update_pick_idlest(const KernelSwitches& kernel, const SgLbStats<D>& idlest,
                                    const SgLbStats<D>& sgs) {
  using Bool = BoolOf<D>;
  return D::eval([&]() -> Bool {
    if (sgs.group_type != idlest.group_type) return sgs.group_type < idlest.group_type;
    if (sgs.group_type == kImbalanced) return Bool(false);
    if (sgs.group_type != kHasSpare) return idlest.avg_load > sgs.avg_load;
    if (sgs.idle_cpus != idlest.idle_cpus)
      return mutant<D>(Mutant::kFewerIdleCpusWin) ? Bool(sgs.idle_cpus < idlest.idle_cpus)
                                                  : Bool(sgs.idle_cpus > idlest.idle_cpus);
    switch (kernel.idlest_tiebreak) {
      case IdlestTiebreak::kUtil:
        return idlest.group_util > sgs.group_util;
      case IdlestTiebreak::kNrRunning:
        return idlest.sum_nr_running > sgs.sum_nr_running;
      case IdlestTiebreak::kNone:
        break;
    }
    return Bool(false);  // The first group in ring order keeps every tie.
  });
}

/// How many idle CPUs the local node may have fewer before a NUMA domain sends a task away.
template <ValueDomain D>
BoolOf<D> numa_imbalance_allowed(const SgLbStats<D>& local, const SgLbStats<D>& idlest,
                                 const IntOf<D>& imb_numa_nr) {
  constexpr int kNumaImbalanceMin = 2;
  const IntOf<D> gap =
      D::max(local.idle_cpus - idlest.idle_cpus, idlest.idle_cpus - local.idle_cpus);
  return local.sum_nr_running + 1 <= imb_numa_nr && gap <= kNumaImbalanceMin;
}

/// Local group against the best remote one; true: stay. imb_numa_nr: v6.0 rule, already limited by
/// the affinity. Requires that both exist.
template <ValueDomain D>
inline BoolOf<D> stays_local(const SchedDomain& sd, const SgLbStats<D>& local,
                             const SgLbStats<D>& idlest, const IntOf<D>& imb_numa_nr) {
  using Bool = BoolOf<D>;
  using Int = IntOf<D>;
  return D::eval([&]() -> Bool {
    if (local.group_type != idlest.group_type) return local.group_type < idlest.group_type;
    if (local.group_type == kImbalanced) return Bool(true);
    if (local.group_type != kHasSpare) {
      const Int imbalance = kCapacity * (sd.imbalance_pct - 100) / 100;
      if (sd.numa && idlest.avg_load + imbalance >= local.avg_load) return Bool(true);
      if (idlest.avg_load >= local.avg_load + imbalance) return Bool(true);
      return local.avg_load * 100 <= idlest.avg_load * sd.imbalance_pct;
    }
    if (sd.numa && numa_imbalance_allowed<D>(local, idlest, imb_numa_nr)) return Bool(true);
    return mutant<D>(Mutant::kEqualIdleGoesRemote) ? Bool(local.idle_cpus > idlest.idle_cpus)
                                                   : Bool(local.idle_cpus >= idlest.idle_cpus);
  });
}

/// The statistics of every group of a domain, in ring order; [0] is the local group.
template <ValueDomain D>
struct GroupRing {
  std::array<SgLbStats<D>, kMaxGroups> stats;
  std::array<BoolOf<D>, kMaxGroups> allowed;  ///< The group has a CPU of the affinity.
  int size;
};

template <ValueDomain D>
void collect_ring(GroupRing<D>& ring, const Model& model, const Machine<D>& m,
                  const SchedDomain& sd, int p) {
  ring.size = static_cast<int>(sd.groups.size());
  for (std::size_t i = 0; i < sd.groups.size(); ++i) {
    ring.stats[i] = update_sg_wakeup_stats<D>(model, m, sd, sd.groups[i], p);
    ring.allowed[i] =
        mutant<D>(Mutant::kAffinityIgnored) || D::intersects(task_of(m, p).cpus_ptr, sd.groups[i]);
  }
}

/// imb_numa_nr, limited by the local CPUs that a restricted task may use.
template <ValueDomain D>
IntOf<D> numa_limit(const Machine<D>& m, const SchedDomain& sd, int p, CpuMask all_cpus) {
  const typename D::Mask& cpus = task_of(m, p).cpus_ptr;
  const BoolOf<D> restricted = D::count(cpus, all_cpus) < std::popcount(all_cpus);
  return D::select(restricted, D::min(D::count(cpus, sd.groups[0]), sd.imb_numa_nr),
                   IntOf<D>(sd.imb_numa_nr));
}

/// The best of the remote groups looked at so far.
template <ValueDomain D>
struct IdlestGroup {
  IntOf<D> index;  ///< Position in the ring; kStayLocal: none yet.
  SgLbStats<D> stats;

  auto fields() { return std::tie(index, stats); }
};

/// Before the first group: any overloaded group is better than none.
template <ValueDomain D>
IdlestGroup<D> no_group_yet() {
  IdlestGroup<D> best{};
  best.index = kStayLocal;
  best.stats.group_type = kOverloaded;
  best.stats.avg_load = kU32Max;
  return best;
}

/// One turn of the loop over the ring. `allowed`: the group has a CPU of the affinity.
/// solver/group_fold.hpp proves properties of any number of turns.
template <ValueDomain D>
void consider_group(const KernelSwitches& kernel, IdlestGroup<D>& best, const SgLbStats<D>& sgs,
                    const BoolOf<D>& allowed, const IntOf<D>& index) {
  D::join(
      [&] {
        if (!allowed || !update_pick_idlest<D>(kernel, best.stats, sgs)) return;
        best.index = index;
        best.stats = sgs;
      },
      best);
}

/// After the last group: its position or kStayLocal. `numa_nr`: see numa_limit.
template <ValueDomain D>
IntOf<D> local_or_idlest(const SchedDomain& sd, const IdlestGroup<D>& best,
                         const SgLbStats<D>& local, const BoolOf<D>& local_allowed,
                         const IntOf<D>& numa_nr) {
  using Int = IntOf<D>;
  return D::eval([&]() -> Int {
    if (best.index == kStayLocal || !local_allowed) return best.index;
    if (stays_local<D>(sd, local, best.stats, numa_nr)) return Int(kStayLocal);
    return best.index;
  });
}

/// The best remote group, whatever the local one is.
template <ValueDomain D>
IdlestGroup<D> best_remote_group(const KernelSwitches& kernel, const GroupRing<D>& ring) {
  IdlestGroup<D> best = no_group_yet<D>();
  for (int i = 1; i < ring.size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    consider_group<D>(kernel, best, ring.stats[at], ring.allowed[at], i);
  }
  return best;
}

/// Index in ring order of the group for p, or kStayLocal. `numa_nr`: see numa_limit.
template <ValueDomain D>
IntOf<D> choose_from_ring(const KernelSwitches& kernel, const SchedDomain& sd,
                          const GroupRing<D>& ring, const IntOf<D>& numa_nr) {
  return local_or_idlest<D>(sd, best_remote_group<D>(kernel, ring), ring.stats[0], ring.allowed[0],
                            numa_nr);
}

/// sched_balance_find_dst_group for `sd`, a domain of the CPU that looks for p's place.
template <ValueDomain D>
IntOf<D> find_dst_group(const Model& model, const Machine<D>& m, const SchedDomain& sd, int p) {
  GroupRing<D> ring;
  collect_ring<D>(ring, model, m, sd, p);
  const IntOf<D> numa_nr = sd.numa ? numa_limit<D>(m, sd, p, model.topology.all) : IntOf<D>(0);
  return choose_from_ring<D>(model.kernel, sd, ring, numa_nr);
}

}  // namespace schedcheck
