// SPDX-License-Identifier: Apache-2.0
/// \file The reduction passes and their order.
#include "counterexamples/minimize.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "counterexamples/minimize_search.hpp"
#include "counterexamples/schedule_cost.hpp"
#include "properties/run_schedule.hpp"

namespace schedcheck {
namespace {

/// A candidate replaces the current schedule if it fails; it is cut after the violation.
class Reducer {
 public:
  Reducer(Schedule schedule, const StillFails& still_fails, const MinimizeOptions& options)
      : current_(std::move(schedule)), still_fails_(still_fails), options_(options) {
    const int event = still_fails_(current_);
    if (event > 0) current_.events.resize(static_cast<std::size_t>(event));
  }

  bool out_of_work() {
    if (options_.stop && options_.stop()) work_left_ = 0;
    return work_left_ <= 0;
  }

  const Schedule& current() const { return current_; }

  bool accept(Schedule candidate) {
    if (out_of_work()) return false;
    work_left_ -= run_cost(candidate);
    const int event = still_fails_(candidate);
    if (event == 0) return false;
    candidate.events.resize(static_cast<std::size_t>(event));
    current_ = std::move(candidate);
    return true;
  }

  /// Delta debugging (Zeller, Hildebrandt, TSE 2002), complements only.
  bool drop_chunks() {
    bool any = false;
    for (std::size_t size = std::max<std::size_t>(current_.events.size() / 2, 1); size >= 1;
         size /= 2) {
      for (std::size_t at = 0; at < current_.events.size();) {
        if (accept(without_events(current_, at, size))) {
          any = true;
        } else {
          at += size;
        }
      }
    }
    return any;
  }

  bool drop_pairs() {
    for (std::size_t i = 0; i + 1 < current_.events.size(); ++i)
      for (std::size_t j = i + 1; j < current_.events.size(); ++j)
        if (accept(without_events(without_events(current_, j), i))) return true;
    return false;
  }

  /// Time that a `run` passes belongs to the next event; the schedule gets one event shorter.
  bool merge_runs() {
    bool any = false;
    for (std::size_t i = 0; i + 1 < current_.events.size(); ++i) {
      if (current_.events[i].kind != EventKind::kRun) continue;
      Schedule candidate = current_;
      candidate.events[i + 1].after_ns +=
          candidate.events[i].duration_ns + candidate.events[i].after_ns;
      candidate.events.erase(candidate.events.begin() + static_cast<std::ptrdiff_t>(i));
      if (accept(std::move(candidate))) {
        any = true;
        --i;
        if (i == SIZE_MAX) i = 0;
      }
    }
    return any;
  }

  bool shrink_number(const std::function<std::int64_t&(Schedule&)>& field, std::int64_t floor) {
    bool any = false;
    Schedule copy = current_;
    std::int64_t best = field(copy);
    for (const std::int64_t target : {floor, kNsPerUnit, 47 * kNsPerUnit, kWindowNs}) {
      if (target < floor || target >= best) continue;
      Schedule candidate = current_;
      field(candidate) = target;
      if (accept(std::move(candidate))) return true;
    }
    // Bisect on whole units; the predicate need not be monotone, any success is progress.
    std::int64_t low = floor / 1024;
    std::int64_t high = best / 1024;
    while (low + 1 < high) {
      const std::int64_t middle = low + (high - low) / 2;
      Schedule candidate = current_;
      field(candidate) = middle * 1024;
      if (middle * 1024 < best && accept(std::move(candidate))) {
        high = middle;
        any = true;
      } else {
        low = middle;
      }
    }
    return any;
  }

  bool shrink_arguments() {
    bool any = false;
    for (std::size_t i = 0; i < current_.events.size(); ++i) {
      any |= shrink_number([i](Schedule& s) -> std::int64_t& { return s.events[i].after_ns; }, 0);
      if (i >= current_.events.size()) break;
      const std::int64_t floor = current_.events[i].kind == EventKind::kRun ? 1 : 0;
      any |= shrink_number([i](Schedule& s) -> std::int64_t& { return s.events[i].duration_ns; },
                           floor);
      if (i < current_.events.size() && current_.events[i].wakes >= 0) {
        Schedule candidate = current_;
        candidate.events[i].wakes = -1;
        any |= accept(std::move(candidate));
      }
    }
    return any;
  }

  bool simplify_start();
  void shrink_machine();

