// SPDX-License-Identifier: Apache-2.0
/// \file Cases, aiming, and the two-kernel minimizer.
#include "cli/compare_search.hpp"

#include <numeric>
#include <tuple>

#include "cli/output.hpp"
#include "properties/catalogue.hpp"
#include "properties/random/warm_cases.hpp"

namespace schedcheck::cli {
namespace {

constexpr std::size_t kHits = 6;         ///< Differences that are minimized; the shortest stays.
constexpr std::uint64_t kAimsMax = 400;  ///< Cases aimed per search: each takes 1025 runs a task.
constexpr std::int64_t kFirstRuns = 30'000;  ///< Search runs of the minimizer for every hit.

/// Fewer events, then tasks, CPUs, numbers; the text of the numbers decides between equals.
auto size_of(const Schedule& s) {
  std::int64_t numbers = 0;
  for (const Event& event : s.events) numbers += event.after_ns + event.duration_ns;
  std::int64_t averages = 0;
  for (const InitialTask& task : s.tasks) averages += task.util_avg + 1;
  return std::tuple(s.events.size(), s.tasks.size(), s.topology.size(), s.topology, numbers,
                    averages);
}

bool ends(const Stop& stop) { return stop && stop(); }

/// Some tasks that block may only use other CPUs from then on: a genome changes the affinity of
/// running tasks only. What follows may not be enabled any more; the oracles see to that.
void move_sleepers(Schedule& schedule, std::uint32_t word) {
  std::vector<Event> events;
  for (const Event& event : schedule.events) {
    events.push_back(event);
    word = word * 1'664'525U + 1'013'904'223U;
    if (event.kind == EventKind::kBlock && (word >> 30) == 0)
      events.push_back(
          {.kind = EventKind::kSetAffinity, .task = event.task, .cpus = 1 + (word >> 8) % 15U});
  }
  schedule.events = std::move(events);
}

class Search {
 public:
  explicit Search(const CompareSearch& options)
      : o_(options),
        both_(options.kernel_a, options.kernel_b),
        oracle_(differs(options.what, options.kernel_a, options.kernel_b, options.property)) {
    Schedule base;
    base.topology = o_.topology;
    base.kernel = both_.kernel_a();
    base.tick_ns = o_.tick_ns;
    base.max_tasks = o_.tasks;
    setup_ = make_setup(base, false);
  }

  CompareResult run() {
    // Spawn schedules run dozens of ticks each and all look alike.
    const std::size_t enough = o_.what == Difference::kWarmSpawn ? 2 : kHits;
    for (; result_.cases < o_.cases && hits_.size() < enough; ++result_.cases) {
      if (stopped()) break;
      look_at(next_case(result_.cases));
    }
    for (const Schedule& hit : hits_) {
      CompareFound small = minimize_difference(hit, oracle_, kFirstRuns, stop_);
      if (!result_.found || size_of(small.schedule) < size_of(result_.found->schedule))
        result_.found = std::move(small);
      if (stopped()) break;
    }
    if (result_.found && !result_.truncated)
      result_.found = minimize_difference(result_.found->schedule, oracle_,
                                          MinimizeOptions{}.search_runs, stop_);
    if (result_.found && o_.depth > 0 &&
        static_cast<int>(result_.found->schedule.events.size()) > o_.depth) {
      result_.too_long = static_cast<int>(result_.found->schedule.events.size());
      result_.found.reset();
    }
    return std::move(result_);
  }

 private:
  bool stopped() {
    if (!interrupted() && std::chrono::steady_clock::now() < o_.until) return false;
    result_.truncated = true;
    return true;
  }

  Schedule next_case(std::uint64_t index) {
    if (o_.what == Difference::kWarmSpawn || index % 3 == 2)
      return warm_spawn_case(setup_, o_.seed, index);
    Schedule schedule;
    const PropertySet judged =
        o_.what == Difference::kProperty ? PropertySet{1} << o_.property : PropertySet{0};
    run_case(setup_, plain_genome(o_.seed, index, kCompareElements), judged, scratch_, &schedule);
    if (index % 6 < 2) move_sleepers(schedule, plain_genome(o_.seed, index, 1)[1]);
    return schedule;
  }

