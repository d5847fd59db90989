// SPDX-License-Identifier: Apache-2.0
/// \file Balance passes that the vectors lack: active balance, queues of pinned tasks, the class of
/// SMT groups, the unsigned difference of idle CPUs (I-66), and claims I-62 and I-63 over random
/// machines.
#include "model/balance/sched_balance_rq.hpp"

#include <gtest/gtest.h>

#include <random>

#include "model/domain/native_domain.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;

/// One domain of CPUs 0 .. n-1 and what a pass for CPU 0 needs. The tasks are cache cold.
struct Pass {
  explicit Pass(std::vector<CpuMask> groups) {
    sd.groups = std::move(groups);
    for (const CpuMask group : sd.groups) {
      sd.span |= group;
      capacities.push_back({std::popcount(group) * kCapacity});
    }
    sd.balance_masks = sd.groups;
    sd.group_flags.assign(sd.groups.size(), 0);
    sd.imbalance_pct = 117;
    sd.share_llc = true;
    sd.cache_nice_tries = 1;
    const auto nr_cpus = static_cast<std::size_t>(std::bit_width(sd.span));
    sd.span_weight = static_cast<int>(nr_cpus);
    m.rq.resize(nr_cpus);
    tasks.resize(nr_cpus);
    for (std::size_t cpu = 0; cpu < nr_cpus; ++cpu) {
      m.rq[cpu].curr = kNoTask;
      m.rq[cpu].clock = 1'000'000'000;
      cpus.push_back({.smt_mask = CpuMask{1} << cpu});
    }
  }

  /// The first task of a CPU runs.
  int add(int cpu, CpuMask allowed = ~CpuMask{0}, std::int64_t exec_start = 0) {
    const int p = static_cast<int>(m.task.size());
    Task<D> task{};
    task.cpu = cpu;
    task.cpus_ptr = allowed;
    task.avg.load_avg = task.avg.util_avg = kCapacity;
    task.exec_start = exec_start;
    m.task.push_back(task);
    Rq<D>& rq = cpu_rq(m, cpu);
    if (rq.curr == kNoTask) rq.curr = p;
    rq.nr_running = rq.nr_running + 1;
    rq.cfs.h_nr_queued = rq.nr_running;
    rq.cfs.avg.load_avg = rq.nr_running * kCapacity;
    rq.cfs.avg.runnable_avg = rq.cfs.avg.load_avg;
    rq.cfs.avg.util_avg = kCapacity;
    tasks[static_cast<std::size_t>(cpu)].push_back(p);
    return p;
  }
  BalanceRqResult<D> run(CpuIdleType idle = CpuIdleType::kIdle) {
    const LbEnv<D> env{.sd = sd, .idle = idle, .dst_cpu = 0, .cpus = sd.span, .cpu = cpus};
    const auto move = [&](int p, int cpu) {
      Rq<D>& from = cpu_rq(m, static_cast<int>(m.task[static_cast<std::size_t>(p)].cpu));
      from.nr_running = from.cfs.h_nr_queued = from.nr_running - 1;
      cpu_rq(m, cpu).nr_running = cpu_rq(m, cpu).cfs.h_nr_queued = cpu_rq(m, cpu).nr_running + 1;
      m.task[static_cast<std::size_t>(p)].cpu = cpu;
    };
    return sched_balance_rq<D>(kernel, m, env, state, capacities, rules, tasks, move);
  }

  KernelSwitches kernel;
  Machine<D> m{};
  SchedDomain sd;
  std::vector<BalanceCpu> cpus;
  std::vector<GroupCapacity> capacities;
  BalanceRqState<D> state{.nr_balance_failed = 0, .balance_interval = 2};
  PassRules rules;
  CfsTasks tasks;
};

TEST(SchedBalanceRq, PullsTheWaitingTaskNotTheRunningOne) {
  Pass pass({1, 2});
  pass.add(1);
  const int waiting = pass.add(1);
  EXPECT_EQ(pass.run().moved, 1);
  EXPECT_EQ(pass.m.task[static_cast<std::size_t>(waiting)].cpu, 0);
  EXPECT_EQ(pass.tasks[1], std::vector<int>{0});
}

TEST(SchedBalanceRq, LeavesACacheHotTaskUntilPassesFailed) {
  Pass pass({1, 2});
  pass.add(1);
  pass.add(1, ~CpuMask{0}, 999'999'999);
  EXPECT_EQ(pass.run().moved, 0);
  EXPECT_EQ(pass.state.nr_balance_failed, 1);
  EXPECT_EQ(pass.run(CpuIdleType::kNewlyIdle).moved, 0);
  EXPECT_EQ(pass.state.nr_balance_failed, 1) << "newidle passes are not counted";
  EXPECT_EQ(pass.run().moved, 0);
  EXPECT_EQ(pass.run().moved, 1) << "two failures are more than cache_nice_tries";
  EXPECT_EQ(pass.state.nr_balance_failed, 0);
}

