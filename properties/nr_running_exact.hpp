// SPDX-License-Identifier: Apache-2.0
/// \file nr-running-exact
#pragma once

#include <array>

#include "properties/property.hpp"

namespace schedcheck {

struct NrRunningExact {
  static constexpr bool kNeedsGroups = true;
  static constexpr PropertyInfo kInfo = {
      "nr-running-exact",
      "A CPU's nr_running is the number of tasks queued there, delayed ones included and "
      "throttled RT tasks not.",
      "Placement, balancing and the slice end read it.",
      "kernel-facts I-16",
      "none",
      "every kernel",
      "mutant M-11 (a dequeue forgets it)"};
  static bool documented(const Model& /*model*/) { return false; }

  static bool throttled(const Machine<NativeDomain>& m, int p) {
    return cpu_rq(m, static_cast<int>(task_of(m, p).cpu)).rt_throttled;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    std::array<std::int64_t, kMaxCpus> queued{};
    for (int p = 0; p < m.nr_tasks; ++p)
      if (task_of(m, p).on_rq || (task_of(m, p).rt_queued && !throttled(m, p)))
        ++queued[static_cast<std::size_t>(task_of(m, p).cpu)];
    bool wrong = false;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      wrong = wrong || cpu_rq(m, cpu).nr_running != queued[static_cast<std::size_t>(cpu)];
    return judge<D>(true, wrong);
  }
};

}  // namespace schedcheck
