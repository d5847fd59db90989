// SPDX-License-Identifier: Apache-2.0
/// \file fork-picks-idle-group
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct ForkPicksIdleGroup {
  static constexpr PropertyInfo kInfo = {
      "fork-picks-idle-group",
      "If the local group and some remote group with more idle CPUs both have spare capacity, the "
      "child goes to a group with spare capacity and the largest number of idle CPUs.",
      "Idle groups get chosen on fork: the purpose of the slow path.",
      "kernel-facts 3.5, 3.6, I-20",
      "highest fork domain, not NUMA",
      "every kernel",
      "mutant M-05 (fewer idle CPUs win)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  static Judgement<D> on_fork(const Model& /*model*/, const Machine<D>& m,
                              const ForkView<D>& fork) {
    if (fork.top == nullptr || fork.top->numa) return not_relevant<D>();
    const GroupRing<D>& ring = *fork.ring;
    const auto& chosen = ring.stats[static_cast<std::size_t>(fork.chosen_group())];
    const Judgement<D> claim =
        judge_groups<D>(ring.stats[0], ring.allowed[0], chosen, most_idle<D>(ring));
    const BoolOf<D> movable =
        exists_allowed<D>(m, fork.child, fork.span(), kNoTask, [](int) { return BoolOf<D>(true); });
    return judge<D>(claim.relevant && movable, claim.violated);
  }

  /// The claim about the chosen group, which may be the local one. `most`: see most_idle.
  template <ValueDomain D>
  static Judgement<D> judge_groups(const SgLbStats<D>& local, const BoolOf<D>& local_allowed,
                                   const SgLbStats<D>& chosen, const IntOf<D>& most) {
    return judge<D>(local_allowed && local.group_type == kHasSpare && most > local.idle_cpus,
                    chosen.group_type != kHasSpare || chosen.idle_cpus != most);
  }

  /// The largest number of idle CPUs among remote allowed groups with spare capacity; -1 if none.
  template <ValueDomain D>
  static IntOf<D> most_idle(const GroupRing<D>& ring) {
    IntOf<D> most = -1;
    for (int i = 1; i < ring.size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      most = most_idle_with<D>(most, ring.stats[at], ring.allowed[at]);
    }
    return most;
  }

  /// The same for one more remote group.
  template <ValueDomain D>
  static IntOf<D> most_idle_with(const IntOf<D>& most, const SgLbStats<D>& sgs,
                                 const BoolOf<D>& allowed) {
    const BoolOf<D> counts = allowed && sgs.group_type == kHasSpare;
    return D::max(most, D::select(counts, sgs.idle_cpus, IntOf<D>(-1)));
  }
};

}  // namespace schedcheck
