// SPDX-License-Identifier: Apache-2.0
/// \file Alphabets, in the order of kinds: the search reports the first of equally short schedules.
#include "solver/explore/event_universe.hpp"

#include <algorithm>

namespace schedcheck {
namespace {

void add_affinities(const Topology& topology, int task, std::vector<Event>& alphabet) {
  for (int cpu = -1; cpu < topology.nr_cpus; ++cpu) {
    if (cpu >= 0 && topology.nr_cpus == 1) continue;
    Event event{.kind = EventKind::kSetAffinity, .task = task};
    event.cpus = cpu < 0 ? topology.all : CpuMask{1} << cpu;
    alphabet.push_back(event);
  }
}

void add_exits(const EventUniverse& universe, int task, int max_tasks,
               std::vector<Event>& alphabet) {
  std::vector<std::int64_t> durations = universe.durations_ns;
  durations.insert(durations.begin(), 0);
  for (const std::int64_t duration : durations)
    for (int wakes = -1; wakes < max_tasks; ++wakes)
      if (wakes != task)
        alphabet.push_back(
            {.kind = EventKind::kExit, .task = task, .wakes = wakes, .duration_ns = duration});
}

}  // namespace

std::vector<Event> explore_alphabet(const Schedule& start, const EventUniverse& universe) {
  const Topology topology = make_model(start).topology;
  std::vector<Event> alphabet;
  for (const EventKind kind : universe.kinds) {
    if (kind == EventKind::kRun) {
      for (const std::int64_t duration : universe.durations_ns)
        alphabet.push_back({.kind = kind, .duration_ns = duration});
    } else if (kind == EventKind::kUpdateBlocked) {
      for (int cpu = 0; cpu < topology.nr_cpus; ++cpu)
        alphabet.push_back({.kind = kind, .cpu = cpu});
    } else {
      for (int task = 0; task < start.max_tasks; ++task) {
        if (kind == EventKind::kExit) {
          add_exits(universe, task, start.max_tasks, alphabet);
        } else if (kind == EventKind::kSetAffinity) {
          add_affinities(topology, task, alphabet);
        } else {
          alphabet.push_back({.kind = kind, .task = task});
        }
      }
    }
  }
  return alphabet;
}

std::vector<Event> closed_under_tasks(std::vector<Event> alphabet, int max_tasks) {
  const std::size_t given = alphabet.size();
  const auto add = [&](const Event& event) {
    if (std::find(alphabet.begin(), alphabet.end(), event) == alphabet.end())
      alphabet.push_back(event);
  };
  for (std::size_t i = 0; i < given; ++i) {
    const Event event = alphabet[i];
    if (!has_task(event.kind)) continue;
    for (int task = 0; task < max_tasks; ++task)
      for (int wakes = 0; wakes < (event.wakes < 0 ? 1 : max_tasks); ++wakes) {
        Event copy = event;
        copy.task = task;
        if (event.wakes >= 0) copy.wakes = wakes;
        if (copy.wakes != task) add(copy);
      }
  }
  return alphabet;
}

}  // namespace schedcheck
