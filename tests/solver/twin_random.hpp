// SPDX-License-Identifier: Apache-2.0
/// \file Random schedules, events and choices of the twin tests; one seed fixes all.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "model/schedule.hpp"

namespace schedcheck::twin {

/// Twin tests on the grid keep times at multiples of it, like the queries of the solver.
inline constexpr std::int64_t kGridNs = 65'536;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::int64_t between(std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T, std::size_t kN>
  T pick(const std::array<T, kN>& from) {
    return from[static_cast<std::size_t>(between(0, kN - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

inline Schedule random_start(Dice& dice, const std::string& topology, std::int64_t tick_ns,
                             const std::string& kernel) {
  constexpr std::array<std::int64_t, 4> kWeights = {1024, 1024, 335, 88761};
  Schedule schedule;
  schedule.round_robin = true;
  schedule.topology = topology;
  schedule.tick_ns = tick_ns;
  schedule.kernel = kernel;
  schedule.max_tasks = static_cast<int>(dice.between(3, 5));
  const int nr_cpus = make_model(schedule).topology.nr_cpus;
  schedule.tasks.clear();
  for (std::int64_t i = dice.between(1, 3); i > 0; --i) {
    InitialTask task;
    task.cpu = static_cast<int>(dice.between(0, nr_cpus - 1));
    task.weight = dice.pick(kWeights);
    if (dice.chance(30)) task.cpus = (CpuMask{1} << task.cpu) | CpuMask(dice.between(0, 15));
    if (dice.chance(30)) task.util_avg = dice.between(0, 1024);
    task.blocked = dice.chance(30);
    schedule.tasks.push_back(task);
  }
  return schedule;
}

/// Any event, enabled or not.
inline Event random_event(Dice& dice, const Model& model, bool on_grid) {
  // Forks, exits, blocks and wakes need a task in the right state, so they are drawn more often.
  constexpr std::array<EventKind, 12> kKinds = {
      EventKind::kRun,  EventKind::kRun,         EventKind::kFork,          EventKind::kFork,
      EventKind::kExit, EventKind::kExit,        EventKind::kBlock,         EventKind::kBlock,
      EventKind::kWake, EventKind::kSetAffinity, EventKind::kUpdateBlocked, EventKind::kWake};
  constexpr std::array<std::int64_t, 9> kAnyTime = {
      1, 1000, 65'536, 700'000, 1'048'576, 2'500'000, 4'000'000, 9'000'001, 40'000'000};
  constexpr std::array<std::int64_t, 4> kGridTime = {65'536, 983'040, 1'048'576, 2'097'152};
  const std::int64_t duration_ns = on_grid ? dice.pick(kGridTime) : dice.pick(kAnyTime);
  Event event;
  event.kind = dice.pick(kKinds);
  event.task = static_cast<int>(dice.between(0, model.max_tasks - 1));
  event.cpu = static_cast<int>(dice.between(0, model.topology.nr_cpus - 1));
  event.cpus = CpuMask(dice.between(1, static_cast<std::int64_t>(model.topology.all)));
  if (event.kind == EventKind::kRun) {
    event.duration_ns = duration_ns;
  } else if (event.kind == EventKind::kExit) {
    if (dice.chance(60)) event.duration_ns = on_grid ? duration_ns : duration_ns / 4;
    if (dice.chance(50)) event.wakes = static_cast<int>(dice.between(0, model.max_tasks - 1));
  }
  return event;
}

/// An enabled one, if that takes at most `tries` draws.
inline Event random_enabled_event(Dice& dice, const Model& model, const Machine<NativeDomain>& m,
                                  bool on_grid, int tries) {
  Event event = random_event(dice, model, on_grid);
  while (--tries > 0 && !enabled<NativeDomain>(model, m, event))
    event = random_event(dice, model, on_grid);
  return event;
}

}  // namespace schedcheck::twin
