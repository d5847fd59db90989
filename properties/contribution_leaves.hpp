// SPDX-License-Identifier: Apache-2.0
/// \file contribution-leaves
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct ContributionLeaves {
  static constexpr bool kNeedsGroups = true;
  static constexpr PropertyInfo kInfo = {
      "contribution-leaves",
      "A queue of a group that blocked updates no longer visit adds nothing to the group's sum "
      "of loads.",
      "What stays in the sum takes weight from the group on its other CPUs for ever.",
      "ca125231dd29 (case A8)",
      "none",
      "decayed_checks_contrib=1 (v6.19)",
      "decayed_checks_contrib=0 with the limit of one update per ms (v6.7 to v6.18)"};
  static bool documented(const Model& model) {
    return !model.kernel.decayed_checks_contrib && model.kernel.tg_load_avg_ratelimit;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    bool relevant = false;
    bool violated = false;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      for (int g = 1; g < model.nr_groups(); ++g) {
        const GroupCpu<D>& here = group_on(m, g, cpu);
        if (here.on_list || !here.online) continue;
        relevant = true;
        violated = violated || here.cfs_rq.up.tg_load_avg_contrib != 0;
      }
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