TEST(SchedBalanceRq, CallsNoTaskHotWithAZeroMigrationCostAndAllWithMinus1) {
  for (const std::int64_t cost : {0, -1}) {
    Pass pass({1, 2});
    pass.rules.migration_cost = cost;
    pass.add(1);
    pass.add(1, ~CpuMask{0}, cost == 0 ? 999'999'999 : 0);
    EXPECT_EQ(pass.run().moved, cost == 0 ? 1 : 0);
  }
}

TEST(SchedBalanceRq, AsksTheStopThreadAfterTriesPlusTwoFailures) {
  Pass pass({1, 2});
  pass.add(1);
  pass.add(1, 2);
  pass.state.nr_balance_failed = 2;
  pass.sd.cache_nice_tries = 1;
  EXPECT_EQ(pass.run().active_balance_from, kNoTask) << "3 failures are not more than 1 + 2";
  EXPECT_EQ(pass.state.nr_balance_failed, 3);
  EXPECT_EQ(pass.run().active_balance_from, 1);
  EXPECT_EQ(pass.state.active_balance, CpuMask{2});
  EXPECT_EQ(pass.run().active_balance_from, kNoTask) << "it was asked already";
}

TEST(SchedBalanceRq, RefusesToPushARunningTaskThatMayNotCome) {
  Pass pass({1, 2});
  pass.add(1, 2);
  pass.add(1, ~CpuMask{0}, 999'999'999);
  pass.sd.cache_nice_tries = 1;
  pass.state.nr_balance_failed = 3;
  pass.rules.percpu_kthread = {false, true};
  pass.state.balance_interval = 2;
  // The waiting one is bound and the running one pinned: nothing is left to push.
  EXPECT_EQ(pass.run().active_balance_from, kNoTask);
  EXPECT_EQ(pass.state.balance_interval, 4);
}

TEST(SchedBalanceRq, LooksAtTheNextQueueWhenAllTasksOfOneArePinned) {
  Pass pass({1, 2 | 4});
  pass.sd.prefer_sibling = true;
  for (int i = 0; i < 3; ++i) pass.add(1, 2);
  pass.add(2);
  pass.add(2);
  EXPECT_EQ(pass.run().moved, 1);
  EXPECT_EQ(cpu_rq(pass.m, 2).nr_running, 1);
  EXPECT_EQ(cpu_rq(pass.m, 1).nr_running, 3);
}

TEST(SchedBalanceRq, MarksTheParentWhenPinnedTasksKeptItUnbalanced) {
  Pass pass({1, 2});
  pass.add(1, 2);
  pass.add(1, 2);
  pass.state.has_parent = true;
  EXPECT_EQ(pass.run().moved, 0);
  EXPECT_TRUE(pass.state.parent_imbalance);
  EXPECT_EQ(pass.state.balance_interval, 4) << "all pinned: wait longer";
}

TEST(SchedBalanceRq, PullsToAnotherCpuOfTheGroupWhatMayNotComeHere) {
  Pass pass({1 | 2, 4 | 8});
  pass.sd.prefer_sibling = true;
  for (int i = 0; i < 4; ++i) pass.add(2, i == 0 ? 4 : 4 | 2);
  EXPECT_GE(pass.run().moved, 1);
  EXPECT_GE(cpu_rq(pass.m, 1).nr_running, 1);
  EXPECT_EQ(cpu_rq(pass.m, 0).nr_running, 0);
}

TEST(SchedBalanceRq, PullsFromBusySiblingsWhereTheyAreAClass) {
  for (const bool smt_balance : {true, false}) {
    Pass pass({1, 2 | 4});
    pass.kernel.smt_balance = smt_balance;
    pass.sd.group_flags[1] = kSdShareCpucapacity;
    pass.cpus[1].smt_mask = pass.cpus[2].smt_mask = 2 | 4;
    pass.add(1);
    pass.add(2);
    pass.sd.cache_nice_tries = 0;
    pass.state.nr_balance_failed = 2;
    EXPECT_EQ(pass.run().active_balance_from, smt_balance ? 1 : kNoTask);
  }
}

