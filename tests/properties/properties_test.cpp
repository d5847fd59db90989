// SPDX-License-Identifier: Apache-2.0
/// \file Every property where it holds and where it fails, by hand-written schedules and by the
/// random engine; the figures of the threads. Faults that no switch makes are in tests/mutants.
#include <gtest/gtest.h>

#include <atomic>

#include "model/input_error.hpp"
#include "properties/catalogue.hpp"
#include "properties/random/engine.hpp"
#include "properties/run_schedule.hpp"

namespace schedcheck {
namespace {

Event on(EventKind kind, int task) { return {.kind = kind, .task = task}; }
Event fork_by(int task) { return on(EventKind::kFork, task); }
Event block(int task) { return on(EventKind::kBlock, task); }
Event run(std::int64_t units) {
  return {.kind = EventKind::kRun, .duration_ns = units * kNsPerUnit};
}
Event update(int cpu, std::int64_t after_units = 0) {
  return {.kind = EventKind::kUpdateBlocked, .cpu = cpu, .after_ns = after_units * kNsPerUnit};
}

Schedule on_machine(const char* topology, const char* kernel, std::vector<Event> events) {
  Schedule s;
  s.topology = topology;
  s.kernel = kernel;
  s.tick_ns = 0;
  s.events = std::move(events);
  return s;
}

RunResult judged(const Schedule& s) { return run_schedule(make_model(s), s, kEveryProperty); }

const Violation* violation(const RunResult& run, std::string_view property) {
  return run.of(property_index(property));
}

/// S0 of the exit thread: a parent alone for 300 windows, a child that runs `units` and dies.
Schedule s0(const char* kernel, std::int64_t units) {
  Schedule s = on_machine("smp:1", kernel, {});
  for (int i = 0; i < 300; ++i) s.preamble.push_back(update(0, 1024));
  s.events = {fork_by(0), block(0), run(units), on(EventKind::kExit, 1)};
  return s;
}

std::int64_t util_sum_after(const Schedule& s) { return judged(s).machine.rq[0].cfs.avg.util_sum; }

TEST(ExitLeavesNoUtilization, BailLeaves512000AndFullNothingOnS0) {
  EXPECT_EQ(util_sum_after(s0("v6.13", 500)) - util_sum_after(s0("v6.13,exit_move=full", 500)),
            512000);
  Schedule s = s0("v6.13", 500);
  s.events.push_back(update(0));
  const RunResult bail = judged(s);
  ASSERT_NE(violation(bail, "exit-leaves-no-utilization"), nullptr);
  EXPECT_EQ(violation(bail, "exit-leaves-no-utilization")->numbers.at("residue_util_sum"), 512000);
  s.kernel = "v6.13,exit_move=full";
  EXPECT_EQ(violation(judged(s), "exit-leaves-no-utilization"), nullptr);
}

TEST(ExitLeavesNoUtilization, ReportsExactlyTheUnitsThatAChildRanInOneWindow) {
  for (std::int64_t units = 47; units <= 1000; ++units) {
    Schedule s = s0("v6.13", units);
    s.events.push_back(update(0));
    const RunResult run = judged(s);
    const Violation* v = violation(run, "exit-leaves-no-utilization");
    ASSERT_NE(v, nullptr) << units;
    EXPECT_EQ(v->numbers.at("residue_util_sum"), 1024 * units);
  }
}

TEST(ExitLeavesNoUtilization, TimeAfterTheExitStepIsNotCounted) {
  Schedule s = s0("v6.13,exit_move=full", 500);
  s.events[3].duration_ns = 100 * kNsPerUnit;
  s.events.push_back(update(0));
  EXPECT_EQ(violation(judged(s), "exit-leaves-no-utilization"), nullptr);
  s.kernel = "v6.13";
  const RunResult bail = judged(s);
  EXPECT_EQ(violation(bail, "exit-leaves-no-utilization")->numbers.at("residue_util_sum"), 512000);
}

TEST(ExitLeavesNoUtilization, EverySwitchValueBehavesAsDocumented) {
  for (const char* kernel :
       {"v6.13", "v6.14", "v6.13,exit_move=none", "v6.13,exit_move=bail_unless_exiting",
        "v6.14,attach_keeps_sum=1", "v6.13,death_removes=exact"}) {
    Schedule s = s0(kernel, 300);
    s.events.push_back(update(0));
    const bool violated = violation(judged(s), "exit-leaves-no-utilization") != nullptr;
    const PropertySet documented = documented_failures(make_model(s));
    EXPECT_EQ(violated, (documented >> property_index("exit-leaves-no-utilization") & 1) != 0)
        << kernel;
  }
}

TEST(ExitMoveSumExact, FailsWhereAttachKeepsTheSum) {
  Schedule s = s0("v6.14", 500);
  EXPECT_EQ(violation(judged(s), "exit-move-sum-exact"), nullptr);
  EXPECT_EQ(judged(s).relevant[property_index("exit-move-sum-exact")], 1);
  s.kernel = "v6.14,attach_keeps_sum=1";
  EXPECT_NE(violation(judged(s), "exit-move-sum-exact"), nullptr);
}

TEST(ForkBurstSpreads, TheThreadsScheduleFailsBeforeV5_9) {
  const std::vector<Event> burst = {fork_by(0), block(1), fork_by(0)};
  EXPECT_EQ(violation(judged(on_machine("smp:3", "v5.8", burst)), "fork-burst-spreads")->event, 3);
  EXPECT_NE(violation(judged(on_machine("smp:3", "v5.8,idlest_tiebreak=nr_running", burst)),
                      "fork-burst-spreads"),
            nullptr);
  EXPECT_EQ(violation(judged(on_machine("smp:3", "v5.9", burst)), "fork-burst-spreads"), nullptr);
  EXPECT_NE(violation(judged(on_machine("llc:2x2", "v6.12", burst)), "fork-burst-spreads"),
            nullptr);
  EXPECT_EQ(violation(judged(on_machine("smp:4", "v6.12", burst)), "fork-burst-spreads"), nullptr);
}

TEST(ForkTieLeastUtil, FailsWithTheOldTieBreak) {
  const std::vector<Event> burst = {fork_by(0), block(1), fork_by(0)};
  EXPECT_NE(violation(judged(on_machine("smp:3", "v5.8", burst)), "fork-tie-least-util"), nullptr);
  EXPECT_EQ(violation(judged(on_machine("smp:3", "v5.9", burst)), "fork-tie-least-util"), nullptr);
}

TEST(ForkWorkConserving, FailsOnTwoLevelsFromBootAndNotOnOne) {
  for (const char* topology : {"llc:2x2", "smp:4"}) {
    Schedule base = on_machine(topology, "v6.12", {});
    RandomOptions options;
    options.cases = 8192;  // All of these start from boot.
    const std::size_t property = property_index("fork-work-conserving");
    const RandomReport report =
        check_random(make_setup(base, false), PropertySet{1} << property, options);
    EXPECT_EQ(report.properties[property].violated, std::string(topology) == "llc:2x2");
    EXPECT_GT(report.properties[property].relevant, 0U);
  }
}

/// The example of the facts: two full tasks on CPU 3, and the forking task may use CPUs 0 and 3.
Schedule pinned(const char* topology, const char* kernel, CpuMask cpus) {
  Schedule s = on_machine(topology, kernel,
                          {{.kind = EventKind::kSetAffinity, .task = 0, .cpus = cpus}, fork_by(0)});
  s.tasks = {{}, {.cpu = 3, .util_avg = 1024}, {.cpu = 3, .util_avg = 1024}};
  return s;
}

TEST(SpareWithinAffinity, FailsWhereOnlyForbiddenCpusAreSpareAndNotForSingleCpuGroups) {
  const std::size_t property = property_index("spare-within-affinity");
  for (const char* kernel : {"v6.19", "v6.14", "v5.8"}) {
    const RunResult run = judged(pinned("llc:2x2", kernel, 0b1001));
    const Violation* v = violation(run, "spare-within-affinity");
    ASSERT_NE(v, nullptr) << kernel;
    EXPECT_EQ(v->numbers.at("group2.type"), kHasSpare);
    EXPECT_EQ(v->numbers.at("group2.usable_type"), kOverloaded);
    EXPECT_EQ(v->numbers.at("group2.usable_nr_running"), 2);
    EXPECT_EQ(v->numbers.at("group2.usable_weight"), 1);
    const RunResult single = judged(pinned("smp:4", kernel, 0b1001));
    EXPECT_EQ(violation(single, "spare-within-affinity"), nullptr) << kernel;
    EXPECT_EQ(single.relevant[property], 1);
  }
  // Nobody asks for a group: one allowed CPU, or nothing is forbidden.
  for (const CpuMask cpus : {CpuMask{0b1000}, CpuMask{0b1111}})
    EXPECT_EQ(judged(pinned("llc:2x2", "v6.19", cpus)).relevant[property], 0);
}

/// The spawn loop S3 on one CPU; yields the first fork that sees util_avg >= 876 (-1: none of
/// `forks`).
int first_busy_fork(const char* kernel, std::int64_t tick_ns, int forks, std::int64_t* highest) {
  Schedule s = on_machine("smp:1", kernel, {});
  s.tick_ns = tick_ns;
  s.max_tasks = forks + 1;
  const Model model = make_model(s);
  Machine<NativeDomain> m = start_machine(model, s);
  const auto happen = [&](const Event& e) {
    EXPECT_TRUE((step<NativeDomain>(model, m, e))) << describe(e);
  };
  int first = -1;
  for (int i = 0; i < forks; ++i) {
    happen(run(50));
    const std::int64_t util = m.rq[0].cfs.avg.util_avg;
    *highest = std::max(*highest, util);
    if (util >= 876 && first < 0) first = i;
    happen(fork_by(0));
    happen(run(10));
    // A tick may have switched to the child already (L1); both then run in the other order.
    const bool parent_first = m.rq[0].curr == 0;
    if (parent_first) happen(block(0));
    happen(run(100));
    happen({.kind = EventKind::kExit,
            .task = i + 1,
            .wakes = parent_first ? 0 : -1,
            .duration_ns = 20 * kNsPerUnit});
  }
  return first;
}

TEST(SpawnLoop, ReachesTheThresholdAtFork376WithTheBailAndNeverWithTheMove) {
  std::int64_t highest = 0;
  EXPECT_EQ(first_busy_fork("v6.13", 0, 400, &highest), 376);
  highest = 0;
  EXPECT_EQ(first_busy_fork("v6.13,exit_move=full", 0, 2000, &highest), -1);
  EXPECT_EQ(highest, 768);
}

TEST(SpawnLoop, ReachesTheThresholdEarlierWithTicks) {
  std::int64_t highest = 0;
  EXPECT_EQ(first_busy_fork("v6.13", 1'000'000, 400, &highest), 245);
  EXPECT_EQ(first_busy_fork("v6.13", 4'000'000, 400, &highest), 283);
  EXPECT_EQ(first_busy_fork("v6.13", 1'048'576, 400, &highest), 217);
}

TEST(SpawnStaysLocal, IsLeftWithTheBailAndKeptWithTheMove) {
  for (const char* kernel : {"v6.13", "v6.14"}) {
    const Schedule base = on_machine("smp:2", kernel, {});
    RandomOptions options;
    options.cases = 20'000;
    const std::size_t property = property_index("spawn-stays-local");
    const RandomReport report =
        check_random(make_setup(base, true), PropertySet{1} << property, options);
    EXPECT_EQ(report.properties[property].violated, std::string(kernel) == "v6.13");
    EXPECT_GT(report.properties[property].relevant, 1000U);
  }
}

TEST(NoGhostBusy, HundredsOfSmallLeaksAddUp) {
  // Each child runs 40 units: less than one point of util_avg (46718 / 1024 = 45.6 units).
  Schedule s = on_machine("smp:2", "v6.13", {});
  s.max_tasks = 2000;
  s.tasks[0].util_avg = 700;
  for (int i = 1; i <= 1500; ++i) {
    s.events.push_back({.kind = EventKind::kSetAffinity, .task = 0, .cpus = 1});
    s.events.push_back({.kind = EventKind::kFork, .task = 0});
    s.events.push_back(block(0));
    s.events.push_back({.kind = EventKind::kSetAffinity, .task = 0, .cpus = 3});
    s.events.push_back(run(40));
    s.events.push_back({.kind = EventKind::kExit, .task = i, .wakes = 0});
    s.events.push_back(run(10));
  }
  s.events.push_back({.kind = EventKind::kSetAffinity, .task = 0, .cpus = 3});
  s.events.push_back(fork_by(0));
  EXPECT_NE(violation(judged(s), "no-ghost-busy"), nullptr);
  s.kernel = "v6.14";
  EXPECT_EQ(violation(judged(s), "no-ghost-busy"), nullptr);
}

TEST(Check, FindsTheSeedViolationsFromTenSeeds) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RandomOptions options;
    options.cases = 4096;
    options.seed = seed;
    const std::size_t exit = property_index("exit-leaves-no-utilization");
    const std::size_t burst = property_index("fork-burst-spreads");
    Schedule base = on_machine("smp:3", "v6.13", {});
    EXPECT_TRUE(check_random(make_setup(base, false), PropertySet{1} << exit, options)
                    .properties[exit]
                    .violated);
    for (const char* kernel : {"v5.8", "v5.8,idlest_tiebreak=nr_running", "v5.9"}) {
      base.kernel = kernel;
      EXPECT_EQ(check_random(make_setup(base, false), PropertySet{1} << burst, options)
                    .properties[burst]
                    .violated,
                std::string(kernel) != "v5.9")
          << kernel << " seed " << seed;
    }
  }
}

