// SPDX-License-Identifier: Apache-2.0
/// \file Runs both kernels on the same cases and turns differences into schedules.
#include "cli/review_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "cli/compare_search.hpp"
#include "cli/output.hpp"
#include "properties/catalogue.hpp"
#include "properties/random/warm_cases.hpp"

namespace schedcheck::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kScenarioCases =
    8;                                     ///< Of spawn-stays-local: each has thousands of events.
constexpr std::uint64_t kCostCases = 400;  ///< Per topology.

Change change_of(const PropertyOutcome& base, const PropertyOutcome& patch) {
  if (base.cases == 0 || patch.cases == 0) return Change::kUndecided;
  if (base.violated) return patch.violated ? Change::kOnBoth : Change::kFixed;
  if (patch.violated) return Change::kBroken;
  return base.relevant == 0 || patch.relevant == 0 ? Change::kVacuous : Change::kOnNeither;
}

Schedule base_of(const std::string& topology, const std::string& kernel) {
  Schedule s;
  s.topology = topology;
  s.kernel = kernel;
  return s;
}

RandomReport random_report(const ReviewPlan& plan, const Schedule& base, PropertySet properties) {
  RandomOptions options;
  options.cases = plan.cases;
  options.seed = plan.seed;
  options.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (plan.until != Clock::time_point::max())
    options.time =
        std::max(std::chrono::milliseconds(1),
                 std::chrono::duration_cast<std::chrono::milliseconds>(plan.until - Clock::now()));
  return check_random(make_setup(base, false), properties, options,
                      [](std::uint64_t) { return !interrupted(); });
}

/// spawn-stays-local needs its own scenario, hundreds of loops per CPU: without ticks, which would
/// interrupt a loop between fork and block (limit L1).
PropertyOutcome spawn_outcome(const ReviewPlan& plan, Schedule base, std::size_t spawn) {
  base.tick_ns = 0;
  const CaseSetup setup = make_setup(base, true);
  Machine<NativeDomain> scratch{};
  PropertyOutcome outcome;
  for (std::uint64_t i = 0; i < kScenarioCases && Clock::now() < plan.until; ++i) {
    Genome genome = {kSpawnStyle, plain_genome(plan.seed, i, 1)[1]};
    Schedule schedule;
    const CaseOutcome one = run_case(setup, genome, PropertySet{1} << spawn, scratch, &schedule);
    ++outcome.cases;
    outcome.relevant += one.relevant[spawn];
    if (one.violated == 0) continue;
    outcome.violated = true;
    outcome.failing_case = i;
    outcome.failing = std::move(schedule);
    break;
  }
  return outcome;
}

CompareSearch search_for(const ReviewRow& row, const ReviewPlan& plan, const std::string& fails,
                         const std::string& holds) {
  CompareSearch search;
  search.kernel_a = fails;
  search.kernel_b = holds;
  search.topology = row.topology;
  search.seed = plan.seed;
  search.cases = 3000;
  search.until = plan.until;
  return search;
}

/// The short one of spawn-stays-local: the decision it is about, from a warm state.
void add_warm_spawn(ReviewRow& row, const ReviewPlan& plan, const std::string& fails,
                    const std::string& holds, const Schedule& plain) {
  row.note = fmt::format("in full after {} events from boot", plain.events.size());
  CompareSearch search = search_for(row, plan, fails, holds);
  search.what = Difference::kWarmSpawn;
  if (auto found = search_difference(search).found) {
    row.schedule = std::move(found->schedule);
    row.minimality = found->minimality;
    row.note += "; the schedule shows its decision from a warm state";
  } else {
    row.schedule = plain;
  }
}

/// The shortest schedule found that violates the property on one side only.
void add_schedule(ReviewRow& row, const ReviewPlan& plan) {
  const bool fixed = row.change == Change::kFixed;
  const std::string& fails = fixed ? plan.base : plan.patch;
  const std::string& holds = fixed ? plan.patch : plan.base;
  const Schedule& failing = fixed ? row.base.failing : row.patch.failing;
  if (property_catalogue()[row.property].name == "spawn-stays-local")
    return add_warm_spawn(row, plan, fails, holds, failing);
  StillFails oracle = differs(Difference::kProperty, fails, holds, row.property);
  if (oracle(failing) == 0) {
    row.note = "on the other side the schedule is not enabled to the end";
    oracle = violates(row.property);
  }
  CompareFound found = minimize_difference(failing, oracle, MinimizeOptions{}.search_runs, [&] {
    return interrupted() || Clock::now() >= plan.until;
  });
  // The first failing case is not the shortest: warm starts often need fewer events.
  if (row.note.empty()) {
    CompareSearch search = search_for(row, plan, fails, holds);
    search.what = Difference::kProperty;
    search.property = row.property;
    auto other = search_difference(search).found;
    if (other && other->schedule.events.size() < found.schedule.events.size())
      found = std::move(*other);
  }
  row.minimality = found.minimality;
  Schedule small = std::move(found.schedule);
  const PropertySet only = PropertySet{1} << row.property;
  const RunResult run = run_schedule(make_model(small), small, only, row.property);
  const Violation* violation = run.of(row.property);
  small.finding = Finding{std::string(property_catalogue()[row.property].name),
                          violation->event,
                          violation->numbers,
                          "random",
                          plan.seed,
                          row.minimality};
  row.schedule = std::move(small);
}

