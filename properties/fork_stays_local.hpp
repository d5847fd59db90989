// SPDX-License-Identifier: Apache-2.0
/// \file fork-stays-local-when-equally-idle
#pragma once

#include "properties/fork_picks_idle_group.hpp"

namespace schedcheck {

struct ForkStaysLocalWhenEquallyIdle {
  static constexpr PropertyInfo kInfo = {
      "fork-stays-local-when-equally-idle",
      "If the local group has spare capacity and no remote group with spare capacity has more idle "
      "CPUs, the child stays in the local group.",
      "Leaving without need costs cache and a wakeup.",
      "kernel-facts 3.6, I-21",
      "highest fork domain; the local group has an allowed CPU",
      "every kernel",
      "mutant M-06 (equal numbers go remote)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  static Judgement<D> on_fork(const Model& /*model*/, const Machine<D>& /*m*/,
                              const ForkView<D>& fork) {
    if (fork.top == nullptr) return not_relevant<D>();
    const GroupRing<D>& ring = *fork.ring;
    return judge_groups<D>(ring.stats[0], ring.allowed[0], ForkPicksIdleGroup::most_idle<D>(ring),
                           fork.chosen_group() != 0);
  }

  /// `leaves`: the child leaves the local group. `most`: see ForkPicksIdleGroup::most_idle.
  template <ValueDomain D>
  static Judgement<D> judge_groups(const SgLbStats<D>& local, const BoolOf<D>& local_allowed,
                                   const IntOf<D>& most, const BoolOf<D>& leaves) {
    return judge<D>(local_allowed && local.group_type == kHasSpare && most <= local.idle_cpus,
                    leaves);
  }
};

}  // namespace schedcheck
