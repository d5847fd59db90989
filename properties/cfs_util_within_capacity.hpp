// SPDX-License-Identifier: Apache-2.0
/// \file cfs-util-within-capacity
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct CfsUtilWithinCapacity {
  static constexpr bool kNeedsGroups = true;
  static constexpr PropertyInfo kInfo = {
      "cfs-util-within-capacity",
      "The util_avg of a CPU's root queue is at most 1024.",
      "It is not, and readers clamp it: forks and migrations add averages.",
      "kernel-facts I-10 (a documented failure)",
      "none",
      "no kernel",
      "every kernel: a fork or a migration adds the task's average to a queue that is full"};
  static bool documented(const Model& /*model*/) { return true; }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    bool violated = false;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      violated = violated || cpu_rq(m, cpu).cfs.avg.util_avg > kCapacity;
    return judge<D>(true, violated);
  }
};

}  // namespace schedcheck
