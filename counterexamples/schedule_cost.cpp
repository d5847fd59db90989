// SPDX-License-Identifier: Apache-2.0
/// \file Counting events, ticks and task numbers.
#include "counterexamples/schedule_cost.hpp"

#include <algorithm>

namespace schedcheck {

int count_events(const Schedule& schedule, EventKind kind) {
  std::ptrdiff_t number = 0;
  for (const auto* events : {&schedule.preamble, &schedule.events})
    number += std::count_if(events->begin(), events->end(),
                            [kind](const Event& e) { return e.kind == kind; });
  return static_cast<int>(number);
}

int task_numbers(const Schedule& schedule) {
  const auto numbers =
      static_cast<std::int64_t>(schedule.tasks.size()) + count_events(schedule, EventKind::kFork);
  std::int64_t named = 0;
  for (const auto* events : {&schedule.preamble, &schedule.events}) {
    for (const Event& event : *events) {
      named = std::max({named, std::int64_t{event.task} + 1, std::int64_t{event.wakes} + 1});
    }
  }
  return static_cast<int>(
      std::clamp<std::int64_t>(std::max(numbers, named), 1, schedule.max_tasks));
}

std::int64_t run_cost(const Schedule& schedule) {
  constexpr std::int64_t kSmall = 128;  // Tasks beyond that make every event slower.
  std::int64_t cost = 1;
  std::int64_t time_ns = 0;
  for (const auto* events : {&schedule.preamble, &schedule.events}) {
    cost += static_cast<std::int64_t>(events->size());
    for (const Event& event : *events) time_ns += event.after_ns + event.duration_ns;
  }
  if (schedule.tick_ns > 0) cost += time_ns / schedule.tick_ns;
  return cost * (1 + task_numbers(schedule) / kSmall);
}

std::optional<BeyondWork> beyond_work(const Schedule& schedule, int nr_cpus, std::int64_t limit) {
  const std::int64_t all_tasks = task_numbers(schedule);
  const std::int64_t groups =
      static_cast<std::int64_t>(schedule.groups.size()) + schedule.max_sessions;
  const std::int64_t busy_cpus = std::min<std::int64_t>(nr_cpus, all_tasks);
  auto tasks = static_cast<std::int64_t>(schedule.tasks.size());
  std::int64_t time_ns = 0;
  std::int64_t event_work = 0;
  BeyondWork at;
  for (const auto* events : {&schedule.preamble, &schedule.events}) {
    at.in_preamble = events == &schedule.preamble;
    for (at.index = 0; at.index < events->size(); ++at.index) {
      const Event& event = (*events)[at.index];
      ++at.nr_events;
      time_ns += event.after_ns + event.duration_ns;
      if (event.kind == EventKind::kFork) tasks = std::min(tasks + 1, all_tasks);
      event_work += 256 + 2 * all_tasks + nr_cpus * (tasks + 8 * groups);
      at.ticks = schedule.tick_ns > 0 ? time_ns / schedule.tick_ns : 0;
      // Bounded first: 10^13 ticks of all tasks would not fit.
      const std::int64_t tick_work =
          std::min(at.ticks, limit) * busy_cpus * (64 + 2 * all_tasks + 8 * groups);
      if (event_work + tick_work > limit) return at;
    }
  }
  return std::nullopt;
}

}  // namespace schedcheck
