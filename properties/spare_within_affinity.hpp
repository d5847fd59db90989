// SPDX-License-Identifier: Apache-2.0
/// \file spare-within-affinity
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct SpareWithinAffinity {
  static constexpr PropertyInfo kInfo = {
      "spare-within-affinity",
      "A group that counts as has_spare for a restricted child has spare capacity on the CPUs that "
      "the child may use: classed by these alone, with their number as weight and their capacity, "
      "it is has_spare too.",
      "A pinned child is sent to, or kept in, a group where every CPU it may use is full.",
      "kernel-facts I-26: the sums cover the allowed CPUs, weight and capacity the whole group",
      "highest fork domain; the child may use at least two CPUs, not all",
      "machines whose groups are single CPUs",
      "every version with groups of several CPUs: fork_stats_scope=affinity compares sums of few "
      "CPUs with the weight of all, fork_stats_scope=group counts the idleness of forbidden CPUs"};
  static bool documented(const Model& model) { return has_wide_groups(model.topology); }

  template <ValueDomain D>
  static Judgement<D> on_fork(const Model& model, const Machine<D>& m, const ForkView<D>& fork) {
    if (fork.top == nullptr) return not_relevant<D>();
    const CpuMask all = model.topology.all;
    const IntOf<D> usable = D::count(task_of(m, fork.child).cpus_ptr, all);
    const BoolOf<D> restricted = usable > 1 && usable < std::popcount(all);
    if constexpr (!D::kSymbolic)
      if (!restricted) return not_relevant<D>();
    BoolOf<D> spare = false;
    BoolOf<D> only_forbidden = false;
    for (int i = 0; i < fork.ring->size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const BoolOf<D> counts =
          restricted && fork.ring->allowed[at] && fork.ring->stats[at].group_type == kHasSpare;
      spare = spare || counts;
      only_forbidden =
          only_forbidden ||
          (counts && usable_part<D>(m, fork, fork.top->groups[at]).group_type != kHasSpare);
    }
    return judge<D>(spare, only_forbidden);
  }

  static void numbers(const Model& /*model*/, const Machine<NativeDomain>& m,
                      const ForkView<NativeDomain>& fork, Numbers& out) {
    for (int i = 0; i < fork.ring->size; ++i) {
      const CpuMask group = fork.top->groups[static_cast<std::size_t>(i)];
      const auto& whole = fork.ring->stats[static_cast<std::size_t>(i)];
      const SgLbStats<NativeDomain> part = usable_part<NativeDomain>(m, fork, group);
      const std::string name = "group" + std::to_string(std::countr_zero(group)) + ".";
      out[name + "type"] = whole.group_type;
      out[name + "weight"] = whole.group_weight;
      out[name + "usable_type"] = part.group_type;
      out[name + "usable_weight"] = part.group_weight;
      out[name + "usable_nr_running"] = part.sum_nr_running;
      out[name + "usable_util"] = part.group_util;
    }
  }

 private:
  /// The group as if it had the child's CPUs only.
  template <ValueDomain D>
  static SgLbStats<D> usable_part(const Machine<D>& m, const ForkView<D>& fork, CpuMask group) {
    const auto& cpus = task_of(m, fork.child).cpus_ptr;
    SgLbStats<D> part{};
    for (CpuMask rest = group; rest != 0; rest &= rest - 1) {
      const int cpu = std::countr_zero(rest);
      D::join(
          [&] {
            if (D::bit(cpus, cpu)) add_cpu_stats<D>(part, m, cpu, fork.child);
          },
          part);
    }
    classify_group<D>(fork.top->imbalance_pct, D::count(cpus, group), part);
    return part;
  }
};

}  // namespace schedcheck