  void look_at(Schedule schedule) {
    if (o_.tasks_fixed && schedule.max_tasks > o_.tasks) return;
    int event = oracle_(schedule);
    if (event == 0 && result_.aimed < kAimsMax && both_.lockstep(schedule).averages_differ) {
      ++result_.aimed;
      if (auto better = aim(schedule, oracle_, stop_)) {
        schedule = std::move(*better);
        event = oracle_(schedule);
      }
    }
    if (event == 0) return;
    schedule.events.resize(static_cast<std::size_t>(event));
    hits_.push_back(std::move(schedule));
  }

  CompareSearch o_;
  Stop stop_ = [this] { return stopped(); };
  TwoKernels both_;
  StillFails oracle_;
  CaseSetup setup_;
  Machine<NativeDomain> scratch_{};
  std::vector<Schedule> hits_;
  CompareResult result_;
};

/// The smallest averages that still differ: from below, each task on its own.
Schedule smaller_averages(Schedule schedule, const StillFails& oracle, const Stop& stop) {
  for (InitialTask& task : schedule.tasks) {
    const std::int64_t found = task.util_avg;
    for (task.util_avg = -1; task.util_avg < found; ++task.util_avg) {
      if (ends(stop)) {
        task.util_avg = found;
        break;
      }
      if (oracle(schedule) == static_cast<int>(schedule.events.size())) break;
    }
  }
  return schedule;
}

/// One event fewer, with the averages aimed again.
std::optional<Schedule> shorter_and_aimed(const Schedule& schedule, const StillFails& oracle,
                                          const Stop& stop) {
  for (std::size_t i = 0; i < schedule.events.size(); ++i) {
    const Schedule candidate = without_events(schedule, i);
    if (ends(stop)) break;
    if (oracle(candidate) != 0) return candidate;
    if (auto better = aim(candidate, oracle, stop)) return better;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Schedule> aim(const Schedule& schedule, const StillFails& oracle, const Stop& stop) {
  constexpr std::int64_t kThreshold = 875;
  for (std::size_t i = 0; i < schedule.tasks.size(); ++i) {
    if (schedule.tasks[i].util_avg < 0) continue;
    Schedule candidate = schedule;
    std::int64_t& util = candidate.tasks[i].util_avg;
    // Outwards from the threshold of a CPU of its own.
    for (std::int64_t step = 0; step <= kThreshold; ++step) {
      for (const std::int64_t sign : {1, -1}) {
        if (ends(stop)) return std::nullopt;
        util = kThreshold + sign * step;
        if (util <= kCapacity && oracle(candidate) != 0) return candidate;
      }
    }
  }
  return std::nullopt;
}

CompareFound minimize_difference(const Schedule& schedule, const StillFails& oracle,
                                 std::int64_t search_runs, const Stop& stop) {
  constexpr std::size_t kAimBelow = 24;  // Events; longer schedules are left to minimize().
  MinimizeOptions options;
  options.search_runs = search_runs;
  options.work = 1'000'000;
  options.stop = stop;
  Schedule small = minimize(schedule, oracle, options);
  while (small.events.size() <= kAimBelow) {
    auto shorter = shorter_and_aimed(small, oracle, stop);
    if (!shorter) break;
    shorter->events.resize(static_cast<std::size_t>(oracle(*shorter)));
    small = minimize(*shorter, oracle, options);
  }
  CompareFound found{smaller_averages(small, oracle, stop), small.finding->minimality};
  // Aimed averages may allow smaller times: once more, without a search for shorter schedules.
  options.search_runs = 0;
  Schedule again = minimize(found.schedule, oracle, options);
  if (size_of(again) < size_of(found.schedule))
    found.schedule = smaller_averages(again, oracle, stop);
  found.schedule.finding.reset();
  return found;
}

CompareResult search_difference(const CompareSearch& options) { return Search(options).run(); }

}  // namespace schedcheck::cli
