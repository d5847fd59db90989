// SPDX-License-Identifier: Apache-2.0
/// \file The cost of a path by hand, and that counting changes nothing.
#include "counterexamples/path_cost.hpp"

#include <gtest/gtest.h>

#include "properties/run_schedule.hpp"

namespace schedcheck {
namespace {

Schedule one_exit() {
  Schedule s;
  s.topology = "smp:1";
  s.kernel = "v6.13";
  s.round_robin = true;
  s.events = {{.kind = EventKind::kFork, .task = 0},
              {.kind = EventKind::kBlock, .task = 0, .after_ns = 50 * kNsPerUnit},
              {.kind = EventKind::kExit, .task = 1, .after_ns = 2000 * kNsPerUnit}};
  return s;
}

TEST(PathCost, OfTheExitMoveIsFiveQueueUpdates) {
  CostCounter counter(one_exit(), "v6.13", "v6.13,exit_move=full");
  counter.add(one_exit());
  const KindCost& exit = counter.total()[static_cast<std::size_t>(EventKind::kExit)];
  EXPECT_EQ(exit.events, 1);
  const auto queue = static_cast<std::size_t>(Work::kQueueUpdate);
  // Death: dequeue and newidle. The move: dequeue, two in the change of group, enqueue, set_next.
  EXPECT_EQ(exit.a[queue], 2);
  EXPECT_EQ(exit.b[queue], 2 + 5);
  // The move detaches and attaches once.
  EXPECT_EQ(exit.b[static_cast<std::size_t>(Work::kAttach)], 1);
  EXPECT_EQ(exit.b[static_cast<std::size_t>(Work::kDetach)], 1);
  EXPECT_EQ(exit.a[static_cast<std::size_t>(Work::kAttach)], 0);
}

TEST(PathCost, OfOtherEventsIsTheSame) {
  CostCounter counter(one_exit(), "v6.13", "v6.13,exit_move=full");
  counter.add(one_exit());
  for (const EventKind kind : {EventKind::kFork, EventKind::kBlock}) {
    const KindCost& cost = counter.total()[static_cast<std::size_t>(kind)];
    EXPECT_EQ(cost.events, 1);
    EXPECT_EQ(cost.a, cost.b);
  }
}

TEST(PathCost, EndsWhereATaskGoesElsewhere) {
  Schedule s;
  s.topology = "smp:3";
  s.events = {{.kind = EventKind::kFork, .task = 0},
              {.kind = EventKind::kBlock, .task = 1},
              {.kind = EventKind::kFork, .task = 0},
              {.kind = EventKind::kFork, .task = 0}};
  CostCounter counter(s, "v5.8", "v5.9");
  counter.add(s);
  EXPECT_EQ(counter.total()[static_cast<std::size_t>(EventKind::kFork)].events, 1);
}

TEST(CountingDomain, RunsTheSameMachine) {
  const Schedule s = one_exit();
  Model model = make_model(s);
  model.ledger = false;
  auto native = empty_machine<NativeDomain>(model, 0);
  auto counting = empty_machine<CountingDomain>(model, 0);
  add_initial_task<NativeDomain>(model, native, {});
  add_initial_task<CountingDomain>(model, counting, {});
  for (const Event& event : s.events) {
    step<NativeDomain>(model, native, event);
    step<CountingDomain>(model, counting, event);
  }
  EXPECT_EQ(native.rq[0].cfs.avg.util_sum, counting.rq[0].cfs.avg.util_sum);
  EXPECT_EQ(native.rq[0].cfs.avg.util_avg, counting.rq[0].cfs.avg.util_avg);
  EXPECT_EQ(native.nr_tasks, counting.nr_tasks);
}

// After the exit step a child runs 20 of the loop's 180 units, and that stays on either kernel. Its
// removal takes util x 20 more than it brought (the divider has grown by 20), so a child of util
// 190 leaves 20 x (1024 - 190): 93 points of 1024 in the long run, 84 after 110 ms (half-life 32
// ms).
TEST(SpawnLoopAccounting, ForgetsBusyTimeWithTheMoveAndKeepsTheDeadWithout) {
  const Accounting bail = spawn_loop_accounting(Schedule{}, "v6.13", 600);
  const Accounting full = spawn_loop_accounting(Schedule{}, "v6.14", 600);
  EXPECT_EQ(bail.busy, full.busy);
  EXPECT_GT(bail.dead, full.dead + 250);
  EXPECT_NEAR(static_cast<double>(full.dead), 84, 8);
  EXPECT_GT(full.forgotten, bail.forgotten + 250);
  EXPECT_EQ(full.forgotten, full.busy - full.util);
}

}  // namespace
}  // namespace schedcheck
