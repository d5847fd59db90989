// SPDX-License-Identifier: Apache-2.0
/// \file h-nr-runnable-exact
#pragma once

#include <array>

#include "properties/property.hpp"

namespace schedcheck {

struct HNrRunnableExact {
  static constexpr bool kNeedsGroups = true;
  static constexpr PropertyInfo kInfo = {
      "h-nr-runnable-exact",
      "On every queue nr_queued is the number of its entities, h_nr_queued the number of queued "
      "tasks below it, and h_nr_runnable the number of those that do not sleep.",
      "A count that is too low hides work from the balancer and the averages, and goes below "
      "zero.",
      "kernel-facts I-15; 3429dd57f0de (hackbench in a cgroup tripped the kernel's own warning)",
      "none",
      "every released kernel",
      "delayed_counts_group_entities=1 (6.13-rc)"};
  static bool documented(const Model& model) { return model.kernel.delayed_counts_group_entities; }

  /// Entities, tasks and runnable tasks of one queue, counted anew.
  struct Counts {
    std::int64_t entities = 0, tasks = 0, runnable = 0;
  };
  static std::array<Counts, kMaxTaskGroups + 1> count(const Model& model,
                                                      const Machine<NativeDomain>& m, int cpu) {
    std::array<Counts, kMaxTaskGroups + 1> counts{};
    const auto of = [&](int group) -> Counts& { return counts[static_cast<std::size_t>(group)]; };
    for (int p = 0; p < m.nr_tasks; ++p) {
      const Task<NativeDomain>& task = task_of(m, p);
      if (!task.on_rq || task.cpu != cpu) continue;
      const EntityRef e = task_entity<NativeDomain>(model, m, cpu, p);
      ++of(e.group).entities;
      for_each_sched_entity(model, e, [&](EntityRef level) {
        ++of(level.group).tasks;
        if (!task.sched_delayed) ++of(level.group).runnable;
      });
    }
    for (int g = 1; g < model.nr_groups(); ++g)
      if (group_on(m, g, cpu).se.on_rq)
        ++of(model.group_parent[static_cast<std::size_t>(g)]).entities;
    return counts;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    bool wrong = false;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu) {
      const auto counts = count(model, m, cpu);
      for (int g = 0; g < model.nr_groups(); ++g) {
        const CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, g);
        const Counts& real = counts[static_cast<std::size_t>(g)];
        wrong = wrong || cfs_rq.nr_queued != real.entities || cfs_rq.h_nr_queued != real.tasks ||
                cfs_rq.h_nr_runnable != real.runnable;
      }
    }
    return judge<D>(true, wrong);
  }
};

}  // namespace schedcheck
