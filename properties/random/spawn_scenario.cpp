// SPDX-License-Identifier: Apache-2.0
/// \file The spawn loops of all CPUs, interleaved. "fork, run on, block" and "exit step, run on,
/// die" are not interrupted by other CPUs' loops, so their costs stay in range; the long phases
/// absorb it.
#include "properties/random/spawn_scenario.hpp"

#include <algorithm>

#include "properties/random/dice.hpp"

namespace schedcheck {
namespace {

struct Loop {
  int parent = 0;
  int child = -1;
  std::int64_t due = 0;  ///< Units after the start.
  int forks = 0;
};

}  // namespace

void spawn_scenario(const Model& model, const Genome& genome,
                    const std::function<bool(const Event&)>& emit,
                    const std::function<void(const std::vector<InitialTask>&)>& begin) {
  const int nr_cpus = model.topology.nr_cpus;
  Dice dice(genome.size() > 1 ? genome[1] : 0);
  std::vector<InitialTask> tasks(static_cast<std::size_t>(nr_cpus));
  std::vector<Loop> loops(tasks.size());
  for (int cpu = 0; cpu < nr_cpus; ++cpu) {
    tasks[static_cast<std::size_t>(cpu)].cpu = cpu;
    loops[static_cast<std::size_t>(cpu)] = {cpu, -1, dice.roll(30, 70), 0};
  }
  begin(tasks);
  // Some cases are S3 itself, others vary every cost by less than 50 %.
  const std::int64_t spread = dice.roll(0, 2);
  const auto cost = [&](std::int64_t units) {
    return dice.roll(units - units * spread / 6, units + units * spread / 6);
  };
  int next_child = nr_cpus;
  std::int64_t now = 0;
  for (;;) {
    Loop& loop = *std::min_element(loops.begin(), loops.end(),
                                   [](const Loop& a, const Loop& b) { return a.due < b.due; });
    if (loop.forks == kSpawnLoopsMax || next_child >= model.max_tasks) return;
    if (loop.due > now) {
      if (!emit({.kind = EventKind::kRun, .duration_ns = (loop.due - now) * kNsPerUnit})) return;
      now = loop.due;
    }
    if (loop.child < 0) {
      const std::int64_t run_on = cost(10);
      if (!emit({.kind = EventKind::kFork, .task = loop.parent}) ||
          !emit({.kind = EventKind::kRun, .duration_ns = run_on * kNsPerUnit}) ||
          !emit({.kind = EventKind::kBlock, .task = loop.parent}))
        return;
      now += run_on;
      loop.child = next_child++;
      ++loop.forks;
      loop.due = now + cost(100);
    } else {
      const std::int64_t after = cost(20);
      if (!emit({.kind = EventKind::kExit,
                 .task = loop.child,
                 .wakes = loop.parent,
                 .duration_ns = after * kNsPerUnit}))
        return;
      now += after;
      loop.child = -1;
      loop.due = now + cost(50);
    }
  }
}

}  // namespace schedcheck
