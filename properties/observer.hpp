// SPDX-License-Identifier: Apache-2.0
/// \file Judges events: all properties in one place, and the history they need.
#pragma once

#include <tuple>

#include "properties/affinity_respected.hpp"
#include "properties/cfs_util_within_capacity.hpp"
#include "properties/child_starts_with_half_a_slice.hpp"
#include "properties/contribution_leaves.hpp"
#include "properties/delayed_never_runs.hpp"
#include "properties/delayed_peer_leaves.hpp"
#include "properties/equal_tasks_share.hpp"
#include "properties/exit_leaves_no_utilization.hpp"
#include "properties/exit_move_sum_exact.hpp"
#include "properties/fair_never_starves.hpp"
#include "properties/fork_burst_spreads.hpp"
#include "properties/fork_lands_on_idle.hpp"
#include "properties/fork_picks_idle_group.hpp"
#include "properties/fork_stays_local.hpp"
#include "properties/fork_tie_least_util.hpp"
#include "properties/fork_work_conserving.hpp"
#include "properties/group_shares_bounded.hpp"
#include "properties/h_nr_runnable_exact.hpp"
#include "properties/lag_within_clamp.hpp"
#include "properties/ledger_balances.hpp"
#include "properties/no_ghost_busy.hpp"
#include "properties/no_resched_without_fair_peer.hpp"
#include "properties/nr_running_exact.hpp"
#include "properties/pelt_bounds.hpp"
#include "properties/pelt_split_additive.hpp"
#include "properties/picks_earliest_eligible.hpp"
#include "properties/reference_tracks.hpp"
#include "properties/reweight_keeps_lag.hpp"
#include "properties/rt_first.hpp"
#include "properties/slice_end_reschedules.hpp"
#include "properties/someone_eligible.hpp"
#include "properties/spare_within_affinity.hpp"
#include "properties/spawn_stays_local.hpp"
#include "properties/sum_average_floor.hpp"
#include "properties/sums_follow_averages.hpp"
#include "properties/util_est_insensitive_to_waiting.hpp"
#include "properties/yield_progress.hpp"
#include "properties/zero_sum_lag.hpp"

namespace schedcheck {

using AllProperties =
    std::tuple<ExitLeavesNoUtilization, NoGhostBusy, ExitMoveSumExact, LedgerBalances,
               ForkLandsOnIdle, ForkPicksIdleGroup, ForkStaysLocalWhenEquallyIdle, ForkTieLeastUtil,
               ForkBurstSpreads, ForkWorkConserving, AffinityRespected, SpawnStaysLocal,
               SumAverageFloor, PeltSplitAdditive, PeltBounds, SpareWithinAffinity,
               NoReschedWithoutFairPeer, SliceEndReschedules, HNrRunnableExact, NrRunningExact,
               SomeoneEligible, LagWithinClamp, DelayedNeverRuns, YieldProgress, ContributionLeaves,
               GroupSharesBounded, UtilEstInsensitiveToWaiting, ReweightKeepsLag,
               CfsUtilWithinCapacity, FairNeverStarves, RtFirst, DelayedPeerLeaves, ReferenceTracks,
               SumsFollowAverages, ZeroSumLag, PicksEarliestEligible, EqualTasksShare,
               ChildStartsWithHalfASlice>;
inline constexpr std::size_t kPropertyCount = std::tuple_size_v<AllProperties>;

/// A set of properties by their position in AllProperties.
using PropertySet = std::uint64_t;
inline constexpr PropertySet kEveryProperty = (PropertySet{1} << kPropertyCount) - 1;

/// Position of a property type.
template <class P, std::size_t kI = 0>
constexpr std::size_t position_of() {
  if constexpr (std::is_same_v<P, std::tuple_element_t<kI, AllProperties>>) {
    return kI;
  } else {
    return position_of<P, kI + 1>();
  }
}

/// Calls f(index, property) for each property type.
template <class F>
constexpr void for_each_property(F&& f) {
  [&]<std::size_t... kI>(std::index_sequence<kI...>) {
    (f(kI, std::tuple_element_t<kI, AllProperties>{}), ...);
  }
  (std::make_index_sequence<kPropertyCount>{});
}

/// Those about task groups or what only changes them: judged where groups are.
inline constexpr PropertySet kGroupProperties = [] {
  PropertySet set = 0;
  for_each_property([&]<class P>(std::size_t i, P) {
    if constexpr (requires { P::kNeedsGroups; }) set |= PropertySet{1} << i;
  });
  return set;
}();

/// Those about the pick of v6.6 and later, or what it leads to.
inline constexpr PropertySet kEevdfProperties = [] {
  PropertySet set = 0;
  for_each_property([&]<class P>(std::size_t i, P) {
    if constexpr (requires { P::kNeedsEevdf; }) set |= PropertySet{1} << i;
  });
  return set;
}();

/// An Observer (model/step.hpp) whose judgement slots are the properties of `enabled`. With
/// `numbers` set, the native reading also notes the numbers of violated properties.
struct PropertyObserver {
  static constexpr int kJudgements = static_cast<int>(kPropertyCount);
  PropertySet enabled = kEveryProperty;
  std::vector<Numbers>* numbers = nullptr;  ///< One per property.

