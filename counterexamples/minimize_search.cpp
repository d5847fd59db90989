// SPDX-License-Identifier: Apache-2.0
/// \file Window rewriting and the exhaustive search, bounded by a number of runs.
#include "counterexamples/minimize_search.hpp"

#include <algorithm>
#include <set>

#include "properties/run_schedule.hpp"

namespace schedcheck {

std::vector<Event> search_alphabet(const Schedule& schedule, bool with_times) {
  std::set<std::int64_t> times = {0};
  if (with_times) {
    times.insert(47 * kNsPerUnit);
    for (const Event& event : schedule.events) {
      times.insert(event.after_ns);
      times.insert(event.duration_ns);
    }
  }
  const Model model = make_model(schedule);
  std::vector<Event> alphabet;
  for (const std::int64_t time : times) {
    for (int task = 0; task < schedule.max_tasks; ++task) {
      for (const EventKind kind :
           {EventKind::kFork, EventKind::kBlock, EventKind::kExit, EventKind::kWake})
        alphabet.push_back({.kind = kind, .task = task, .after_ns = time});
    }
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      alphabet.push_back({.kind = EventKind::kUpdateBlocked, .cpu = cpu, .after_ns = time});
    if (time > 0) alphabet.push_back({.kind = EventKind::kRun, .duration_ns = time});
  }
  // Affinity masks only as far as the schedule uses them already.
  for (const Event& event : schedule.events)
    if (event.kind == EventKind::kSetAffinity) alphabet.push_back(event);
  return alphabet;
}

std::optional<Schedule> ShorterSearch::try_window(const Schedule& schedule, std::size_t at,
                                                  std::size_t removed, std::size_t inserted,
                                                  const std::vector<Event>& alphabet) {
  const std::size_t choices = inserted == 1 ? alphabet.size() : alphabet.size() * alphabet.size();
  for (std::size_t i = 0; i < choices; ++i) {
    if (runs_left_-- <= 0) return std::nullopt;
    Schedule candidate = schedule;
    const auto begin = candidate.events.begin() + static_cast<std::ptrdiff_t>(at);
    const std::int64_t time = begin->after_ns;
    candidate.events.erase(begin, begin + static_cast<std::ptrdiff_t>(removed));
    std::vector<Event> fresh = {alphabet[i % alphabet.size()]};
    if (inserted == 2) fresh.push_back(alphabet[i / alphabet.size()]);
    if (fresh[0].after_ns == 0) fresh[0].after_ns = time;
    candidate.events.insert(candidate.events.begin() + static_cast<std::ptrdiff_t>(at),
                            fresh.begin(), fresh.end());
    if (still_fails_(candidate) != 0) return candidate;
  }
  return std::nullopt;
}

std::optional<Schedule> ShorterSearch::rewrite_windows(const Schedule& schedule) {
  constexpr std::size_t kLongest =
      40;  // Longer schedules are scenarios: windows do not shorten them.
  if (schedule.events.size() > kLongest) return std::nullopt;
  const std::vector<Event> alphabet = search_alphabet(schedule, false);
  for (std::size_t removed = 2; removed <= 3; ++removed)
    for (std::size_t at = 0; at + removed <= schedule.events.size(); ++at)
      if (auto found = try_window(schedule, at, removed, removed - 1, alphabet)) return found;
  return std::nullopt;
}

/// Depth-first over enabled events only: a disabled event cuts its whole subtree.
bool ShorterSearch::extend(Schedule& prefix, std::size_t length,
                           const std::vector<Event>& alphabet) {
  if (prefix.events.size() == length) {
    --runs_left_;
    return still_fails_(prefix) != 0;
  }
  const Model model = make_model(prefix);
  const RunResult here = run_schedule(model, prefix, 0);
  for (const Event& event : alphabet) {
    if (runs_left_ <= 0) return false;
    if (event.after_ns == 0 && !enabled<NativeDomain>(model, here.machine, event)) continue;
    prefix.events.push_back(event);
    if (extend(prefix, length, alphabet)) return true;
    prefix.events.pop_back();
  }
  return false;
}

std::optional<Schedule> ShorterSearch::all_shorter(const Schedule& schedule) {
  constexpr std::size_t kLongest = 12;
  if (schedule.events.size() > kLongest) return std::nullopt;
  const std::vector<Event> alphabet = search_alphabet(schedule, true);
  for (std::size_t length = 1; length < schedule.events.size(); ++length) {
    Schedule prefix = schedule;
    prefix.events.clear();
    if (extend(prefix, length, alphabet)) {
      exhausted_ = true;  // Every length below was tried.
      return prefix;
    }
    if (runs_left_ <= 0) return std::nullopt;
  }
  exhausted_ = true;
  return std::nullopt;
}

}  // namespace schedcheck
