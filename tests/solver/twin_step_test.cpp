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
#include <random>
#include <string>
#include <vector>

#include "model/schedule.hpp"
#include "tests/support/twin.hpp"

namespace schedcheck {
namespace {

using Native = Machine<NativeDomain>;
using Symbolic = Machine<Z3Domain>;

struct Counts {
  std::uint64_t steps[kEventKinds] = {};
  std::uint64_t leaves = 0, free_leaves = 0, symbolic_steps = 0, symbols = 0;
  std::uint64_t region_runs = 0, obligations = 0;
};

/// Random states, events and choices; one seed fixes all.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::int64_t between(std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T, std::size_t kN>
  T pick(const std::array<T, kN>& from) {
    return from[static_cast<std::size_t>(between(0, kN - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

Schedule random_start(Dice& dice, const std::string& topology, std::int64_t tick_ns,
                      const std::string& kernel) {
  constexpr std::array<std::int64_t, 4> kWeights = {1024, 1024, 335, 88761};
  Schedule schedule;
  schedule.topology = topology;
  schedule.tick_ns = tick_ns;
  schedule.kernel = kernel;
  schedule.max_tasks = static_cast<int>(dice.between(3, 5));
  const int nr_cpus = make_model(schedule).topology.nr_cpus;
  schedule.tasks.clear();
  for (std::int64_t i = dice.between(1, 3); i > 0; --i) {
    InitialTask task;
    task.cpu = static_cast<int>(dice.between(0, nr_cpus - 1));
    task.weight = dice.pick(kWeights);
    if (dice.chance(30)) task.cpus = (CpuMask{1} << task.cpu) | CpuMask(dice.between(0, 15));
    if (dice.chance(30)) task.util_avg = dice.between(0, 1024);
    task.blocked = dice.chance(30);
    schedule.tasks.push_back(task);
  }
  return schedule;
}

Event random_event(Dice& dice, const Model& model) {
  // Forks, exits, blocks and wakes need a task in the right state, so they are drawn more often.
  constexpr std::array<EventKind, 12> kKinds = {
      EventKind::kRun,  EventKind::kRun,         EventKind::kFork,          EventKind::kFork,
      EventKind::kExit, EventKind::kExit,        EventKind::kBlock,         EventKind::kBlock,
      EventKind::kWake, EventKind::kSetAffinity, EventKind::kUpdateBlocked, EventKind::kWake};
  constexpr std::array<std::int64_t, 9> kDurations = {
      1, 1000, 65'536, 700'000, 1'048'576, 2'500'000, 4'000'000, 9'000'001, 40'000'000};
  Event event;
  event.kind = dice.pick(kKinds);
  event.task = static_cast<int>(dice.between(0, model.max_tasks - 1));
  event.cpu = static_cast<int>(dice.between(0, model.topology.nr_cpus - 1));
  event.cpus = CpuMask(dice.between(1, static_cast<std::int64_t>(model.topology.all)));
  if (event.kind == EventKind::kRun) {
    event.duration_ns = dice.pick(kDurations);
  } else if (event.kind == EventKind::kExit) {
    if (dice.chance(60)) event.duration_ns = dice.pick(kDurations) / 4;
    if (dice.chance(50)) event.wakes = static_cast<int>(dice.between(0, model.max_tasks - 1));
  }
  return event;
}

Event random_enabled_event(Dice& dice, const Model& model, const Native& m) {
  for (;;) {
    const Event event = random_event(dice, model);
    if (enabled<NativeDomain>(model, m, event)) return event;
  }
}

/// The first difference between the two results, or nothing. `value_of` gives the symbolic number.
template <class S, class ValueOf>
std::string first_difference(Native& native, S& symbolic, const ValueOf& value_of,
                             std::uint64_t& leaves) {
  std::string difference;
  twin::walk("leaf ", native, symbolic, [&](const std::string& path, auto& mine, auto& theirs) {
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
  auto m = twin::constants<Machine<D>>(before);
  const std::size_t obligations = Z3Session::current().obligations.size();
  step<D>(model, m, event);
  if (Z3Session::current().obligations.size() != obligations) return "constants left an obligation";
  return first_difference(after, m, ConstantValue{}, counts.leaves);
}

/// Replaces leaves of a copied state by pinned symbols; which ones and how wide is drawn.
class Freedom {
 public:
  /// `ticks`: every tick of the event multiplies the paths, so there is less freedom then.
  Freedom(Dice& dice, twin::Pins& pins, const Model& model, bool ticks)
      : dice_(dice),
        pins_(pins),
        model_(model),
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
  Z3Int duration(std::int64_t value) {
    const std::int64_t slack = dice_.between(1, slack_max_);
    return pins_.integer(value, std::max<std::int64_t>(value - slack, 1), value + slack);
  }

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
    const std::int64_t slack = dice_.between(1, slack_max_);
    leaf = pins_.integer(value, std::max(std::min(lo, value), value - slack), value + slack);
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
    around(rq.cfs.load_weight, 0, tasks * kMaxWeight);
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
    around(task.load_weight, 1, kMaxWeight);
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
  int percent_;
  std::int64_t slack_max_;
};

/// The event on native values as pinned symbols: in the model of the pins every leaf of the result
/// must have the native value, and every obligation must hold.
std::string twin_as_symbols(const Model& model, Native before, Native after, const Event& event,
                            Z3Session& session, Dice& dice, Counts& counts) {
  session.obligations.clear();
  session.assumptions.clear();
  const std::uint64_t runs_before = session.region_runs;
  twin::Pins pins;
  auto m = twin::constants<Symbolic>(before);
  Freedom freedom(dice, pins, model, model.tick_ns > 0 && event.duration_ns > 0);
  freedom.free(m);
  if (event.duration_ns > 0) {
    m.event = EventGhost<Z3Domain>{};
    m.event.residue_cpu = -1;
    const Z3Int duration = freedom.duration(event.duration_ns);
    Z3Domain::join([&] { dispatch<Z3Domain>(model, m, event, duration, NoObserver{}); }, m);
  } else {
    step<Z3Domain>(model, m, event);
  }
  static clock_t last;
  clock_t t0 = clock();
  struct T {
    clock_t a;
    const Event& e;
    Z3Session& s;
    uint64_t r;
    const Model& mo;
    ~T() {
      double ms = (clock() - a) * 1e3 / CLOCKS_PER_SEC;
      double bms = (a - last) * 1e3 / CLOCKS_PER_SEC;
      fprintf(stderr, "T %s %s %lld build %.0f check %.0f runs %llu obl %zu th %d\n",
              mo.topology.spec.c_str(), describe(e).c_str(), (long long)mo.tick_ns, bms, ms,
              (unsigned long long)(s.region_runs - r), s.obligations.size(), (int)s.theory());
      last = clock();
    }
  } tt{t0, event, session, runs_before, model};
  if (!pins.solve()) return "the pinned state does not exist";
  ++counts.symbolic_steps;
  counts.symbols += pins.size();
  counts.obligations += session.obligations.size();
  counts.region_runs += session.region_runs - runs_before;
  for (const Obligation& obligation : session.obligations)
    if (!pins.holds(obligation.holds)) return "obligation fails: " + obligation.what;
  return first_difference(after, m, PinnedValue{pins}, counts.free_leaves);
}

/// One random run; each event is read natively and as constants, some as symbols too.
void twin_run(const std::string& topology, std::int64_t tick_ns, const std::string& kernel,
              std::uint64_t seed, Counts& counts) {
  constexpr int kEvents = 40;
  constexpr int kSymbolsPercent = 60;
  Dice dice(seed);
  Z3Session session(dice.chance(50) ? Theory::kBitVector : Theory::kInteger);
  const Schedule schedule = random_start(dice, topology, tick_ns, kernel);
  Model model = make_model(schedule);
  model.ledger = dice.chance(75);
  Native m = initial_machine(model, schedule, 0);
  for (int i = 0; i < kEvents; ++i) {
    const Event event = random_enabled_event(dice, model, m);
    const Native before = m;
    step<NativeDomain>(model, m, event);
    ++counts.steps[static_cast<std::size_t>(event.kind)];
    const std::string where = topology + " " + kernel + " tick " + std::to_string(tick_ns) +
                              ", seed " + std::to_string(seed) + ", event " + std::to_string(i) +
                              ": " + describe(event);
    ASSERT_EQ(twin_as_constants(model, before, m, event, counts), "") << where;
    const bool few_ticks = tick_ns == 0 || event.duration_ns / tick_ns <= 2;
    if (few_ticks && dice.chance(kSymbolsPercent)) {
      ASSERT_EQ(twin_as_symbols(model, before, m, event, session, dice, counts), "") << where;
    }
  }
}

/// Prints what was compared; every kind of event must have come up, and regions must have forked.
void report(const Counts& counts) {
  std::uint64_t steps = 0;
  std::string kinds;
  for (std::size_t i = 0; i < kEventKinds; ++i) {
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
      for (std::uint64_t seed = 1; seed <= 12 && !HasFatalFailure(); ++seed)
        twin_run(topology, tick_ns, "v6.12", seed, counts);
  report(counts);
}

TEST(TwinStep, AgreesOnSeveralCachesNodesAndThreads) {
  Counts counts;
  for (const char* topology : {"llc:2x2", "numa:2x2", "smt:2x2"})
    for (std::uint64_t seed = 1; seed <= 8 && !HasFatalFailure(); ++seed)
      twin_run(topology, 4'000'000, "v6.12", seed, counts);
  report(counts);
}

TEST(TwinStep, AgreesForEveryValueOfEverySwitch) {
  Counts counts;
  for (const SwitchInfo& info : switch_catalogue())
    for (const SwitchValue& value : info.values) {
      const std::string kernel = "v6.12," + std::string(info.name) + "=" + std::string(value.name);
      for (std::uint64_t seed = 1; seed <= 3 && !HasFatalFailure(); ++seed)
        twin_run(seed == 1 ? "llc:2x2" : "smp:2", 4'000'000, kernel, seed, counts);
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
  EXPECT_THAT(
      twin_as_symbols(exit.model, exit.before, exit.after, exit.event, session, dice, counts),
      ::testing::HasSubstr("native"));
}

}  // namespace
}  // namespace schedcheck
