// SPDX-License-Identifier: Apache-2.0
/// \file The seven rules of newidle_fail: what each does to a domain's cost, and that no two are
/// the same.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "model/balance/sched_balance_newidle.hpp"
#include "model/domain/native_domain.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;
using Costs = std::vector<std::int64_t>;

constexpr std::array<NewidleFail, 7> kRules = {
    NewidleFail::kNone,           NewidleFail::kRfcV1,
    NewidleFail::kRfcNewidleOnly, NewidleFail::kAddMigrationCost,
    NewidleFail::kX1_5Cap,        NewidleFail::kNiRandom,
    NewidleFail::kNiRate};

KernelSwitches with(NewidleFail rule, std::int32_t migration_cost = 500'000) {
  KernelSwitches kernel;
  kernel.newidle_fail = rule;
  kernel.sysctl_sched_migration_cost = migration_cost;
  return kernel;
}

/// A domain that newidle passes visit, all within one jiffy.
class Domain {
 public:
  explicit Domain(const KernelSwitches& kernel, std::int64_t cost = 0) : kernel_(kernel) {
    sd.max_newidle_lb_cost = cost;
  }

  /// A pass that takes `measured` ns; false: the dice (0 to 1023) kept it from running.
  bool pass(std::int64_t measured, bool pulled, std::int64_t dice = 0, bool no_busiest = true) {
    const auto weight = newidle_weight<D>(kernel_, clock, sd, [&] { return dice; });
    if (weight == 0) return false;
    if (!pulled && no_busiest) note_no_busiest<D>(kernel_, clock, sd, true);
    account_newidle_pass<D>(kernel_, clock, sd, measured, weight, pulled);
    return true;
  }
  void periodic_without_busiest() { note_no_busiest<D>(kernel_, clock, sd, false); }
  Costs costs_of_failures(int passes, std::int64_t measured) {
    Costs costs;
    for (int i = 0; i < passes; ++i) {
      pass(measured, false);
      costs.push_back(sd.max_newidle_lb_cost);
    }
    return costs;
  }

  NewidleCost<D> sd;
  CostClock<D> clock{.jiffies = 0, .hz = 1000, .now_ns = std::int64_t{1} << 40};

 private:
  KernelSwitches kernel_;
};

TEST(NewidleFail, CapsTheCostThatGrowsByHalfAtTheMigrationCostAnd200) {
  const Costs expected = {1500,  2250,  3375,   5062,   7593,   11389,  17083,  25624,  38436,
                          57654, 86481, 129721, 194581, 291871, 437806, 500200, 500200, 500200};
  EXPECT_EQ(Domain(with(NewidleFail::kX1_5Cap), 1000).costs_of_failures(18, 1500), expected);
  EXPECT_EQ(Domain(with(NewidleFail::kRfcV1), 1000).costs_of_failures(18, 1500), expected);
}

TEST(NewidleFail, LetsAZeroMigrationCostCapTheCostAt200) {
  EXPECT_EQ(Domain(with(NewidleFail::kX1_5Cap, 0), 150).costs_of_failures(2, 9000),
            (Costs{200, 200}));
  EXPECT_EQ(Domain(with(NewidleFail::kAddMigrationCost, 0), 0).costs_of_failures(2, 9000),
            (Costs{9000, 9000}));
}