TEST(SchedBalanceRq, PullsALoneTaskFromACpuOfReducedCapacity) {
  Pass pass({1, 2});
  pass.add(1);
  EXPECT_TRUE(pass.run().no_busiest);
  pass.cpus[1].capacity = 500;
  EXPECT_EQ(pass.run().active_balance_from, 1);
}

// I-66: the busiest group has more idle CPUs than the local one, which has spare capacity because
// its tasks are light; two u32 are subtracted.
TEST(CalculateImbalance, WrapsWhereTheBusiestGroupHasMoreIdleCpus) {
  Pass pass({1 | 2, 4 | 8});
  pass.add(1);
  cpu_rq(pass.m, 1).cfs.avg.util_avg = 100;
  for (int i = 0; i < 4; ++i) pass.add(2);
  cpu_rq(pass.m, 0).nr_running = 1;
  const LbEnv<D> fixed{.sd = pass.sd,
                       .idle = CpuIdleType::kNotIdle,
                       .dst_cpu = 0,
                       .cpus = pass.sd.span,
                       .cpu = pass.cpus};
  LbEnv<D> env = fixed;
  const auto sds = update_sd_lb_stats<D>(pass.kernel, pass.m, env, pass.capacities);
  EXPECT_EQ(sds.busiest.stats.group_type, kOverloaded);
  EXPECT_EQ(find_src_group<D>(pass.kernel, env, sds), 1);
  EXPECT_EQ(env.imbalance, 2147483647);
  EXPECT_EQ(env.migration_type, MigrationType::kTask);
}

TEST(SiblingImbalance, IsPerCoreAndForIdleCpusSinceV6_6) {
  const auto imbalance = [](SiblingImbalance rule, CpuIdleType idle, int tasks) {
    Pass pass({1, 2 | 4 | 8});
    pass.kernel.sibling_imbalance = rule;
    for (int i = 0; i < tasks; ++i) pass.add(1 + i % 3);
    const LbEnv<D> env{
        .sd = pass.sd, .idle = idle, .dst_cpu = 0, .cpus = pass.sd.span, .cpu = pass.cpus};
    return sibling_imbalance<D>(pass.kernel, env,
                                update_sd_lb_stats<D>(pass.kernel, pass.m, env, pass.capacities));
  };
  EXPECT_EQ(imbalance(SiblingImbalance::kNrDifference, CpuIdleType::kNotIdle, 3), 3);
  EXPECT_EQ(imbalance(SiblingImbalance::kPerCore, CpuIdleType::kNotIdle, 3), 0);
  EXPECT_EQ(imbalance(SiblingImbalance::kPerCore, CpuIdleType::kIdle, 3), 2);
  EXPECT_EQ(imbalance(SiblingImbalance::kPerCore, CpuIdleType::kIdle, 6), 4);
}

// I-62, I-63.
TEST(SchedBalanceRq, NeverMovesARunningOrForbiddenTaskOrTheLastOneToAnIdleCpu) {
  std::mt19937 random(1);
  std::int64_t moved = 0;
  for (int round = 0; round < 3000; ++round) {
    Pass pass(round % 2 == 0 ? std::vector<CpuMask>{1, 2, 4, 8}
                             : std::vector<CpuMask>{1 | 2, 4 | 8});
    pass.kernel = parse_kernel(round % 3 == 0 ? "v6.1" : "v6.12").switches;
    pass.sd.share_llc = random() % 2 == 0;
    pass.sd.prefer_sibling = random() % 2 == 0;
    for (auto i = random() % 9; i > 0; --i)
      pass.add(static_cast<int>(random() % 4), 1 + random() % 15, random() % 2 * 999'999'999);
    const bool was_idle = cpu_rq(pass.m, 0).nr_running == 0;
    const CpuIdleType idle = !was_idle           ? CpuIdleType::kNotIdle
                             : random() % 2 == 0 ? CpuIdleType::kIdle
                                                 : CpuIdleType::kNewlyIdle;
    const Machine<D> before = pass.m;
    moved += pass.run(idle).moved;
    for (std::size_t p = 0; p < before.task.size(); ++p) {
      const auto from = static_cast<int>(before.task[p].cpu);
      const auto to = static_cast<int>(pass.m.task[p].cpu);
      if (from == to) continue;
      EXPECT_NE(cpu_rq(before, from).curr, static_cast<std::int64_t>(p));
      EXPECT_TRUE(D::bit(before.task[p].cpus_ptr, to));
      EXPECT_GE(cpu_rq(pass.m, from).nr_running, 1);
    }
  }
  EXPECT_GT(moved, 200);
}

}  // namespace
}  // namespace schedcheck
