// SPDX-License-Identifier: Apache-2.0
/// \file sum-average-floor
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct SumAverageFloor {
  static constexpr PropertyInfo kInfo = {
      "sum-average-floor",
      "Every signal keeps util_sum >= util_avg x 46718; likewise runnable.",
      "A sum below its average makes the next average jump; the lower bounds of detach and removal "
      "exist for this.",
      "kernel-facts I-11, which also claims it for load: wrong, since attach rounds a task's "
      "load_sum "
      "down to a multiple of its weight (load_avg 1023 at position 0: 1023 x 46718 = 47792514, but "
      "46672 x 1024 = 47792128)",
      "runnable_sum below 2^32 (beyond, the kernel's 32-bit bound cuts it)",
      "every kernel",
      "mutant M-03 (removal without the lower bound)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  static BoolOf<D> below(const SchedAvg<D>& sa) {
    return sa.util_sum < sa.util_avg * kPeltMinDivider ||
           (sa.runnable_sum <= kU32Max && sa.runnable_sum < sa.runnable_avg * kPeltMinDivider);
  }

  template <ValueDomain D>
  static Judgement<D> after_event(const Model& /*model*/, const Machine<D>& m,
                                  const Event& /*event*/) {
    BoolOf<D> violated = false;
    for (const Rq<D>& rq : m.rq) violated = violated || below<D>(rq.cfs.avg);
    for (std::size_t p = 0; p < task_slots(m); ++p)
      violated = violated || (m.task[p].avg.last_update_time != 0 && below<D>(m.task[p].avg));
    return judge<D>(true, violated);
  }

  static void numbers(const Model& model, const Machine<NativeDomain>& m, Numbers& out) {
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu) {
      const std::string at = "cpu" + std::to_string(cpu) + ".";
      out[at + "util_sum"] = cpu_rq(m, cpu).cfs.avg.util_sum;
      out[at + "util_floor"] = cpu_rq(m, cpu).cfs.avg.util_avg * kPeltMinDivider;
    }
  }
};

}  // namespace schedcheck