TEST(Check, DoesNotDependOnTheNumberOfJobs) {
  const Schedule base = on_machine("llc:2x2", "v6.13", {});
  RandomOptions options;
  options.cases = 6000;
  const RandomReport one = check_random(make_setup(base, true), kEveryProperty, options);
  options.jobs = 3;
  const RandomReport three = check_random(make_setup(base, true), kEveryProperty, options);
  EXPECT_EQ(one.cases, three.cases);
  EXPECT_EQ(one.skipped, three.skipped);
  for (std::size_t p = 0; p < kPropertyCount; ++p) {
    EXPECT_EQ(one.properties[p].relevant, three.properties[p].relevant);
    EXPECT_EQ(one.properties[p].failing_case, three.properties[p].failing_case);
    EXPECT_EQ(one.properties[p].failing, three.properties[p].failing);
  }
}

TEST(Check, StopsBeforeTheNextCaseAndKeepsWhatIsKnown) {
  const Schedule base = on_machine("llc:2x2", "v6.13", {});
  for (const int jobs : {1, 3}) {
    RandomOptions options;
    options.cases = 6000;
    options.jobs = jobs;
    std::atomic<int> asked{0};
    options.stop = [&] { return ++asked > 500; };
    const RandomReport stopped = check_random(make_setup(base, true), kEveryProperty, options);
    EXPECT_TRUE(stopped.truncated);
    ASSERT_GT(stopped.cases, 0U);
    ASSERT_LE(stopped.cases, 500U);
    options.stop = nullptr;
    options.cases = stopped.cases;
    const RandomReport whole = check_random(make_setup(base, true), kEveryProperty, options);
    EXPECT_FALSE(whole.truncated);
    for (std::size_t p = 0; p < kPropertyCount; ++p) {
      EXPECT_EQ(stopped.properties[p].relevant, whole.properties[p].relevant);
      EXPECT_EQ(stopped.properties[p].violated, whole.properties[p].violated);
      EXPECT_EQ(stopped.properties[p].failing_case, whole.properties[p].failing_case);
    }
  }
}

