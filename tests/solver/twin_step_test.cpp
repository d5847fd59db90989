// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every model step, read twice. Goal: the symbolic reading is the native one, leaf by leaf.
/// Method: seeded random native runs; before each event the state is copied into the symbolic
/// reading, as constants and as free symbols pinned to the native numbers, and the event is read
/// both ways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "tests/solver/twin_random.hpp"
#include "tests/support/twin.hpp"

namespace schedcheck {
namespace {

using Native = Machine<NativeDomain>;
using Symbolic = Machine<Z3Domain>;
using twin::Dice;
using twin::kGridNs;

struct Counts {
  std::array<std::uint64_t, kQueryEventKinds> steps{};
  std::uint64_t leaves = 0, free_leaves = 0, symbolic_steps = 0, symbols = 0;
  std::uint64_t region_runs = 0, obligations = 0;
};

/// The first difference between the two results, or nothing. `value_of` gives the symbolic number.
template <class S, class ValueOf>
std::string first_difference(Native& native, S& symbolic, const ValueOf& value_of,
                             std::uint64_t& leaves) {
  std::string difference;
  walk_leaf_pairs(
      "leaf ", native, symbolic, [&](const std::string& path, auto& mine, auto& theirs) {
        ++leaves;
        const std::string theirs_is = value_of(theirs);
        if (difference.empty() && theirs_is != std::to_string(twin::number(mine)))
          difference =
              path + ": native " + std::to_string(twin::number(mine)) + ", symbolic " + theirs_is;
      });
  return difference;
}

/// A leaf that must be constant.
struct ConstantValue {
  std::string operator()(const Z3Bool& x) const {
    return x.is_constant() ? (x.constant() ? "1" : "0") : "not constant";
  }
  std::string operator()(const Z3Int& x) const {
    return x.is_constant() ? std::to_string(x.lo()) : "not constant";
  }
};

/// A leaf in the model of the pins. Its interval must hold the value.
struct PinnedValue {
  const twin::Pins& pins;
  std::string operator()(const Z3Bool& x) const { return pins.holds(x) ? "1" : "0"; }
  std::string operator()(const Z3Int& x) const {
    const std::int64_t value = pins.value(x);
    const bool inside = x.lo() <= value && value <= x.hi();
    return std::to_string(value) + (inside ? "" : " outside its interval");
  }
};

/// The event on native values as constants: every leaf of the result must be the native constant.
template <class D = Z3Domain>
std::string twin_as_constants(const Model& model, Native before, Native after, const Event& event,
                              Counts& counts) {
  auto m = constants<Machine<D>>(before);
  const std::size_t obligations = Z3Session::current().obligations().size();
  step<D>(model, m, event);
  if (Z3Session::current().obligations().size() != obligations)
    return "constants left an obligation";
  return first_difference(after, m, ConstantValue{}, counts.leaves);
}

/// Replaces leaves of a copied state by pinned symbols; which ones and how wide is drawn.
class Freedom {
 public:
  /// `ticks`: every tick of the event multiplies the paths, so there is less freedom then.
  Freedom(Dice& dice, twin::Pins& pins, const Model& model, bool ticks, bool on_grid)
      : dice_(dice),
        pins_(pins),
        model_(model),
        on_grid_(on_grid),
        percent_(
            dice.pick(ticks ? std::array<int, 3>{10, 20, 30} : std::array<int, 3>{20, 45, 70})),
        slack_max_(dice.chance(ticks ? 10 : 40) ? 2 * kWindowNs : 3000) {}

