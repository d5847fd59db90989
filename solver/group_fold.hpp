// SPDX-License-Identifier: Apache-2.0
/// \file Proofs about the first decision of a fork for any number of CPUs and groups.
///
/// choose_from_ring is a fold: consider_group once per remote group, then local_or_idlest. A proof
/// is an induction over the ring on these two functions of the model, with a stated invariant over
/// the best group so far and ghosts that summarise the groups seen:
///
///  * statistics (groups of any weight): adding up any number of CPUs with any queues keeps the
///  sums
///    within the bounds that the other obligations assume of a group;
///  * base: the fold's start satisfies the invariant;
///  * step: the invariant and any one group give the invariant after consider_group;
///  * conclusion: the invariant, any local group and local_or_idlest give the property's claim, in
///    the property's own words (judge_groups, comes_first of properties/fork_*.hpp).
///
/// Each is unsatisfiability of one small formula of linear integer arithmetic. "Some group that
/// ties and comes first" is a ghost that remembers any one of the groups seen.
///
/// Proved, for every imbalance_pct of the topologies, any number of groups:
///  * fork-lands-on-idle: groups of one CPU with any queue (every field any value of its range);
///  * fork-picks-idle-group, fork-tie-least-util: groups of any weight up to kMaxGroupWeight and
///  any
///    sums that such a group can have; not NUMA;
///  * fork-stays-local-when-equally-idle: the same, and in NUMA domains with any imb_numa_nr.
///
/// Outside: the loop itself (every position once, statistics of the position handed over); the way
/// from the chosen group to a CPU (the only one of a single-CPU group; find_dst_group_cpu and lower
/// domains stay inside the group otherwise); the shortcuts of select_task_rq_fork for one allowed
/// CPU and of find_dst_cpu for none; that the group at ring position 0 is the parent's; the limits
/// of model/README.md. The intervals of the symbolic domain are trusted, as everywhere in solver/.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "model/kernel_switches.hpp"
#include "solver/proof_obligation.hpp"

namespace schedcheck {

struct FoldProof {
  std::string property;
  bool proved = false;  ///< Every obligation is proved.
  std::vector<ObligationResult> obligations;
  /// Of the first obligation that is not proved. A refuted step is a state of the fold from which
  /// one group breaks the invariant: it need not be reachable.
  std::string counterexample;
};

/// Nothing for properties that are not about the choice of a group. Mutants: active_mutant.
std::optional<FoldProof> prove_for_any_cpu_count(const KernelSwitches& kernel,
                                                 std::size_t property_index);

/// What Spacer says about the same property, without the invariants (spacer.hpp).
struct SpacerOpinion {
  Answer answer = Answer::kUnsatisfiable;  ///< kSatisfiable: some ring breaks the property.
  int queries = 0;                         ///< One for every kind of domain until one does.
  double seconds = 0;                      ///< CPU time.
};

/// `limit`: of a query. Throws std::logic_error where prove_for_any_cpu_count has nothing to say.
SpacerOpinion ask_spacer(const KernelSwitches& kernel, std::size_t property_index,
                         std::chrono::milliseconds limit);

}  // namespace schedcheck
