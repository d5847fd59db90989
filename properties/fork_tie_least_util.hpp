// SPDX-License-Identifier: Apache-2.0
/// \file fork-tie-least-util
#pragma once

#include "properties/fork_picks_idle_group.hpp"

namespace schedcheck {

struct ForkTieLeastUtil {
  static constexpr PropertyInfo kInfo = {
      "fork-tie-least-util",
      "Among remote groups with spare capacity and the largest number of idle CPUs the child goes "
      "to "
      "the one with the least utilisation, the first in ring order among equals.",
      "Utilisation tells a CPU whose task just went to sleep from one that was idle all along.",
      "\"update_pick_idlest() Select group with lowest group_util when idle_cpus are equal\", "
      "2020; "
      "kernel-facts 3.5, I-23",
      "highest fork domain, not NUMA; the child leaves its group for one with more idle CPUs",
      "v5.9 and later",
      "idlest_tiebreak=none (before v5.9), nr_running"};
  static bool documented(const Model& model) {
    return model.kernel.idlest_tiebreak != IdlestTiebreak::kUtil;
  }

  template <ValueDomain D>
  static Judgement<D> on_fork(const Model& /*model*/, const Machine<D>& /*m*/,
                              const ForkView<D>& fork) {
    if (fork.top == nullptr || fork.top->numa) return not_relevant<D>();
    const GroupRing<D>& ring = *fork.ring;
    const IntOf<D> most = ForkPicksIdleGroup::most_idle<D>(ring);
    const int chosen = fork.chosen_group();
    const auto& mine = ring.stats[static_cast<std::size_t>(chosen)];
    BoolOf<D> better = false;
    for (int i = 1; i < ring.size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      better = better ||
               comes_first<D>(i, ring.stats[at], ring.allowed[at], chosen, mine.group_util, most);
    }
    return judge<D>(relevant<D>(chosen, ring.stats[0], mine, most), better);
  }

  /// The child left its group for remote group `mine` at ring position `chosen`, one of those with
  /// `most` idle CPUs.
  template <ValueDomain D>
  static BoolOf<D> relevant(const IntOf<D>& chosen, const SgLbStats<D>& local,
                            const SgLbStats<D>& mine, const IntOf<D>& most) {
    return chosen != 0 && local.group_type == kHasSpare && mine.group_type == kHasSpare &&
           mine.idle_cpus == most;
  }

  /// Remote group `other` at ring position `i` should have been taken instead.
  template <ValueDomain D>
  static BoolOf<D> comes_first(const IntOf<D>& i, const SgLbStats<D>& other,
                               const BoolOf<D>& allowed, const IntOf<D>& chosen,
                               const IntOf<D>& chosen_util, const IntOf<D>& most) {
    const BoolOf<D> ties = allowed && other.group_type == kHasSpare && other.idle_cpus == most;
    return ties &&
           (other.group_util < chosen_util || (other.group_util == chosen_util && i < chosen));
  }

  static void numbers(const Model& /*model*/, const Machine<NativeDomain>& /*m*/,
                      const ForkView<NativeDomain>& fork, Numbers& out) {
    for (int i = 0; i < fork.ring->size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::string name =
          "group" + std::to_string(std::countr_zero(fork.top->groups[at])) + ".";
      out[name + "util"] = fork.ring->stats[at].group_util;
      out[name + "idle_cpus"] = fork.ring->stats[at].idle_cpus;
    }
    out["chosen_cpu"] = fork.chosen;
  }
};

}  // namespace schedcheck
