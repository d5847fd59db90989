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
    const IntOf<D> most = most_idle<D>(ring);
    const auto& chosen = ring.stats[static_cast<std::size_t>(fork.chosen_group())];
    const BoolOf<D> relevant =
        ring.allowed[0] && ring.stats[0].group_type == kHasSpare &&
        most > ring.stats[0].idle_cpus &&
        exists_allowed<D>(m, fork.child, fork.span(), kNoTask, [](int) { return BoolOf<D>(true); });
    return judge<D>(relevant, chosen.group_type != kHasSpare || chosen.idle_cpus != most);
  }

  /// The largest number of idle CPUs among remote allowed groups with spare capacity; -1 if none.
  template <ValueDomain D>
  static IntOf<D> most_idle(const GroupRing<D>& ring) {
    IntOf<D> most = -1;
    for (int i = 1; i < ring.size; ++i) {
      const auto& sgs = ring.stats[static_cast<std::size_t>(i)];
      const BoolOf<D> counts =
          ring.allowed[static_cast<std::size_t>(i)] && sgs.group_type == kHasSpare;
      most = D::max(most, D::select(counts, sgs.idle_cpus, IntOf<D>(-1)));
    }
    return most;
  }
};

}  // namespace schedcheck
