// SPDX-License-Identifier: Apache-2.0
/// \file The fold of choose_from_ring in the middle of a ring, and free groups to go on with: what
/// the proofs of group_fold.hpp are about.
#pragma once

#include <string>
#include <tuple>

#include "model/placement/find_dst_group.hpp"
#include "solver/proof_obligation.hpp"
#include "solver/z3_domain.hpp"

namespace schedcheck {

/// Bounds that keep every value within 64 bits; nothing else depends on them.
inline constexpr std::int64_t kMaxGroupWeight = 8192;
inline constexpr std::int64_t kMaxRingPosition = (std::int64_t{1} << 31) - 2;

/// The domain whose ring it is.
struct FoldSetting {
  KernelSwitches kernel;
  int imbalance_pct = 117;
  bool single_cpu_groups = false;
  bool numa = false;

  [[nodiscard]] SchedDomain domain() const;
};

inline Z3Bool has_spare(const SgLbStats<Z3Domain>& stats) {
  return stats.group_type == Z3Int(kHasSpare);
}

/// One group of the ring.
struct RingGroup {
  Z3Int position;  ///< 0: the local group.
  Z3Bool allowed;  ///< It has a CPU of the child's affinity.
  Z3Bool idle;     ///< idle_cpu of its CPU; means something for groups of one CPU only.
  SgLbStats<Z3Domain> stats;

  auto fields() { return std::tie(position, allowed, idle, stats); }
};

/// Any statistics at all, each number within the bounds: no relation between them.
SgLbStats<Z3Domain> any_stats(const std::string& name);
/// A group that fold and properties may know nothing about.
RingGroup any_group(const std::string& name, const Z3Int& position);

/// A machine of one CPU and one task.
Model one_cpu_model(const KernelSwitches& kernel);
/// One CPU with any queue whatever and a child that is being forked, which runs nowhere. The child
/// may or may not be allowed here.
Machine<Z3Domain> any_cpu(const Model& model, const std::string& name);

/// The sums of `stats` are within what `cpus` CPUs can yield.
Z3Bool sums_within(const SgLbStats<Z3Domain>& stats, const Z3Int& cpus);

/// A group as update_sg_wakeup_stats may describe it. One CPU: the model's statistics of any_cpu.
/// More: any weight up to kMaxGroupWeight, sums as in sums_within (an obligation of its own says
/// that they are), the model's class; avg_load is free where the group is busy.
RingGroup free_group(const FoldSetting& setting, const std::string& name, const Z3Int& position);

/// The fold when it is `next`'s turn, and ghosts that remember what it has seen. The fold never
/// reads a ghost.
struct FoldState {
  IdlestGroup<Z3Domain> best;
  Z3Int next;        ///< Ring position; positions 1 to next - 1 have been seen.
  RingGroup chosen;  ///< The group at position best.index; anything while there is none.
  RingGroup other;   ///< One of the groups seen, whichever; position 0: none.
  Z3Int most;        ///< ForkPicksIdleGroup::most_idle of the groups seen.
  Z3Bool idle_seen;  ///< Some group seen is one allowed idle CPU.

  auto fields() { return std::tie(best, next, chosen, other, most, idle_seen); }
};

/// Any state of fold and ghosts; invariants make it a sensible one.
FoldState any_fold_state();
/// Before the first group. The ghost of a group that does not exist is anybody's.
FoldState fold_start(const FoldState& anybody);
/// The bounds of any_fold_state hold for `state`: they are part of every invariant. `next` is left
/// out: a ring has at most kMaxRingPosition groups.
Z3Bool within_bounds_of(FoldState any, FoldState state);
/// One turn: consider_group on `group`, whose position is state.next. `remember`: it becomes
/// `other`.
void see_group(const KernelSwitches& kernel, FoldState& state, const RingGroup& group,
               const Z3Bool& remember);

/// For counterexamples that are easy to read: few CPUs, numbers that fit together.
Z3Bool looks_real(const FoldSetting& setting, const SgLbStats<Z3Domain>& stats);

/// "position 3: has_spare, idle CPUs 1, util 17, running 0, weight 1, not allowed".
std::string describe(const Valuation& values, const RingGroup& group);
std::string describe(const Valuation& values, const SgLbStats<Z3Domain>& stats);

}  // namespace schedcheck