  void free(Symbolic& m) {
    time(m.now, kBootTime);
    for (auto& rq : m.rq) free(rq, m);
    for (auto& task : m.task) free(task);
    for (auto& cpu : m.ledger.accounts)
      for (auto& account : cpu) {
        around(account.balance, -(std::int64_t{1} << 40), std::int64_t{1} << 40);
        around(account.pending, 0, 4096);
        around(account.residue_units, 0, 100'000);
        boolean(account.pending_death);
      }
  }
  Z3Int duration(std::int64_t value) { return near(value, 1); }

 private:
  [[nodiscard]] bool wanted() { return dice_.chance(percent_); }
  void around(Z3Int& leaf, std::int64_t lo, std::int64_t hi) {
    if (!wanted()) return;
    const std::int64_t value = leaf.lo();
    leaf = pins_.integer(value, std::min(lo, value), std::max(hi, value));
  }
  void time(Z3Int& leaf, std::int64_t lo) {
    if (!wanted() || leaf.lo() == 0) return;
    const std::int64_t value = leaf.lo();
    leaf = near(value, std::min(lo, value));
  }
  /// A symbol around `value`, at least lo.
  [[nodiscard]] Z3Int near(std::int64_t value, std::int64_t lo) {
    const std::int64_t step = on_grid_ ? kGridNs : 1;
    const std::int64_t slack =
        on_grid_ ? dice_.between(1, 1 + slack_max_ / kGridNs) : dice_.between(1, slack_max_);
    const std::int64_t below = std::min(slack, (value - lo) / step);
    return pins_.integer(value, value - below * step, value + slack * step, step);
  }
  void boolean(Z3Bool& leaf) {
    if (wanted()) leaf = pins_.boolean(leaf.constant());
  }
  void free(SchedAvg<Z3Domain>& avg, bool queue) {
    time(avg.last_update_time, 0);
    around(avg.load_sum, 0, queue ? std::int64_t{1} << 34 : kLoadAvgMax);
    around(avg.runnable_sum, 0, std::int64_t{1} << 32);
    around(avg.util_sum, 0, kU32Max);
    around(avg.load_avg, 0, 1 << 20);
    around(avg.runnable_avg, 0, 8192);
    around(avg.util_avg, 0, 2048);
    period(avg.period_contrib);
  }
  /// Few or many positions in the window: division by the position is split or is not.
  void period(Z3Int& leaf) {
    if (!wanted()) return;
    const std::int64_t value = leaf.lo();
    const std::int64_t step = dice_.pick(std::array<std::int64_t, 3>{64, 16, 1});
    const std::int64_t first = value % step;
    leaf = pins_.integer(value, first, first + (1023 - first) / step * step, step);
  }
  void free(Rq<Z3Domain>& rq, const Symbolic& m) {
    const auto tasks = static_cast<std::int64_t>(m.task.size());
    time(rq.clock, 0);
    around(rq.idle_stamp, 0, 2 * kBootTime);
    around(rq.nr_running, 0, tasks);
    around(rq.cfs.h_nr_queued, 0, tasks);
    around(rq.cfs.load_weight, 0, tasks * kMaxWeight * 1024);
    around(rq.cfs.h_nr_runnable, 0, tasks);
    for (Z3Int* curr : {static_cast<Z3Int*>(&rq.curr), static_cast<Z3Int*>(&rq.cfs.curr)})
      around(*curr, std::max<std::int64_t>(curr->lo() - 1, kNoTask),
             std::min(curr->lo() + 1, tasks - 1));
    free(rq.cfs.avg, true);
    around(rq.cfs.removed.nr, 0, 3);
    around(rq.cfs.removed.util_avg, 0, 2048);
    around(rq.cfs.removed.load_avg, 0, 1 << 20);
    around(rq.cfs.removed.runnable_avg, 0, 4096);
    around(rq.cfs.removed.util_sum, 0, std::int64_t{1} << 30);
    around(rq.ghost.clamp, -(std::int64_t{1} << 40), std::int64_t{1} << 40);
    around(rq.ghost.rounding, 0, 1 << 20);
    around(rq.ghost.dead_run_sum, 0, std::int64_t{1} << 34);
    around(rq.ghost.busy_sum, 0, std::int64_t{1} << 34);
  }
  void free(Task<Z3Domain>& task) {
    around(task.state, 0, 3);
    around(task.cpu, 0, model_.topology.nr_cpus - 1);
    around(task.load_weight, 1, kMaxWeight * 1024);
    boolean(task.on_rq);
    around(task.cpus_ptr, 0, static_cast<std::int64_t>(model_.topology.all));
    free(task.avg, false);
    around(task.ghost.unsynced_units, 0, 1 << 20);
    around(task.ghost.before_exit_units, 0, 1 << 20);
    boolean(task.ghost.exiting);
  }

  Dice& dice_;
  twin::Pins& pins_;
  const Model& model_;
  bool on_grid_;
  int percent_;
  std::int64_t slack_max_;
};

/// The event on native values as pinned symbols: in the model of the pins every leaf of the result
/// must have the native value, and every obligation must hold.
std::string twin_as_symbols(const Model& model, Native before, Native after, const Event& event,
                            bool on_grid, Z3Session& session, Dice& dice, Counts& counts) {
  session.forget();
  const std::uint64_t runs_before = session.region_runs;
  twin::Pins pins;
  auto m = constants<Symbolic>(before);
  Freedom freedom(dice, pins, model, model.tick_ns > 0 && event.duration_ns > 0, on_grid);
  freedom.free(m);
  if (event.duration_ns > 0) {
    m.event = EventGhost<Z3Domain>{};
    m.event.residue_cpu = -1;
    const Z3Int duration = freedom.duration(event.duration_ns);
    Z3Domain::join([&] { dispatch<Z3Domain>(model, m, event, duration, NoObserver{}); }, m);
  } else {
    step<Z3Domain>(model, m, event);
  }
  if (!pins.solve()) return "the pinned state does not exist";
  ++counts.symbolic_steps;
  counts.symbols += pins.size();
  counts.obligations += session.obligations().size();
  counts.region_runs += session.region_runs - runs_before;
  for (const Obligation& obligation : session.obligations())
    if (!pins.holds(obligation.holds)) return "obligation fails: " + obligation.what;
  return first_difference(after, m, PinnedValue{pins}, counts.free_leaves);
}

/// One random run; each event is read natively and as constants, some as symbols too.
void twin_run(const std::string& topology, std::int64_t tick_ns, const std::string& kernel,
              std::uint64_t seed, Counts& counts) {
  constexpr int kEvents = 16;
  constexpr int kSymbolsPercent = 60;
  Dice dice(seed);
  Z3Session session(dice.chance(50) ? Theory::kBitVector : Theory::kInteger);
  const Schedule schedule = twin::random_start(dice, topology, tick_ns, kernel);
  Model model = make_model(schedule);
  model.ledger = dice.chance(75);
  const bool on_grid = dice.chance(40);
  Native m = initial_machine(model, schedule, 0);
  for (int i = 0; i < kEvents; ++i) {
    const Event event = twin::random_enabled_event(dice, model, m, on_grid, 1000);
    const Native before = m;
    step<NativeDomain>(model, m, event);
    ++counts.steps[static_cast<std::size_t>(event.kind)];
    const std::string where = topology + " " + kernel + " tick " + std::to_string(tick_ns) +
                              ", seed " + std::to_string(seed) + ", event " + std::to_string(i) +
                              ": " + describe(event);
    ASSERT_EQ(twin_as_constants(model, before, m, event, counts), "") << where;
    const bool few_ticks = tick_ns == 0 || event.duration_ns / tick_ns <= 2;
    if (few_ticks && dice.chance(kSymbolsPercent)) {
      ASSERT_EQ(twin_as_symbols(model, before, m, event, on_grid, session, dice, counts), "")
          << where;
    }
  }
}

/// Prints what was compared; every kind of event must have come up, and regions must have forked.
void report(const Counts& counts) {
  std::uint64_t steps = 0;
  std::string kinds;
  for (std::size_t i = 0; i < kQueryEventKinds; ++i) {
    EXPECT_GT(counts.steps[i], 0U) << kEventNames[i];
    steps += counts.steps[i];
    kinds += " " + std::string(kEventNames[i]) + " " + std::to_string(counts.steps[i]);
  }
  EXPECT_GT(counts.region_runs, 20 * counts.symbolic_steps);
  EXPECT_GT(counts.symbols, 20 * counts.symbolic_steps);
  std::cout << "twin: " << steps << " steps (" << kinds << " ), " << counts.leaves
            << " leaves as constants; " << counts.symbolic_steps << " steps with " << counts.symbols
            << " pinned symbols, " << counts.free_leaves << " leaves, " << counts.region_runs
            << " region runs, " << counts.obligations << " obligations\n";
}

TEST(TwinStep, AgreesOnOneCacheWithEveryTick) {
  Counts counts;
  for (const std::int64_t tick_ns : {0, 1'048'576, 4'000'000})
    for (const char* topology : {"smp:2", "smp:3"})
      for (std::uint64_t seed = 1; seed <= 28 && !HasFatalFailure(); ++seed)
        twin_run(topology, tick_ns, "v6.12", seed, counts);
  report(counts);
}

TEST(TwinStep, AgreesOnSeveralCachesNodesAndThreads) {
  Counts counts;
  for (const char* topology : {"llc:2x2", "numa:2x2", "smt:2x2"})
    for (std::uint64_t seed = 1; seed <= 20 && !HasFatalFailure(); ++seed)
      twin_run(topology, 4'000'000, "v6.12", seed, counts);
  report(counts);
}

TEST(TwinStep, AgreesForEveryValueOfEverySwitch) {
  Counts counts;
  std::uint64_t seed = 1000;
  for (const SwitchInfo& info : switch_catalogue())
    for (const SwitchValue& value : info.values) {
      if (!info.in_events) continue;
      const std::string kernel = "v6.12," + std::string(info.name) + "=" + std::string(value.name);
      for (int i = 0; i < 8 && !HasFatalFailure(); ++i)
        twin_run(i % 2 == 0 ? "llc:2x2" : "smp:2", 4'000'000, kernel, ++seed, counts);
    }
  report(counts);
}

/// A pair of states around one exit with the full move, in `model`.
struct ExitStep {
  Model model;
  Native before, after;
  Event event;

