// SPDX-License-Identifier: Apache-2.0
/// \file The minimizer keeps the fault, is 1-minimal, and reaches the same size from every seed;
/// dropping a fork renumbers its younger siblings; kept schedules still show what they showed.
#include "counterexamples/minimize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "counterexamples/explain.hpp"
#include "counterexamples/minimize_search.hpp"
#include "counterexamples/replay.hpp"
#include "counterexamples/schedule_cost.hpp"
#include "counterexamples/schedule_json.hpp"
#include "properties/catalogue.hpp"
#include "properties/random/engine.hpp"

namespace schedcheck {
namespace {

Schedule failing(const char* topology, const char* kernel, const char* property,
                 std::uint64_t seed) {
  Schedule base;
  base.topology = topology;
  base.kernel = kernel;
  RandomOptions options;
  options.cases = 8192;
  options.seed = seed;
  const std::size_t index = property_index(property);
  const auto report = check_random(make_setup(base, false), PropertySet{1} << index, options);
  EXPECT_TRUE(report.properties[index].violated);
  return report.properties[index].failing;
}

TEST(Minimize, ReachesTheSameSizeFromTenSeeds) {
  std::set<std::size_t> exit;
  std::set<std::size_t> burst;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    exit.insert(minimize(failing("smp:2", "v6.13", "exit-leaves-no-utilization", seed),
                         violates(property_index("exit-leaves-no-utilization")))
                    .events.size());
    burst.insert(minimize(failing("smp:3", "v5.8", "fork-burst-spreads", seed),
                          violates(property_index("fork-burst-spreads")))
                     .events.size());
  }
  EXPECT_EQ(exit, std::set<std::size_t>{2});
  EXPECT_EQ(burst, std::set<std::size_t>{3});
}

TEST(Minimize, LeavesNothingThatCanBeDropped) {
  for (const char* property : {"no-ghost-busy", "exit-leaves-no-utilization"}) {
    const StillFails fails = violates(property_index(property));
    const Schedule small = minimize(failing("smp:2", "v6.13", property, 1), fails);
    EXPECT_EQ(fails(small), static_cast<int>(small.events.size()));
    for (std::size_t i = 0; i < small.events.size(); ++i)
      EXPECT_EQ(fails(without_events(small, i)), 0) << property << " event " << i;
  }
}

TEST(Minimize, ClaimsTheShortestOnlyAfterTryingAllShorterOnes) {
  const std::size_t burst = property_index("fork-burst-spreads");
  const Schedule found = failing("smp:3", "v5.8", "fork-burst-spreads", 1);
  EXPECT_EQ(minimize(found, violates(burst)).finding->minimality, "shortest up to bound");
  EXPECT_EQ(minimize(found, violates(burst), {.search_runs = 1}).finding->minimality,
            "one-minimal");
  EXPECT_EQ(minimize(found, violates(burst), {.work = 1}).finding->minimality, "");
}

TEST(Minimize, CertifiesOnlyAfterTryingTheWholeAlphabet) {
  const std::size_t burst = property_index("fork-burst-spreads");
  const Schedule found = failing("smp:3", "v5.8", "fork-burst-spreads", 1);
  SearchReport report;
  const Schedule small = minimize(found, violates(burst), {.certify = true}, &report);
  EXPECT_EQ(small.finding->minimality, "certified shortest");
  EXPECT_TRUE(report.exhausted);
  EXPECT_EQ(report.tried_up_to, small.events.size() - 1);
  EXPECT_EQ(report.alphabet, search_alphabet(small, Alphabet::kWhole).size());
  const StillFails fails = violates(burst);
  const MinimizeOptions few{.certify = true, .certify_runs = 300};
  EXPECT_EQ(minimize(found, fails, few).finding->minimality, "one-minimal");
  ShorterSearch search(fails, few);
  EXPECT_FALSE(search.all_shorter(small));
  EXPECT_FALSE(search.report().exhausted);
  EXPECT_EQ(search.report().tried_up_to, 1U) << "every single event, not every pair";
}

TEST(Minimize, SearchesExitsThatWakeATaskOnlyToCertify) {
  Schedule s;
  s.max_tasks = 2;
  const auto wakes = [](const Event& event) { return event.wakes >= 0; };
  const auto timed = search_alphabet(s, Alphabet::kTimed);
  const auto whole = search_alphabet(s, Alphabet::kWhole);
  EXPECT_EQ(std::count_if(timed.begin(), timed.end(), wakes), 0);
  // Two times before it, two after the exit step, two tasks that may exit.
  EXPECT_EQ(std::count_if(whole.begin(), whole.end(), wakes), 8);
}

TEST(Minimize, StopsWhenAskedAndClaimsNothing) {
  const std::size_t burst = property_index("fork-burst-spreads");
  const Schedule found = failing("smp:3", "v5.8", "fork-burst-spreads", 1);
  int asked = 0;
  const Schedule small = minimize(found, violates(burst), {.stop = [&] { return ++asked > 10; }});
  EXPECT_EQ(small.finding->minimality, "");
  EXPECT_EQ(violates(burst)(small), static_cast<int>(small.events.size()));
}

TEST(RunCost, CountsTicksAndTasks) {
  Schedule s;
  s.tick_ns = 1'000'000;
  s.events = {{.kind = EventKind::kFork, .task = 0, .after_ns = 500'000},
              {.kind = EventKind::kRun, .duration_ns = 9'500'000}};
  EXPECT_EQ(run_cost(s), 1 + 2 + 10);
  s.tick_ns = 0;
  EXPECT_EQ(run_cost(s), 1 + 2);
  EXPECT_EQ(task_numbers(s), 2);
  s.max_tasks = 8192;
  s.events.push_back({.kind = EventKind::kWake, .task = 4000});
  EXPECT_EQ(task_numbers(s), 4001);
}

TEST(Replay, GivesEachStepInFullAndKeepsSnapshotsOfKeyStepsOnly) {
  Schedule s;
  s.events.assign(3, {.kind = EventKind::kRun, .duration_ns = 1000});
  std::size_t seen = 0;
  const Replay run = replay(s, kEveryProperty, ReplayDetail::kEveryStep,
                            [&](const ReplayStep& step) { seen += step.cpus.size(); });
  EXPECT_EQ(seen, 6U);
  EXPECT_TRUE(run.steps[0].cpus.empty());
  EXPECT_EQ(run.steps[2].cpus.size(), 2U);
}

TEST(TradeOff, SaysNothingOfForgottenTimeWhereTheMoveForgetsNone) {
  TradeOff t;
  t.util_with_move = 700;
  EXPECT_EQ(trade_off_text(t).find("forgotten"), std::string::npos);
  EXPECT_EQ(trade_off_text(t).find("No rule"), std::string::npos);
  t.forgotten = 30;
  EXPECT_NE(trade_off_text(t).find("30 points of real CPU time forgotten"), std::string::npos);
}

TEST(Minimize, DropsCpusThatTheFaultDoesNotNeed) {
  const std::size_t burst = property_index("fork-burst-spreads");
  EXPECT_EQ(minimize(failing("smp:6", "v5.8", "fork-burst-spreads", 1), violates(burst)).topology,
            "smp:3");
}

TEST(WithoutEvents, RenumbersTheYoungerChildren) {
  Schedule s;
  const auto fork = [](int task) { return Event{.kind = EventKind::kFork, .task = task}; };
  s.events = {fork(0), fork(0), fork(1), Event{.kind = EventKind::kBlock, .task = 2},
              Event{.kind = EventKind::kExit, .task = 3, .wakes = 2}};
  const Schedule dropped = without_events(s, 0);
  // Task 1 is never born, nor its child 3; task 2 becomes 1.
  ASSERT_EQ(dropped.events.size(), 2U);
  EXPECT_EQ(dropped.events[1], (Event{.kind = EventKind::kBlock, .task = 1}));
  const Schedule other = without_events(s, 1);
  ASSERT_EQ(other.events.size(), 3U);
  EXPECT_EQ(other.events[2], (Event{.kind = EventKind::kExit, .task = 2, .wakes = -1}));
}

TEST(FoundSchedules, StillShowWhatTheyShowed) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(SCHEDCHECK_SOURCE_DIR "/counterexamples/found")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const Schedule schedule = schedule_from_json(text.str(), entry.path().string());
    ASSERT_TRUE(schedule.finding) << entry.path();
    const std::size_t property = property_index(schedule.finding->property);
    EXPECT_EQ(violates(property)(schedule), schedule.finding->event) << entry.path();
    EXPECT_EQ(to_json(schedule), text.str()) << entry.path() << " is not as the writer writes it";
  }
  EXPECT_GE(files, 5);
}

TEST(TradeOff, StatesBothNumbersAndWhatTheMoveForgets) {
  Schedule s;
  s.topology = "smp:1";
  s.kernel = "v6.13";
  s.tick_ns = 0;
  s.max_tasks = 700;
  s.round_robin = true;
  for (int i = 1; i <= 600; ++i) {
    s.events.push_back({.kind = EventKind::kFork, .task = 0, .after_ns = 50 * kNsPerUnit});
    s.events.push_back({.kind = EventKind::kBlock, .task = 0, .after_ns = 10 * kNsPerUnit});
    s.events.push_back({.kind = EventKind::kExit,
                        .task = i,
                        .wakes = 0,
                        .duration_ns = 20 * kNsPerUnit,
                        .after_ns = 100 * kNsPerUnit});
  }
  const auto both = trade_off(s);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->util, both->live + both->dead);
  EXPECT_GT(both->dead, 250);
  ASSERT_TRUE(both->util_with_move);
  EXPECT_GT(*both->forgotten, 250);
  EXPECT_GT(both->util, *both->util_with_move);
}

}  // namespace
}  // namespace schedcheck
