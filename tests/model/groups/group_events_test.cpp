// SPDX-License-Identifier: Apache-2.0
/// \file Groups as schedules have them: who is in which group after which event, by version.
#include <gtest/gtest.h>

#include "model/schedule.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;

/// One CPU, task 0 in the root cgroup, group 1.
Schedule one_group(const char* kernel) {
  Schedule s;
  s.topology = "smp:1";
  s.kernel = kernel;
  s.groups = {{}};
  s.max_sessions = 2;
  return s;
}

struct Played {
  Model model;
  Machine<D> m;
  std::vector<bool> happened;
};
Played play(const Schedule& s, const std::vector<Event>& events) {
  Played played{make_model(s), {}, {}};
  played.m = initial_machine(played.model, s, 0);
  for (const Event& e : events) played.happened.push_back(step<D>(played.model, played.m, e));
  return played;
}

constexpr Event kSession{.kind = EventKind::kSetsid, .task = 0};
Event run_for(std::int64_t ns) { return {.kind = EventKind::kRun, .duration_ns = ns}; }
Event move_to(int task, int group) {
  return {.kind = EventKind::kMoveGroup, .task = task, .group = group};
}

TEST(Autogroup, HoldsTheTasksOfASessionInTheRootCgroup) {
  const Event fork{.kind = EventKind::kFork, .task = 0};
  const Played p = play(one_group("v6.12"), {kSession, fork, kSession, move_to(1, 1)});
  EXPECT_EQ(task_of(p.m, 0).group, 3);  // Groups 2 and 3 are the sessions'.
  EXPECT_EQ(task_of(p.m, 1).autogroup, 2);
  EXPECT_EQ(task_of(p.m, 1).group, 1);
  EXPECT_EQ(cfs_rq_of(p.m, 0, 3).h_nr_queued, 1);
  EXPECT_EQ(cfs_rq_of(p.m, 0, 2).h_nr_queued, 0);
  EXPECT_EQ(p.m.rq[0].cfs.h_nr_queued, 2);
}

TEST(Autogroup, ChangesNothingWhereItIsOffOrNotBuilt) {
  Schedule off = one_group("v6.12");
  off.sched_autogroup_enabled = false;
  EXPECT_EQ(task_of(play(off, {kSession}).m, 0).group, 0);
  const Played none = play(one_group("v6.12,exit_move=none"), {kSession});
  EXPECT_EQ(task_of(none.m, 0).group, 0);
  EXPECT_EQ(task_of(none.m, 0).autogroup, 0);
}

TEST(Autogroup, SessionsBeyondTheLimitAreDisabled) {
  EXPECT_EQ(play(one_group("v6.12"), {kSession, kSession, kSession}).happened,
            std::vector<bool>({true, true, false}));
}

/// util_sum that task 0, with its average of 512 at boot, moved at its exit step.
std::int64_t exit_changes(const char* kernel, const std::vector<Event>& before) {
  Schedule s = one_group(kernel);
  s.tick_ns = 0;
  std::vector<Event> events = before;
  events.push_back(run_for(500 * kNsPerUnit));
  events.push_back({.kind = EventKind::kExit, .task = 0});
  return play(s, events).m.event.move.divider;
}

TEST(ExitStep, MovesATaskWhoseGroupChangesOnEveryKernel) {
  for (const char* kernel : {"v6.3", "v6.13", "v6.14", "v6.13,exit_move=bail_unless_exiting"})
    EXPECT_GT(exit_changes(kernel, {kSession}), 0) << kernel;
}

TEST(ExitStep, OfATaskInACgroupIsSkippedOnlyWithTheBail) {
  for (const char* kernel : {"v6.3", "v6.14", "v6.13,exit_move=bail_unless_exiting"})
    EXPECT_GT(exit_changes(kernel, {move_to(0, 1)}), 0) << kernel;
  for (const char* kernel : {"v6.13", "v6.13,exit_move=none"})
    EXPECT_EQ(exit_changes(kernel, {move_to(0, 1)}), 0) << kernel;
}

TEST(MoveGroup, OfASessionInACgroupKeepsTheSumOnlyWhereItBailsOut) {
  // setsid of a task in a cgroup: the group stays, so the rule decides whether the sums are
  // derived anew.
  for (const auto& [kernel, moves] : {std::pair{"v6.14", true},
                                      {"v6.13", false},
                                      {"v6.13,exit_move=bail_unless_exiting", false}}) {
    const Played p = play(one_group(kernel), {move_to(0, 1), run_for(100 * kNsPerUnit), kSession});
    EXPECT_EQ(p.m.event.move.divider != 0, moves) << kernel;
    EXPECT_EQ(task_of(p.m, 0).group, 1);
  }
}

TEST(SetWeight, ChangesTheEntityOnEveryCpuThatHasTasks) {
  Schedule s = one_group("v6.12");
  s.tasks[0].group = 1;
  const Played p = play(s, {{.kind = EventKind::kSetWeight, .group = 1, .amount = 2048}});
  EXPECT_EQ(group_on(p.m, 1, 0).se.load_weight, 2048 * 1024);
}

TEST(SetNice, OfTheRunningTaskAsksForARescheduleWhenItGetsWeaker) {
  Schedule s = one_group("v6.12");
  const Event fork{.kind = EventKind::kFork, .task = 0};
  const Event weaker{.kind = EventKind::kSetNice, .task = 0, .amount = 19};
  const Played p = play(s, {fork, weaker});
  EXPECT_EQ(task_of(p.m, 0).load_weight, 15 * 1024);
  EXPECT_EQ(p.m.rq[0].cfs.load_weight, (1024 + 15) * 1024);
}

TEST(Yield, PushesTheDeadlineOrForfeitsTheSlice) {
  const Event fork{.kind = EventKind::kFork, .task = 0};
  const auto after_yield = [&](const char* kernel) {
    Schedule s = one_group(kernel);
    return play(s, {fork, {.kind = EventKind::kYield, .task = 0}}).m;
  };
  const Machine<D> pushed = after_yield("v6.12");
  const Machine<D> forfeited = after_yield("v6.19");
  // A first deadline is half a slice away.
  const Task<D>& before = task_of(pushed, 0);
  EXPECT_EQ(before.deadline - before.vruntime, before.slice / 2 + before.slice);
  const Task<D>& after = task_of(forfeited, 0);
  EXPECT_EQ(after.deadline - after.vruntime, std::int64_t{after.slice});
  EXPECT_EQ(after.vruntime, -kNice0Load + after.slice / 2);
  EXPECT_EQ(pushed.rq[0].curr, 1);
  EXPECT_EQ(forfeited.rq[0].curr, 1);
}

}  // namespace
}  // namespace schedcheck
