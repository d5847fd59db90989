// SPDX-License-Identifier: Apache-2.0
/// \file fork-work-conserving
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct ForkWorkConserving {
  static constexpr PropertyInfo kInfo = {
      "fork-work-conserving",
      "A child is not queued on a CPU that already has a task while a CPU of its affinity in the "
      "fork domain is idle.",
      "A runnable task waits although a CPU could run it (\"The Linux Scheduler: a Decade of "
      "Wasted "
      "Cores\", Lozi et al., EuroSys 2016).",
      "kernel-facts I-27",
      "the moment of the fork only: load balancing may repair it later",
      "machines whose groups are single CPUs",
      "every version with groups of several CPUs: equal or smaller class keeps the child local "
      "whatever idle CPU a busier group has"};
  static bool documented(const Model& model) { return has_wide_groups(model.topology); }

  template <ValueDomain D>
  static Judgement<D> on_fork(const Model& /*model*/, const Machine<D>& m,
                              const ForkView<D>& fork) {
    const auto idle = [&](int cpu) { return idle_cpu<D>(m, cpu); };
    return judge<D>(exists_allowed<D>(m, fork.child, fork.span(), kNoTask, idle),
                    cpu_rq(m, fork.chosen).nr_running >= 1);
  }

  static void numbers(const Model& model, const Machine<NativeDomain>& m,
                      const ForkView<NativeDomain>& fork, Numbers& out) {
    out["chosen_cpu"] = fork.chosen;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      out["cpu" + std::to_string(cpu) + ".nr_running"] = cpu_rq(m, cpu).nr_running;
    for (int i = 0; fork.top != nullptr && i < fork.ring->size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      out["group" + std::to_string(std::countr_zero(fork.top->groups[at])) + ".type"] =
          fork.ring->stats[at].group_type;
    }
  }
};

}  // namespace schedcheck
