// SPDX-License-Identifier: Apache-2.0
/// \file spawn-stays-local
#pragma once

#include "properties/spawn_monitor.hpp"

namespace schedcheck {

struct SpawnStaysLocal {
  static constexpr PropertyInfo kInfo = {
      "spawn-stays-local",
      "With one spawn loop per CPU and nothing else, every child stays on its parent's CPU.",
      "No CPU is free, so sending a child away only makes two tasks queue here and a CPU idle "
      "there.",
      "exit/util regression thread: \"taken much more often\"; kernel-facts 2.5 S3, I-05",
      "scenario: from an empty machine, costs of S3 within 50 % (parent 50 us, fork, parent 10 us, "
      "block, child 100 us, exit step, child 20 us, wake parent, die; a unit of 1024 ns for a us)",
      "exit_move=full, bail_unless_exiting",
      "exit_move=bail_if_same_group, none, attach_keeps_sum=1 (from about fork 376 on)"};
  static bool documented(const Model& model) { return exit_keeps_run_time(model.kernel); }

  template <ValueDomain D>
  static Judgement<D> on_fork(const Model& model, const Machine<D>& m, const ForkView<D>& fork) {
    BoolOf<D> scenario = true;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      scenario = scenario && cpu_rq(m, cpu).ghost.spawn_phase != kSpawnBroken;
    return judge<D>(scenario, BoolOf<D>(fork.chosen != fork.this_cpu));
  }

  static void numbers(const Model& model, const Machine<NativeDomain>& m,
                      const ForkView<NativeDomain>& fork, Numbers& out) {
    out["this_cpu"] = fork.this_cpu;
    out["chosen_cpu"] = fork.chosen;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      out["cpu" + std::to_string(cpu) + ".util"] = cpu_util<NativeDomain>(m, cpu);
  }
};

}  // namespace schedcheck