 private:
  Schedule current_;
  const StillFails& still_fails_;
  const MinimizeOptions& options_;
  std::int64_t work_left_ = options_.work;
};

/// `schedule` without initial task `index`; all later numbers move down.
std::optional<Schedule> without_task(const Schedule& schedule, int index) {
  Schedule result = schedule;
  result.tasks.erase(result.tasks.begin() + index);
  for (auto* events : {&result.preamble, &result.events}) {
    for (Event& event : *events) {
      const bool names_task = has_task(event.kind);
      if (names_task && event.task == index) return std::nullopt;
      if (names_task && event.task > index) --event.task;
      if (event.wakes == index) event.wakes = -1;
      if (event.wakes > index) --event.wakes;
    }
  }
  return result;
}

/// `schedule` without group `group`, which nothing may use; all later numbers move down.
std::optional<Schedule> without_group(const Schedule& schedule, int group) {
  Schedule result = schedule;
  result.groups.erase(result.groups.begin() + group - 1);
  bool used = false;
  const auto renumber = [&](int& number) {
    used = used || number == group;
    if (number > group) --number;
  };
  for (Group& other : result.groups) renumber(other.parent);
  for (InitialTask& task : result.tasks) renumber(task.group);
  for (auto* events : {&result.preamble, &result.events})
    for (Event& event : *events) renumber(event.group);
  if (used) return std::nullopt;
  return result;
}

/// Fewest tasks, default averages.
bool Reducer::simplify_start() {
  bool any = false;
  for (int i = static_cast<int>(current_.tasks.size()) - 1; i >= 0 && current_.tasks.size() > 1;
       --i)
    if (auto candidate = without_task(current_, i)) any |= accept(std::move(*candidate));
  for (std::size_t i = 0; i < current_.tasks.size(); ++i) {
    if (current_.tasks[i] == InitialTask{.cpu = current_.tasks[i].cpu}) continue;
    Schedule candidate = current_;
    candidate.tasks[i] = InitialTask{.cpu = current_.tasks[i].cpu};
    any |= accept(std::move(candidate));
  }
  if (!current_.preamble.empty()) {
    Schedule candidate = current_;
    candidate.preamble.clear();
    any |= accept(std::move(candidate));
  }
  return any;
}

/// Fewer CPUs of the same kind of machine, no more task numbers than used.
void Reducer::shrink_machine() {
  const std::string spec = current_.topology;
  const std::size_t colon = spec.find(':');
  if (colon != std::string::npos && spec.substr(0, colon) == "smp") {
    for (int n = 1; n < std::stoi(spec.substr(colon + 1)); ++n) {
      Schedule candidate = current_;
      candidate.topology = "smp:" + std::to_string(n);
      if (accept(std::move(candidate))) break;
    }
  }
  for (int g = static_cast<int>(current_.groups.size()); g > 0; --g)
    if (auto fewer = without_group(current_, g)) accept(std::move(*fewer));
  Schedule sessions = current_;
  sessions.max_sessions = count_events(current_, EventKind::kSetsid);
  accept(std::move(sessions));
  auto numbers =
      current_.tasks.size() + static_cast<std::size_t>(count_events(current_, EventKind::kFork));
  Schedule candidate = current_;
  candidate.max_tasks = static_cast<int>(numbers);
  accept(std::move(candidate));
}

}  // namespace

Schedule without_events(const Schedule& schedule, std::size_t index, std::size_t count) {
  // renumbered[n]: the new number of task n, or -1 if it is never born now.
  std::vector<int> renumbered(schedule.tasks.size());
  std::iota(renumbered.begin(), renumbered.end(), 0);
  int next = static_cast<int>(renumbered.size());
  for (const Event& event : schedule.preamble)
    if (event.kind == EventKind::kFork) renumbered.push_back(next++);
  const auto number = [&](int task) {
    return task >= 0 && task < static_cast<int>(renumbered.size())
               ? renumbered[static_cast<std::size_t>(task)]
               : -1;
  };
  Schedule result = schedule;
  result.events.clear();
  for (std::size_t i = 0; i < schedule.events.size(); ++i) {
    Event event = schedule.events[i];
    const bool names_task = has_task(event.kind);
    if (names_task) event.task = number(event.task);
    if (event.wakes >= 0) event.wakes = number(event.wakes);
    const bool kept = (i < index || i >= index + count) && (!names_task || event.task >= 0);
    if (event.kind == EventKind::kFork) renumbered.push_back(kept ? next++ : -1);
    if (kept) result.events.push_back(event);
  }
  return result;
}

StillFails violates(std::size_t property) {
  // Building the domains costs more than running a short schedule, and most candidates share them.
  struct Cache {
    Schedule made_for;
    Model model;
  };
  const auto cache = std::make_shared<std::optional<Cache>>();
  return [property, cache](const Schedule& schedule) {
    for (const InitialTask& task : schedule.tasks)
      if ((task.cpus >> task.cpu & 1) == 0) return 0;
    if (!*cache || (*cache)->made_for.topology != schedule.topology ||
        (*cache)->made_for.kernel != schedule.kernel) {
      Schedule key;
      key.topology = schedule.topology;
      key.kernel = schedule.kernel;
      *cache = Cache{key, make_model(schedule)};
    }
    Model& model = (*cache)->model;
    configure(model, schedule);
    model.max_tasks = task_numbers(schedule);
    for (const InitialTask& task : schedule.tasks)
      if (task.cpu >= model.topology.nr_cpus) return 0;
    const RunResult run = run_schedule(model, schedule, PropertySet{1} << property, property);
    const Violation* violation = run.of(property);
    return run.skipped > 0 || violation == nullptr ? 0 : violation->event;
  };
}

Schedule minimize(Schedule schedule, const StillFails& still_fails, const MinimizeOptions& options,
                  SearchReport* report) {
  Reducer reducer(std::move(schedule), still_fails, options);
  const auto reduce = [&] {
    bool progress = true;
    while (progress) {
      const auto before = reducer.current();
      reducer.drop_chunks();
      reducer.merge_runs();
      reducer.simplify_start();
      reducer.shrink_arguments();
      if (reducer.current().events.size() <= 60) reducer.drop_pairs();
      progress = !reducer.out_of_work() && !(reducer.current() == before);
    }
  };
  reduce();
  reducer.shrink_machine();
  ShorterSearch search(still_fails, options);
  // Ends with a search that finds nothing, so that what it tried is about the result.
  for (bool progress = true; progress && !reducer.out_of_work();) {
    auto shorter = search.rewrite_windows(reducer.current());
    if (!shorter) shorter = search.all_shorter(reducer.current());
    progress = shorter && reducer.accept(std::move(*shorter));
    if (!progress) break;
    reduce();
    reducer.shrink_machine();
  }
  Schedule result = reducer.current();
  if (!result.finding) result.finding.emplace();
  result.finding->minimality = reducer.out_of_work()        ? ""
                               : !search.report().exhausted ? "one-minimal"
                               : options.certify            ? "certified shortest"
                                                            : "shortest up to bound";
  if (report != nullptr) *report = search.report();
  return result;
}

}  // namespace schedcheck
