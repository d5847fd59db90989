// SPDX-License-Identifier: Apache-2.0
/// \file affinity-respected
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct AffinityRespected {
  static constexpr PropertyInfo kInfo = {
      "affinity-respected",
      "A child is placed on a CPU of its affinity whenever the affinity meets the fork domain.",
      "A task on a forbidden CPU breaks isolation and cpusets.",
      "kernel-facts I-26, A6",
      "the affinity is restricted",
      "every kernel",
      "mutant M-07 (a fork ignores the mask)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  static Judgement<D> on_fork(const Model& model, const Machine<D>& m, const ForkView<D>& fork) {
    const auto& mask = task_of(m, fork.child).cpus_ptr;
    BoolOf<D> restricted = false;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      restricted = restricted || !D::bit(mask, cpu);
    const BoolOf<D> meets = D::intersects(task_of(m, fork.child).cpus_ptr, fork.span());
    return judge<D>(restricted && meets, !D::bit(mask, fork.chosen));
  }
};

}  // namespace schedcheck