void review_machine(Review& review, const ReviewPlan& plan, const std::string& topology) {
  const std::size_t spawn = property_index("spawn-stays-local");
  const PropertySet others = kEveryProperty & ~(PropertySet{1} << spawn);
  std::array<RandomReport, 2> reports;
  std::array<PropertyOutcome, 2> spawns;
  for (std::size_t side = 0; side < 2; ++side) {
    const Schedule base = base_of(topology, side == 0 ? plan.base : plan.patch);
    spawns[side] = spawn_outcome(plan, base, spawn);
    reports[side] = random_report(plan, base, others);
    review.truncated = review.truncated || reports[side].truncated;
  }
  for (std::size_t p = 0; p < kPropertyCount; ++p) {
    ReviewRow row;
    row.property = p;
    row.topology = topology;
    row.base = p == spawn ? spawns[0] : reports[0].properties[p];
    row.patch = p == spawn ? spawns[1] : reports[1].properties[p];
    row.change = change_of(row.base, row.patch);
    if (row.change == Change::kFixed || row.change == Change::kBroken) add_schedule(row, plan);
    review.rows.push_back(std::move(row));
  }
}

void add_cost(Review& review, const ReviewPlan& plan, const std::string& topology) {
  Schedule base = base_of(topology, plan.base);
  base.tick_ns = 0;
  const CaseSetup setup = make_setup(base, false);
  Machine<NativeDomain> scratch{};
  CostCounter counter(base, plan.base, plan.patch);
  for (std::uint64_t i = 0; i < kCostCases; ++i, ++review.cost_schedules) {
    Schedule schedule;
    run_case(setup, plain_genome(plan.seed, i, 50), 0, scratch, &schedule);
    counter.add(schedule);
  }
  for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
    const KindCost& more = counter.total()[kind];
    KindCost& sum = review.cost[kind];
    sum.events += more.events;
    for (std::size_t i = 0; i < kWorkKinds; ++i) {
      sum.a[i] += more.a[i];
      sum.b[i] += more.b[i];
    }
  }
}

void add_measures(Review& review, const ReviewPlan& plan) {
  constexpr int kLoops = 1500;  // 0.27 s: eight half-lives.
  const Accounting base = spawn_loop_accounting(Schedule{}, plan.base, kLoops);
  const Accounting patch = spawn_loop_accounting(Schedule{}, plan.patch, kLoops);
  review.measures.push_back(
      {"cpu-time-forgotten", "points of util_avg", base.forgotten, patch.forgotten,
       fmt::format("{} spawn loops on one CPU, {} % busy: its queue says util {} on base, {} on "
                   "the patch; busy time is {}",
                   kLoops, base.busy * 100 / kCapacity, base.util, patch.util, base.busy)});
  review.measures.push_back({"util-of-the-dead", "points of util_avg", base.dead, patch.dead,
                             fmt::format("the same loops: what dead tasks ran and the queue still "
                                         "counts, of util {} and {}",
                                         base.util, patch.util)});
}

}  // namespace

std::string_view change_name(Change change) {
  switch (change) {
    case Change::kFixed:
      return "fixed";
    case Change::kBroken:
      return "broken";
    case Change::kOnBoth:
    case Change::kOnNeither:
      return "unchanged";
    case Change::kVacuous:
      return "vacuous";
    case Change::kUndecided:
      break;
  }
  return "undecided";
}

std::string verdict_word(const PropertyOutcome& outcome) {
  if (outcome.violated) return "violated";
  if (outcome.cases == 0) return "undecided";
  if (outcome.relevant == 0) return "vacuous";
  return fmt::format("not violated in {} cases", outcome.cases);
}

Review run_plan(const ReviewPlan& plan) {
  Review review;
  review.base = plan.base;
  review.patch = plan.patch;
  review.topologies = plan.topologies;
  for (const std::string& topology : plan.topologies) {
    review_machine(review, plan, topology);
    add_cost(review, plan, topology);
  }
  add_measures(review, plan);
  return review;
}

}  // namespace schedcheck::cli
