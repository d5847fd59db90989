// SPDX-License-Identifier: Apache-2.0
/// \file group-shares-bounded
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct GroupSharesBounded {
  static constexpr bool kNeedsGroups = true;
  static constexpr PropertyInfo kInfo = {
      "group-shares-bounded",
      "The weight of a group's entity on each CPU lies within [2, shares] once it was computed.",
      "A weight beyond the shares gives the group more than was bought.",
      "kernel-facts I-67",
      "queues that have tasks: an empty one keeps its weight",
      "every kernel",
      "mutant M-15 (twice the shares)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    bool relevant = false;
    bool violated = false;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      for (int g = 1; g < model.nr_groups(); ++g) {
        const GroupCpu<D>& here = group_on(m, g, cpu);
        if (!here.se.on_rq || here.cfs_rq.load_weight == 0) continue;
        relevant = true;
        violated = violated || here.se.load_weight < 2 ||
                   here.se.load_weight > m.group[static_cast<std::size_t>(g) - 1].shares;
      }
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