  template <ValueDomain D>
  void before_event(const Model& model, Machine<D>& m, const Event& event) const {
    if constexpr (!D::kSymbolic)
      if (wants(kSpawnStaysLocal)) watch_spawn_loops_before(m, event);
    for_each_property([&]<class P>(std::size_t i, P) {
      if constexpr (requires { P::template before_event<D>(model, m, event); })
        if (wants(i)) record<P>(m, i, P::template before_event<D>(model, m, event));
    });
  }

  template <ValueDomain D>
  void on_fork(const Model& model, Machine<D>& m, int parent, int child, int this_cpu,
               int chosen) const {
    with_fork_view(model, m, parent, child, this_cpu, chosen, [&](const ForkView<D>& fork) {
      for_each_property([&]<class P>(std::size_t i, P) {
        if constexpr (requires { P::template on_fork<D>(model, m, fork); }) {
          if (!wants(i)) return;
          record<P>(m, i, P::template on_fork<D>(model, m, fork));
          if constexpr (!D::kSymbolic && requires { P::numbers(model, m, fork, (*numbers)[i]); })
            if (numbers != nullptr && m.judged[i].violated)
              P::numbers(model, m, fork, (*numbers)[i]);
        }
      });
    });
    auto& burst = task_of(m, parent).ghost.burst_cpus;
    burst = D::with_bit(burst, chosen);
  }

  template <ValueDomain D>
  void after_event(const Model& model, Machine<D>& m, const Event& event) const {
    if (event.kind == EventKind::kBlock)
      task_of(m, event.task).ghost.burst_cpus = typename D::Mask(0);
    if constexpr (!D::kSymbolic)
      if (wants(kSpawnStaysLocal)) watch_spawn_loops_after(m, event);
    for_each_property([&]<class P>(std::size_t i, P) {
      if constexpr (requires { P::template after_event<D>(model, m, event); }) {
        if (!wants(i)) return;
        record<P>(m, i, P::template after_event<D>(model, m, event));
        if constexpr (!D::kSymbolic && requires { P::numbers(model, m, (*numbers)[i]); })
          if (numbers != nullptr && m.judged[i].violated) P::numbers(model, m, (*numbers)[i]);
      }
    });
  }

 private:
  static constexpr std::size_t kSpawnStaysLocal = position_of<SpawnStaysLocal>();
  [[nodiscard]] bool wants(std::size_t i) const { return (enabled >> i & 1) != 0; }

  template <class P, ValueDomain D>
  static void record(Machine<D>& m, std::size_t i, const Judgement<D>& judgement) {
    m.judged[i].relevant = judgement.relevant;
    m.judged[i].violated = judgement.violated;
  }
};

}  // namespace schedcheck