  ExitStep() {
    Schedule schedule;
    schedule.round_robin = true;
    schedule.kernel = "v6.12,exit_move=full";
    schedule.tasks = {InitialTask{}, InitialTask{}};
    model = make_model(schedule);
    before = initial_machine(model, schedule, 0);
    event.duration_ns = 700'000;
    step<NativeDomain>(model, before, event);
    event.kind = EventKind::kExit;
    event.duration_ns = 3'000'000;
    after = before;
    step<NativeDomain>(model, after, event);
  }
};

/// Rounds decays up.
struct WrongDomain : Z3Domain {
  static Z3Int mul_shr32(const Z3Int& x, std::uint32_t c) {
    return Z3Domain::mul_shr32(x, c) + Z3Int(1);
  }
};

// The twin test must be able to fail: a wrong operation, and another switch value on one side.
TEST(TwinStep, NoticesAWrongOperation) {
  const Z3Session session(Theory::kBitVector);
  const ExitStep exit;
  Counts counts;
  EXPECT_EQ(twin_as_constants(exit.model, exit.before, exit.after, exit.event, counts), "");
  EXPECT_THAT(
      twin_as_constants<WrongDomain>(exit.model, exit.before, exit.after, exit.event, counts),
      ::testing::HasSubstr("native"));
}

TEST(TwinStep, NoticesAnotherSwitchValue) {
  Z3Session session(Theory::kBitVector);
  ExitStep exit;
  exit.model.kernel.exit_move = ExitMove::kNone;
  Counts counts;
  Dice dice(1);
  EXPECT_THAT(twin_as_constants(exit.model, exit.before, exit.after, exit.event, counts),
              ::testing::HasSubstr("native"));
  EXPECT_THAT(twin_as_symbols(exit.model, exit.before, exit.after, exit.event, false, session, dice,
                              counts),
              ::testing::HasSubstr("native"));
}

}  // namespace
}  // namespace schedcheck
