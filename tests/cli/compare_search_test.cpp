// SPDX-License-Identifier: Apache-2.0
/// \file The search of compare: it finds the differences that are known, they are short, and the
/// same options give the same schedule. Every schedule found is judged again from scratch.
#include "cli/compare_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "counterexamples/schedule_json.hpp"
#include "properties/catalogue.hpp"
#include "properties/random/warm_cases.hpp"

namespace schedcheck::cli {
namespace {

CompareSearch between(const char* a, const char* b, const char* topology) {
  CompareSearch search;
  search.kernel_a = a;
  search.kernel_b = b;
  search.topology = topology;
  return search;
}

TEST(SearchDifference, FindsTheExitMoveInAtMostSixEventsFromAWarmState) {
  const CompareResult result = search_difference(between("v6.13", "v6.14", "smp:2"));
  ASSERT_TRUE(result.found);
  const Schedule& s = result.found->schedule;
  EXPECT_LE(s.events.size(), 6U);
  EXPECT_TRUE(std::any_of(s.tasks.begin(), s.tasks.end(),
                          [](const InitialTask& task) { return task.util_avg >= 0; }));
  const auto d = TwoKernels("v6.13", "v6.14").divergence(s);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->event, static_cast<int>(s.events.size()));
  // Two CPUs: local on one kernel, remote on the other.
  EXPECT_NE(d->a.chosen_cpu == d->a.this_cpu, d->b.chosen_cpu == d->b.this_cpu);
}

TEST(SearchDifference, ShowsASpawnLoopThatLeavesItsCpuOnlyWithTheBail) {
  CompareSearch search = between("v6.13", "v6.14", "smp:2");
  search.what = Difference::kWarmSpawn;
  const CompareResult result = search_difference(search);
  ASSERT_TRUE(result.found);
  Schedule s = result.found->schedule;
  EXPECT_LE(s.events.size(), 6U);
  EXPECT_EQ(warm_spawn_violation(make_model(s), s), static_cast<int>(s.events.size()));
  const auto d = TwoKernels("v6.13", "v6.14").divergence(s);
  ASSERT_TRUE(d);
  EXPECT_NE(d->a.chosen_cpu, d->a.this_cpu);
  EXPECT_EQ(d->b.chosen_cpu, d->b.this_cpu);
  // What makes the difference is what the dead child left, not a removal that is about to come.
  const auto cpu = static_cast<std::size_t>(d->a.this_cpu);
  EXPECT_GE(d->a.cpus[cpu].left_sum, d->b.cpus[cpu].left_sum + d->a.cpus[cpu].divider);
  s.kernel = "v6.14";
  EXPECT_EQ(warm_spawn_violation(make_model(s), s), 0);
}

TEST(SearchDifference, FindsEverySwitchThatChangedBetweenTwoVersions) {
  struct Pair {
    const char *a, *b, *topology;
  };
  const std::vector<Pair> pairs = {{"v5.8", "v5.9", "smp:3"},    {"v5.9", "v5.10", "llc:2x2"},
                                   {"v5.19", "v6.0", "smp:2"},   {"v6.3", "v6.4", "smp:2"},
                                   {"v6.9", "v6.10", "smp:2"},   {"v6.13", "v6.14", "llc:2x2"},
                                   {"v6.18", "v6.19", "llc:2x2"}};
  for (const auto& pair : pairs)
    EXPECT_TRUE(search_difference(between(pair.a, pair.b, pair.topology)).found)
        << pair.a << " " << pair.b;
}

TEST(SearchDifference, GivesTheSameScheduleTwice) {
  const CompareSearch search = between("v6.3", "v6.4", "smp:2");
  const CompareResult one = search_difference(search);
  const CompareResult two = search_difference(search);
  ASSERT_TRUE(one.found && two.found);
  EXPECT_EQ(to_json(one.found->schedule), to_json(two.found->schedule));
}

TEST(SearchDifference, WritesSchedulesThatReadBackWithTheSameDifference) {
  const CompareResult result = search_difference(between("v6.13", "v6.14", "smp:2"));
  ASSERT_TRUE(result.found);
  const Schedule again = schedule_from_json(to_json(result.found->schedule), "found");
  EXPECT_EQ(again, result.found->schedule);
  EXPECT_EQ(TwoKernels("v6.13", "v6.14").lockstep(again).event,
            static_cast<int>(again.events.size()));
}

TEST(SearchDifference, LeavesNoEventThatCanBeDropped) {
  const CompareResult result = search_difference(between("v6.13", "v6.14", "smp:2"));
  ASSERT_TRUE(result.found);
  const StillFails oracle = differs(Difference::kPlacement, "v6.13", "v6.14");
  for (std::size_t i = 0; i < result.found->schedule.events.size(); ++i) {
    const Schedule fewer = without_events(result.found->schedule, i);
    EXPECT_EQ(oracle(fewer), 0) << i;
    EXPECT_FALSE(aim(fewer, oracle)) << i;
  }
}

TEST(SearchDifference, FindsNothingWhereNothingDiffers) {
  CompareSearch search = between("v6.14", "v6.15", "smp:2");
  search.cases = 600;
  const CompareResult result = search_difference(search);
  EXPECT_FALSE(result.found);
  EXPECT_EQ(result.cases, 600U);
  EXPECT_EQ(result.aimed, 0U);
}

TEST(SearchDifference, SaysHowLongTheShortestIsWhenTheDepthIsLess) {
  CompareSearch search = between("v5.8", "v5.9", "smp:3");
  search.depth = 1;
  const CompareResult result = search_difference(search);
  EXPECT_FALSE(result.found);
  ASSERT_TRUE(result.too_long);
  EXPECT_GT(*result.too_long, 1);
}

TEST(SearchDifference, SaysThatTheTimeEndedIt) {
  CompareSearch search = between("v6.14", "v6.15", "smp:2");
  search.until = std::chrono::steady_clock::now();
  EXPECT_TRUE(search_difference(search).truncated);
}

TEST(Aim, MovesTheAverageToWhereTheKernelsDiffer) {
  const CompareResult result = search_difference(between("v6.13", "v6.14", "smp:2"));
  ASSERT_TRUE(result.found);
  const StillFails oracle = differs(Difference::kPlacement, "v6.13", "v6.14");
  Schedule off = result.found->schedule;
  for (InitialTask& task : off.tasks)
    if (task.util_avg >= 0) {
      task.util_avg = 0;
      break;
    }
  ASSERT_EQ(oracle(off), 0);
  const auto aimed = aim(off, oracle);
  ASSERT_TRUE(aimed);
  EXPECT_NE(oracle(*aimed), 0);
}

TEST(WarmSpawnCase, DependsOnSeedAndIndexOnly) {
  Schedule base;
  const CaseSetup setup = make_setup(base, false);
  EXPECT_EQ(warm_spawn_case(setup, 1, 5), warm_spawn_case(setup, 1, 5));
  EXPECT_NE(warm_spawn_case(setup, 1, 5), warm_spawn_case(setup, 1, 6));
  EXPECT_NE(warm_spawn_case(setup, 1, 5), warm_spawn_case(setup, 2, 5));
}

}  // namespace
}  // namespace schedcheck::cli
