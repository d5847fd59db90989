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
    const BoolOf<D> relevant = ring.allowed[0] && ring.stats[0].group_type == kHasSpare &&
                               ForkPicksIdleGroup::most_idle<D>(ring) <= ring.stats[0].idle_cpus;
    return judge<D>(relevant, fork.chosen_group() != 0);
  }
};

}  // namespace schedcheck