TEST(NewidleFail, NeverGrowsFromCost0Or1UnderX1_5) {
  for (const std::int64_t start : {0, 1})
    EXPECT_EQ(Domain(with(NewidleFail::kX1_5Cap), start).costs_of_failures(20, 100'000),
              Costs(20, start));
  EXPECT_EQ(Domain(with(NewidleFail::kX1_5Cap), 2).costs_of_failures(2, 100'000), (Costs{3, 4}));
}

TEST(NewidleFail, RaisesTheCostInAPeriodicPassOnlyUnderRfcV1) {
  for (const NewidleFail rule : kRules) {
    Domain domain(with(rule));
    domain.pass(2, false);
    const std::int64_t before = domain.sd.max_newidle_lb_cost;
    domain.periodic_without_busiest();
    EXPECT_EQ(domain.sd.max_newidle_lb_cost > before, rule == NewidleFail::kRfcV1)
        << static_cast<int>(rule);
  }
  Domain measured_one(with(NewidleFail::kRfcV1));
  measured_one.pass(1, false);
  measured_one.periodic_without_busiest();
  EXPECT_EQ(measured_one.sd.max_newidle_lb_cost, 1) << "half of 1 is nothing";
}

TEST(NewidleFail, DoesNotPunishAPassThatPulled) {
  for (const NewidleFail rule : kRules) {
    Domain domain(with(rule), 1000);
    domain.pass(1500, true);
    EXPECT_EQ(domain.sd.max_newidle_lb_cost, 1500) << static_cast<int>(rule);
  }
}

TEST(NewidleFail, SeparatesNothingPulledFromNoBusiestGroup) {
  Domain rfc(with(NewidleFail::kRfcV1), 1000);
  rfc.pass(500, false, 0, false);
  EXPECT_EQ(rfc.sd.max_newidle_lb_cost, 1000) << "all candidates pinned or hot: not the RFC's case";
  Domain merged(with(NewidleFail::kX1_5Cap), 1000);
  merged.pass(500, false, 0, false);
  EXPECT_EQ(merged.sd.max_newidle_lb_cost, 1500);
}

TEST(NewidleFail, KeepsTryingUnderNiRandomHoweverOftenItFailed) {
  Domain domain(with(NewidleFail::kNiRandom));
  domain.costs_of_failures(20'000, 1000);
  EXPECT_EQ(domain.sd.newidle_ratio, 0);
  EXPECT_TRUE(domain.pass(1000, false, 0));
  EXPECT_TRUE(domain.pass(1000, false, 1));
  EXPECT_FALSE(domain.pass(1000, false, 2));
  EXPECT_EQ(domain.sd.max_newidle_lb_cost, 1000)
      << "failures never raise it beyond what passes took";
}

/// 512 attempts that nobody wins, then what the ratio has become when they took `ns` in all.
std::int64_t ratio_after(NewidleFail rule, std::int64_t ns) {
  Domain domain(with(rule));
  domain.sd.newidle_stamp = domain.clock.now_ns - ns;
  domain.costs_of_failures(512, 1000);
  return domain.sd.newidle_ratio;
}

TEST(NewidleFail, TakesRareAttemptsForFreeUnderNiRate) {
  EXPECT_EQ(ratio_after(NewidleFail::kNiRandom, 5'000'000'000), 256);
  EXPECT_EQ(ratio_after(NewidleFail::kNiRate, 0), 256);
  EXPECT_EQ(ratio_after(NewidleFail::kNiRate, 1 << 24), 256 + 4);
  EXPECT_EQ(ratio_after(NewidleFail::kNiRate, 5'000'000'000), 1024);
  Domain free(with(NewidleFail::kNiRate));
  free.sd.newidle_ratio = 1024;
  EXPECT_TRUE(free.pass(1000, false, 1023)) << "no dice at 1024";
}

/// Everything above that a rule may show, as numbers.
Costs behaviour(NewidleFail rule) {
  Domain failing(with(rule), 1000);
  Costs all = failing.costs_of_failures(3, 900);
  failing.periodic_without_busiest();
  all.push_back(failing.sd.max_newidle_lb_cost);
  const Costs from_zero = Domain(with(rule)).costs_of_failures(3, 900);
  all.insert(all.end(), from_zero.begin(), from_zero.end());
  all.push_back(Domain(with(rule)).pass(900, false, 1000) ? 1 : 0);
  all.push_back(ratio_after(rule, 5'000'000'000));
  return all;
}

TEST(NewidleFail, HasNoTwoValuesThatBehaveAlike) {
  for (std::size_t a = 0; a < kRules.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_NE(behaviour(kRules[a]), behaviour(kRules[b])) << a << " and " << b;
}

TEST(NewidleDecay, WaitsASecondAfterARaiseSinceV5_16) {
  for (const bool waits : {true, false}) {
    KernelSwitches kernel = with(NewidleFail::kNone);
    kernel.newidle_decay_wait_1s = waits;
    NewidleCost<D> sd;
    update_newidle_cost<D>(kernel, {.jiffies = 900, .hz = 1000}, sd, 256'000);
    const CostClock<D> later{.jiffies = 1001, .hz = 1000};
    EXPECT_EQ(update_newidle_cost<D>(kernel, later, sd, 0, true), !waits);
    EXPECT_EQ(sd.max_newidle_lb_cost, waits ? 256'000 : 253'000);
  }
}

TEST(NewidleDecay, ComesStrictlyAfterASecond) {
  const KernelSwitches kernel = with(NewidleFail::kNone);
  NewidleCost<D> sd;
  sd.max_newidle_lb_cost = 256;
  EXPECT_FALSE(update_newidle_cost<D>(kernel, {.jiffies = 1000, .hz = 1000}, sd, 0, true));
  EXPECT_TRUE(update_newidle_cost<D>(kernel, {.jiffies = 1001, .hz = 1000}, sd, 0, true));
  EXPECT_EQ(sd.max_newidle_lb_cost, 253);
}

/// Balancing finds nothing and takes 1000 ns a level.
struct IdleWorld {
  std::int64_t now = 0, blocked_ns = 0;
  int passes = 0;
  bool task_comes = false;

  [[nodiscard]] std::int64_t clock_ns() const { return now; }
  void update_blocked() { now += blocked_ns; }
  static std::int64_t dice() { return 0; }
  NewidlePass<D> balance(std::size_t /*level*/, NewidleRq<D>& rq) {
    ++passes;
    now += 1000;
    if (task_comes) rq.nr_running = rq.h_nr_queued = 1;
    return {};
  }
};

int passes_of(const KernelSwitches& kernel, std::int64_t avg_idle, IdleWorld world,
              std::int64_t cost = 0) {
  NewidleRq<D> rq;
  rq.avg_idle = avg_idle;
  std::vector<BalanceState<D>> domains(2);
  for (BalanceState<D>& sd : domains) {
    sd.balance_interval = 4;
    sd.cost.max_newidle_lb_cost = cost;
  }
  sched_balance_newidle<D>(kernel, {.jiffies = 1000}, rq, std::span(domains), world);
  return world.passes;
}

TEST(NewidleGate, ComparesTheIdleTimeWithTheMigrationCostBeforeV5_16) {
  KernelSwitches kernel;
  EXPECT_EQ(passes_of(kernel, 400'000, {}), 2);
  EXPECT_EQ(passes_of(kernel, 1500, {}, 1200), 1) << "the second level would be too late";
  EXPECT_EQ(passes_of(kernel, 1100, {}, 1200), 0);
  kernel.newidle_gate = NewidleGate::kMigrationCost;
  EXPECT_EQ(passes_of(kernel, 499'999, {}), 0);
  EXPECT_EQ(passes_of(kernel, 500'000, {}), 2);
  kernel.sysctl_sched_migration_cost = 0;
  EXPECT_EQ(passes_of(kernel, 0, {}), 1);
}

TEST(NewidleGate, NeverSkipsAPassThatLessIdleTimeAllows) {
  for (const NewidleFail rule : kRules)
    for (std::int64_t cost = 0; cost < 4000; cost += 500) {
      int before = 0;
      for (std::int64_t avg_idle = 0; avg_idle < 8000; avg_idle += 250) {
        const int passes = passes_of(with(rule), avg_idle, {}, cost);
        EXPECT_GE(passes, before);
        before = passes;
      }
    }
}

TEST(NewidleStop, EndsWhenATaskCameBeforeV6_10) {
  KernelSwitches kernel;
  const IdleWorld woken{.task_comes = true};
  EXPECT_EQ(passes_of(kernel, 400'000, woken), 2);
  kernel.newidle_stop = NewidleStop::kNrRunning;
  EXPECT_EQ(passes_of(kernel, 400'000, woken), 1);
}

TEST(NewidleCost, ContainsTheBlockedUpdateSinceV5_16) {
  for (const bool charges : {true, false}) {
    KernelSwitches kernel;
    kernel.newidle_charges_blocked = charges;
    NewidleRq<D> rq;
    std::vector<BalanceState<D>> domains(1);
    domains[0].balance_interval = 4;
    IdleWorld world{.blocked_ns = 300};
    sched_balance_newidle<D>(kernel, {.jiffies = 1000}, rq, std::span(domains), world);
    EXPECT_EQ(domains[0].cost.max_newidle_lb_cost, charges ? 1300 : 1000);
  }
}

}  // namespace
}  // namespace schedcheck