TEST(Catalogue, TakesAllAndNamesInOneList) {
  EXPECT_EQ(parse_properties("all,all"), kEveryProperty);
  EXPECT_EQ(parse_properties("no-ghost-busy,all"), kEveryProperty);
  EXPECT_THROW(parse_properties("all,"), InputError);
}

TEST(Check, FindsNothingUndocumentedOnAnySupportedPreset) {
  for (const std::string& kernel : known_presets()) {
    for (const char* topology : {"smp:1", "smp:3", "llc:2x2", "smt:2x2"}) {
      Schedule base = on_machine(topology, "v6.12", {});
      base.kernel = kernel;
      base.tick_ns = 1'000'000;
      const CaseSetup setup = make_setup(base, false);
      RandomOptions options;
      options.cases = 1000;
      const RandomReport report = check_random(setup, kEveryProperty, options);
      for (std::size_t p = 0; p < kPropertyCount; ++p) {
        const bool documented = (documented_failures(setup.model) >> p & 1) != 0;
        EXPECT_TRUE(documented || !report.properties[p].violated)
            << kernel << " " << topology << " " << property_catalogue()[p].name;
      }
    }
  }
}

TEST(Properties, HaveAPageAndADistinctName) {
  for (std::size_t p = 0; p < kPropertyCount; ++p) {
    const PropertyInfo& info = property_catalogue()[p];
    for (const std::string_view text :
         {info.claim, info.why, info.source, info.assumes, info.holds_on, info.fails_on})
      EXPECT_FALSE(text.empty()) << info.name;
    EXPECT_EQ(property_index(info.name), p);
  }
}

}  // namespace
}  // namespace schedcheck
