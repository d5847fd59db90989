// SPDX-License-Identifier: Apache-2.0
/// \file Two kernels in lockstep: hand-made schedules with known differences, and oracles that must
/// answer 0 for every reason there is.
#include "counterexamples/two_kernels.hpp"

#include <gtest/gtest.h>

#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

/// fork-burst-spreads-v5.8.json by hand: the second child finds two CPUs with equally many idle
/// CPUs.
Schedule burst() {
  Schedule s;
  s.topology = "smp:3";
  s.kernel = "v5.8";
  s.events = {{.kind = EventKind::kFork, .task = 0},
              {.kind = EventKind::kBlock, .task = 1},
              {.kind = EventKind::kFork, .task = 0}};
  return s;
}

TEST(Lockstep, FindsTheForkThatTheTieBreakMoves) {
  EXPECT_EQ(TwoKernels("v5.8", "v5.9").lockstep(burst()).event, 3);
}

TEST(Lockstep, FindsNothingBetweenKernelsWithTheSameSwitches) {
  EXPECT_EQ(TwoKernels("v5.8", "v5.8").lockstep(burst()).event, 0);
  EXPECT_EQ(TwoKernels("v5.10", "v5.11").lockstep(burst()).event, 0);
}

TEST(Lockstep, EndsAtAnEventThatIsNotEnabled) {
  Schedule s = burst();
  s.events[1] = {.kind = EventKind::kWake, .task = 1};
  EXPECT_EQ(TwoKernels("v5.8", "v5.9").lockstep(s).event, 0);
}

TEST(Lockstep, RefusesAStartOffTheMachine) {
  Schedule s = burst();
  s.tasks[0].cpu = 7;
  EXPECT_EQ(TwoKernels("v5.8", "v5.9").lockstep(s).event, 0);
}

TEST(Divergence, HasTheNumbersThatEachSideRead) {
  const auto d = TwoKernels("v5.8", "v5.9").divergence(burst());
  ASSERT_TRUE(d);
  EXPECT_TRUE(d->is_fork);
  EXPECT_EQ(d->a.chosen_cpu, 1);
  EXPECT_EQ(d->b.chosen_cpu, 2);
  ASSERT_TRUE(d->a.fork && d->b.fork);
  // What they read is the same: only the order of equals differs.
  ASSERT_EQ(d->a.fork->levels.size(), 1U);
  const LevelRecord& level = d->a.fork->levels[0];
  ASSERT_EQ(level.groups.size(), 3U);
  EXPECT_EQ(level.groups[1].util, 512);
  EXPECT_EQ(level.groups[2].util, 0);
  EXPECT_EQ(level.groups[1].idle_cpus, level.groups[2].idle_cpus);
}

TEST(FailsOnlyOnFirst, IsTheViolatingEvent) {
  const std::size_t property = property_index("fork-burst-spreads");
  EXPECT_EQ(differs(Difference::kProperty, "v5.8", "v5.9", property)(burst()), 3);
  EXPECT_EQ(differs(Difference::kProperty, "v5.9", "v5.8", property)(burst()), 0);
  EXPECT_EQ(differs(Difference::kProperty, "v5.8", "v5.8", property)(burst()), 0);
}

/// One task per CPU; the first runs one loop: its child leaves a point of util behind on v6.13.
Schedule warm_loop(std::int64_t util) {
  Schedule s;
  s.round_robin = true;
  s.topology = "smp:2";
  s.kernel = "v6.13";
  s.tasks = {{.cpu = 0, .util_avg = util}, {.cpu = 1, .util_avg = 0}};
  s.events = {
      {.kind = EventKind::kFork, .task = 0, .after_ns = 3800 * kNsPerUnit},
      {.kind = EventKind::kBlock, .task = 0, .after_ns = 10 * kNsPerUnit},
      {.kind = EventKind::kExit,
       .task = 2,
       .wakes = 0,
       .duration_ns = 20 * kNsPerUnit,
       .after_ns = 46 * kNsPerUnit},
      {.kind = EventKind::kFork, .task = 0, .after_ns = 50 * kNsPerUnit},
  };
  return s;
}

TEST(WarmSpawn, NeedsOneRunningTaskPerCpu) {
  Schedule s = warm_loop(870);
  s.tasks[1].blocked = true;
  EXPECT_EQ(warm_spawn_violation(make_model(s), s), 0);
}

TEST(WarmSpawn, IsNoViolationWhenEveryChildStays) {
  const Schedule s = warm_loop(300);
  EXPECT_EQ(warm_spawn_violation(make_model(s), s), 0);
}

TEST(WarmSpawn, SeesAForkLeaveItsCpuOnABusyQueue) {
  const Schedule s = warm_loop(1000);
  EXPECT_GT(warm_spawn_violation(make_model(s), s), 0);
}

TEST(WarmSpawn, SaysThatAnEventIsNotEnabled) {
  Schedule s = warm_loop(300);
  s.events[1].task = 9;
  EXPECT_EQ(warm_spawn_violation(make_model(s), s), -1);
}

TEST(WarmSpawn, IsNotJudgedOutsideTheCostsOfTheScenario) {
  Schedule s = warm_loop(1000);
  // Only the time before the first fork is free.
  s.events.erase(s.events.begin(), s.events.begin() + 1);
  s.events.insert(s.events.begin(), {.kind = EventKind::kWake, .task = 1});
  EXPECT_LE(warm_spawn_violation(make_model(s), s), 0);
}

TEST(SpareUpTo, IsTheThresholdOfGroupClassify) {
  for (const int pct : {110, 117, 125}) {
    for (const int cpus : {1, 2, 4}) {
      SgLbStats<NativeDomain> sgs{};
      sgs.group_weight = cpus;
      sgs.sum_nr_running = cpus;
      sgs.group_capacity = cpus * kCapacity;
      const std::int64_t limit = spare_up_to((CpuMask{1} << cpus) - 1, pct);
      sgs.group_util = limit;
      EXPECT_EQ(group_classify<NativeDomain>(pct, sgs), kHasSpare);
      sgs.group_util = limit + 1;
      EXPECT_EQ(group_classify<NativeDomain>(pct, sgs), kFullyBusy);
    }
  }
  EXPECT_EQ(spare_up_to(1, 117), 875);
}

}  // namespace
}  // namespace schedcheck
