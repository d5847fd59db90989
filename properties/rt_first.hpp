// SPDX-License-Identifier: Apache-2.0
/// \file rt-first
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct RtFirst {
  static constexpr bool kNeedsGroups = true;
  static constexpr PropertyInfo kInfo = {
      "rt-first",
      "While an RT task is queued on a CPU and not throttled, the CPU runs one of the highest "
      "priority queued there, except while the fair server runs fair tasks.",
      "Latency of RT tasks is what the class is for.",
      "kernel-facts I-56",
      "after the event, when reschedules are served",
      "every kernel",
      "mutant M-16 (an RT wakeup does not preempt)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    bool relevant = false;
    bool violated = false;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu) {
      const int first = pick_task_rt<D>(m, cpu);
      if (first == kNoTask || cpu_rq(m, cpu).server.queued) continue;
      relevant = true;
      const auto curr = static_cast<int>(cpu_rq(m, cpu).curr);
      violated = violated || curr == kNoTask ||
                 task_of(m, curr).rt_priority < task_of(m, first).rt_priority;
    }
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
