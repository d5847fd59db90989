// SPDX-License-Identifier: Apache-2.0
/// \file How often the end of a slice asks for a reschedule, and what it changes: one second with
/// ticks of 1 ms and a base slice of 2.8 ms, tasks of nice 0 on one CPU, by the rules of
/// slice_end_check. The figures are kernel-facts 4.6.
#include <gtest/gtest.h>

#include <ostream>

#include "model/fair/task_tick.hpp"
#include "model/init.hpp"
#include "model/schedule.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;

struct Counts {
  int requests = 0, schedules = 0, switches = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
};
void PrintTo(const Counts& c, std::ostream* out) {
  *out << c.requests << '/' << c.schedules << '/' << c.switches;
}

/// One task in each group of `groups` (0: the root); `rt_counted`: an RT task is counted on the CPU
/// but does not run.
Counts one_second(SliceEndCheck rule, const std::vector<int>& groups, bool rt_counted = false) {
  Schedule schedule;
  schedule.topology = "smp:1";
  schedule.tick_ns = 1'000'000;
  schedule.groups.resize(2);
  schedule.tasks.clear();
  Model model = make_model(schedule);
  model.kernel.slice_end_check = rule;
  model.base_slice_ns = 2'800'000;
  Machine<D> m = machine_with_groups(model, schedule.groups, 0);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const int p = static_cast<int>(i);
    copy_process<D>(m, p, 0, kNice0Load, inverse_of_weight(kNice0Weight), ~CpuMask{0});
    task_of(m, p).group = groups[i];
    post_init_entity_util_avg<D>(model, m, task_entity<D>(model, m, 0, p));
    start_new_task<D>(model, m, 0, p);
  }
  schedule_cpu<D>(model, m, 0, kNoTask);
  if (rt_counted) cpu_rq(m, 0).nr_running = cpu_rq(m, 0).nr_running + 1;
  Counts counts;
  for (int tick = 1; tick <= 1000; ++tick) {
    m.now = m.now + 1'000'000;
    update_rq_clock<D>(m, 0);
    const int curr = static_cast<int>(cpu_rq(m, 0).curr);
    task_tick_fair<D>(model, m, 0, curr);
    if (!cpu_rq(m, 0).need_resched) continue;
    ++counts.requests;
    schedule_cpu<D>(model, m, 0, curr);
    ++counts.schedules;
    if (cpu_rq(m, 0).curr != curr) ++counts.switches;
    EXPECT_FALSE(cpu_rq(m, 0).need_resched);
  }
  return counts;
}

constexpr SliceEndCheck kEveryFixedRule[] = {SliceEndCheck::kCfsNrInUpdateDeadline,
                                             SliceEndCheck::kCfsNr};

TEST(SliceEndCounts, OfTwoGroupsWithOneTaskEachDoubleWhenTasksOfTheCpuAreCounted) {
  for (const SliceEndCheck rule : kEveryFixedRule)
    EXPECT_EQ(one_second(rule, {1, 2}), (Counts{333, 333, 333}));
  EXPECT_EQ(one_second(SliceEndCheck::kRqNr, {1, 2}), (Counts{666, 666, 499}));
}

TEST(SliceEndCounts, OfTwoTasksInOneQueueAreTheSameUnderEveryRule) {
  for (const SliceEndCheck rule : {SliceEndCheck::kCfsNrInUpdateDeadline, SliceEndCheck::kRqNr,
                                   SliceEndCheck::kCfsNrExpiredOnly, SliceEndCheck::kCfsNr})
    EXPECT_EQ(one_second(rule, {0, 0}), (Counts{334, 334, 334}));
}

TEST(SliceEndCounts, BesideACountedRtTaskAreRequestsForNothing) {
  for (const SliceEndCheck rule : kEveryFixedRule)
    EXPECT_EQ(one_second(rule, {0}, true), (Counts{0, 0, 0}));
  EXPECT_EQ(one_second(SliceEndCheck::kRqNr, {0}, true), (Counts{333, 333, 0}));
}

TEST(SliceEndCounts, OfATaskAloneAreZero) {
  for (const SliceEndCheck rule :
       {SliceEndCheck::kCfsNrInUpdateDeadline, SliceEndCheck::kRqNr, SliceEndCheck::kCfsNr})
    EXPECT_EQ(one_second(rule, {0}), (Counts{0, 0, 0}));
}

}  // namespace
}  // namespace schedcheck
