// SPDX-License-Identifier: Apache-2.0
/// \file fork-burst-spreads
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct ForkBurstSpreads {
  static constexpr PropertyInfo kInfo = {
      "fork-burst-spreads",
      "No child is placed on an idle CPU that already received a child of this parent since the "
      "parent last blocked, while another allowed idle CPU of the same domain has strictly lower "
      "cpu_util.",
      "Threads created in a burst that block at once are stacked and wait for each other when they "
      "all wake (sysbench threads lost 12 %).",
      "\"update_pick_idlest() Select group with lowest group_util when idle_cpus are equal\", "
      "2020; "
      "kernel-facts I-22",
      "the parent forked before in this burst",
      "v5.9 and later on machines with one level of single-CPU groups",
      "idlest_tiebreak=none (before v5.9), nr_running; every version with groups of several CPUs "
      "(find_dst_group_cpu takes the most recently idled CPU without looking at util)"};
  static bool documented(const Model& model) {
    return model.kernel.idlest_tiebreak != IdlestTiebreak::kUtil || has_wide_groups(model.topology);
  }

  template <ValueDomain D>
  static Judgement<D> on_fork(const Model& /*model*/, const Machine<D>& m,
                              const ForkView<D>& fork) {
    const auto lower = [&](int cpu) {
      return idle_cpu<D>(m, cpu) && cpu_util<D>(m, cpu) < cpu_util<D>(m, fork.chosen);
    };
    const auto& burst = task_of(m, fork.parent).ghost.burst_cpus;
    BoolOf<D> forked_before = false;
    for (CpuMask rest = fork.span(); rest != 0; rest &= rest - 1)
      forked_before = forked_before || D::bit(burst, std::countr_zero(rest));
    return judge<D>(forked_before,
                    idle_cpu<D>(m, fork.chosen) && D::bit(burst, fork.chosen) &&
                        exists_allowed<D>(m, fork.child, fork.span(), fork.chosen, lower));
  }

  static void numbers(const Model& model, const Machine<NativeDomain>& m,
                      const ForkView<NativeDomain>& fork, Numbers& out) {
    out["chosen_cpu"] = fork.chosen;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      if (idle_cpu<NativeDomain>(m, cpu))
        out["idle_cpu" + std::to_string(cpu) + ".util"] = cpu_util<NativeDomain>(m, cpu);
  }
};

}  // namespace schedcheck
