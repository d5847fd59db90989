// SPDX-License-Identifier: Apache-2.0
/// \file Window rewriting and the exhaustive search, bounded by a number of runs.
#include "counterexamples/minimize_search.hpp"

#include <algorithm>
#include <set>

#include "counterexamples/schedule_cost.hpp"
#include "properties/run_schedule.hpp"

namespace schedcheck {

namespace {

std::set<std::int64_t> times_of(const Schedule& schedule) {
  std::set<std::int64_t> times = {0, 47 * kNsPerUnit};
  for (const Event& event : schedule.events) {
    times.insert(event.after_ns);
    times.insert(event.duration_ns);
  }
  return times;
}

/// Exits that run on after the exit step, wake a task, or both.
void add_exits(const Schedule& schedule, const std::set<std::int64_t>& times, std::int64_t after_ns,
               std::vector<Event>& alphabet) {
  for (int task = 0; task < schedule.max_tasks; ++task)
    for (int wakes = -1; wakes < schedule.max_tasks; ++wakes)
      for (const std::int64_t duration : times)
        if (wakes != task && (wakes >= 0 || duration > 0))
          alphabet.push_back({.kind = EventKind::kExit,
                              .task = task,
                              .wakes = wakes,
                              .duration_ns = duration,
                              .after_ns = after_ns});
}

/// Affinity masks only as far as the schedule uses them already.
void add_affinities(const Schedule& schedule, const std::set<std::int64_t>& times,
                    std::vector<Event>& alphabet) {
  std::set<CpuMask> masks;
  for (const Event& event : schedule.events)
    if (event.kind == EventKind::kSetAffinity) masks.insert(event.cpus);
  for (const CpuMask cpus : masks)
    for (const std::int64_t after_ns : times)
      for (int task = 0; task < schedule.max_tasks; ++task) {
        Event event{.kind = EventKind::kSetAffinity, .task = task, .after_ns = after_ns};
        event.cpus = cpus;
        alphabet.push_back(event);
      }
}

}  // namespace

std::vector<Event> search_alphabet(const Schedule& schedule, Alphabet which) {
  const std::set<std::int64_t> times =
      which == Alphabet::kPlain ? std::set<std::int64_t>{0} : times_of(schedule);
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
    if (which == Alphabet::kWhole) add_exits(schedule, times, time, alphabet);
  }
  if (which == Alphabet::kWhole) {
    add_affinities(schedule, times, alphabet);
  }
  for (const Event& event : schedule.events)
    if (event.kind > EventKind::kUpdateBlocked ||
        (which == Alphabet::kPlain && event.kind == EventKind::kSetAffinity))
      alphabet.push_back(event);
  return alphabet;
}

bool ShorterSearch::pay(const Schedule& schedule) {
  constexpr std::int64_t kEventsPerRun = 64;  // Of an ordinary run; ticks count as events.
  if (options_.stop && options_.stop()) runs_left_ = 0;
  if (runs_left_ <= 0) return false;
  ++report_.runs;
  runs_left_ -= 1 + run_cost(schedule) / kEventsPerRun;
  return true;
}

std::optional<Schedule> ShorterSearch::try_window(const Schedule& schedule, std::size_t at,
                                                  std::size_t removed, std::size_t inserted,
                                                  const std::vector<Event>& alphabet) {
  const std::size_t choices = inserted == 1 ? alphabet.size() : alphabet.size() * alphabet.size();
  for (std::size_t i = 0; i < choices; ++i) {
    Schedule candidate = schedule;
    const auto begin = candidate.events.begin() + static_cast<std::ptrdiff_t>(at);
    const std::int64_t time = begin->after_ns;
    candidate.events.erase(begin, begin + static_cast<std::ptrdiff_t>(removed));
    std::vector<Event> fresh = {alphabet[i % alphabet.size()]};
    if (inserted == 2) fresh.push_back(alphabet[i / alphabet.size()]);
    if (fresh[0].after_ns == 0) fresh[0].after_ns = time;
    candidate.events.insert(candidate.events.begin() + static_cast<std::ptrdiff_t>(at),
                            fresh.begin(), fresh.end());
    if (!pay(candidate)) return std::nullopt;
    if (still_fails_(candidate) != 0) return candidate;
  }
  return std::nullopt;
}

std::optional<Schedule> ShorterSearch::rewrite_windows(const Schedule& schedule) {
  constexpr std::size_t kLongest =
      40;  // Longer schedules are scenarios: windows do not shorten them.
  if (schedule.events.size() > kLongest) return std::nullopt;
  const std::vector<Event> alphabet = search_alphabet(schedule, Alphabet::kPlain);
  for (std::size_t removed = 2; removed <= 3; ++removed)
    for (std::size_t at = 0; at + removed <= schedule.events.size(); ++at)
      if (auto found = try_window(schedule, at, removed, removed - 1, alphabet)) return found;
  return std::nullopt;
}

/// Depth-first over enabled events only: a disabled event cuts its whole subtree. False also when
/// the runs are used up.
bool ShorterSearch::extend(const Model& model, Schedule& prefix, std::size_t length,
                           const std::vector<Event>& alphabet) {
  if (!pay(prefix)) return false;
  if (prefix.events.size() == length) return still_fails_(prefix) != 0;
  const RunResult here = run_schedule(model, prefix, 0);
  if (here.skipped > 0) return false;
  for (const Event& event : alphabet) {
    if (runs_left_ <= 0) return false;
    if (event.after_ns == 0 && !enabled<NativeDomain>(model, here.machine, event)) continue;
    prefix.events.push_back(event);
    if (extend(model, prefix, length, alphabet)) return true;
    prefix.events.pop_back();
  }
  return false;
}

std::optional<Schedule> ShorterSearch::all_shorter(const Schedule& schedule) {
  constexpr std::size_t kLongest = 12;  // To certify, the runs alone decide.
  report_ = {};
  if (schedule.events.size() > kLongest && !options_.certify) return std::nullopt;
  const std::vector<Event> alphabet =
      search_alphabet(schedule, options_.certify ? Alphabet::kWhole : Alphabet::kTimed);
  report_.alphabet = alphabet.size();
  const Model model = make_model(schedule);
  for (std::size_t length = 1; length < schedule.events.size(); ++length) {
    Schedule prefix = schedule;
    prefix.events.clear();
    if (extend(model, prefix, length, alphabet)) return prefix;
    if (runs_left_ <= 0) return std::nullopt;
    report_.tried_up_to = length;
  }
  report_.exhausted = true;
  return std::nullopt;
}

}  // namespace schedcheck
