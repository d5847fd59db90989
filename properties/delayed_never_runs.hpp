// SPDX-License-Identifier: Apache-2.0
/// \file delayed-never-runs
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct DelayedNeverRuns {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "delayed-never-runs",
      "A delayed entity is queued and not running; a delayed task sleeps.",
      "What waits for its lag to run out must not get the CPU.",
      "kernel-facts I-50",
      "after the event, when reschedules are served",
      "every kernel",
      "mutant M-14 (a delayed task is picked as it is)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    bool relevant = false;
    bool violated = false;
    const auto look = [&](EntityRef e, bool awake) {
      const SchedEntity<D>& se = se_of(m, e);
      if (!se.sched_delayed) return;
      relevant = true;
      violated = violated || awake || !se.on_rq || cfs_rq_of(m, e).curr == e.entity;
    };
    for (int p = 0; p < m.nr_tasks; ++p) {
      const auto cpu = static_cast<int>(task_of(m, p).cpu);
      look(task_entity<D>(model, m, cpu, p), task_of(m, p).state == kRunnable);
    }
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      for (int g = 1; g < model.nr_groups(); ++g) look(group_entity(model, cpu, g), false);
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
