// SPDX-License-Identifier: Apache-2.0
/// \file
/// symbolic_step against step. Method: seeded random native runs; each event happens natively and,
/// pinned, in the free event of a symbolic step from the same state, whose places, states and
/// averages are pinned symbols too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <string>

#include "solver/canary.hpp"
#include "solver/symbolic_step.hpp"
#include "tests/solver/twin_random.hpp"
#include "tests/support/twin.hpp"

namespace schedcheck {
namespace {

using Native = Machine<NativeDomain>;
using twin::Dice;
using twin::kGridNs;

const PropertySet kJudged = judged_symbolically();

struct Counts {
  std::array<std::uint64_t, kQueryEventKinds> enabled{}, disabled{};
  std::uint64_t leaves = 0, obligations = 0;
};

/// Pins the symbols of a copied state; the rest stays constant.
void free_state(SymbolicMachine& m, Dice& dice, twin::Pins& pins) {
  const auto around = [&](Z3Int& leaf, std::int64_t lo, std::int64_t hi) {
    const std::int64_t value = leaf.lo();
    if (dice.chance(50)) leaf = pins.integer(value, std::min(lo, value), std::max(hi, value));
  };
  const auto signal = [&](SchedAvg<Z3Domain>& avg) {
    for (Z3Int* leaf : {static_cast<Z3Int*>(&avg.util_avg), static_cast<Z3Int*>(&avg.load_avg),
                        static_cast<Z3Int*>(&avg.runnable_avg)})
      around(*leaf, 0, 4096);
    around(avg.util_sum, 0, std::int64_t{1} << 28);
    around(avg.load_sum, 0, std::int64_t{1} << 28);
    const std::int64_t time = avg.last_update_time.lo();
    if (time > 0 && dice.chance(30))
      avg.last_update_time = pins.integer(time, time - 2 * kGridNs, time + kGridNs, kGridNs);
  };
  const auto last_task = static_cast<std::int64_t>(m.task.size()) - 1;
  for (auto& task : m.task) {
    around(task.cpu, 0, static_cast<std::int64_t>(m.rq.size()) - 1);
    around(task.state, 0, 3);
    if (dice.chance(50)) task.on_rq = pins.boolean(task.on_rq.constant());
    signal(task.avg);
  }
  for (auto& rq : m.rq) {
    around(rq.curr, kNoTask, last_task);
    around(rq.cfs.curr, kNoTask, last_task);
    around(rq.nr_running, 0, last_task + 1);
    around(rq.cfs.h_nr_queued, 0, last_task + 1);
    signal(rq.cfs.avg);
  }
  around(m.nr_tasks, 1, last_task + 1);
}

/// The event's parts as pinned symbols. One step serves all kinds.
SymbolicEvent pinned_event(const Model& model, const Event& event, twin::Pins& pins) {
  return {pins.integer(static_cast<int>(event.kind), 0, kQueryEventKinds - 1),
          pins.integer(event.task, 0, model.max_tasks - 1),
          pins.integer(event.cpu, 0, model.topology.nr_cpus - 1),
          pins.integer(static_cast<std::int64_t>(event.cpus), 1,
                       static_cast<std::int64_t>(model.topology.all)),
          pins.integer(event.wakes, kNoTask, model.max_tasks - 1),
          pins.integer(event.duration_ns, std::max<std::int64_t>(event.duration_ns - kGridNs, 0),
                       event.duration_ns + kGridNs, kGridNs)};
}

std::string compare(const Model& model, Native before, Native after, bool happened,
                    const Event& event, Dice& dice, Z3Session& session, Counts& counts) {
  session.forget();
  twin::Pins pins;
  auto m = constants<SymbolicMachine>(before);
  free_state(m, dice, pins);
  const Z3Bool enabled = symbolic_step(model, m, pinned_event(model, event, pins), kJudged);
  if (!pins.solve()) return "the pinned state does not exist";
  if (pins.holds(enabled) != happened) return "disagreement whether the event is enabled";
  for (const Obligation& obligation : session.obligations())
    if (!pins.holds(obligation.holds)) return "obligation fails: " + obligation.what;
  counts.obligations += session.obligations().size();
  std::string difference;
  // A disabled event is judged natively too; symbolically it is not a step.
  if (!happened) after.judged.assign(kPropertyCount, {});
  walk_leaf_pairs("leaf ", after, m, [&](const std::string& path, auto& native, auto& symbolic) {
    ++counts.leaves;
    std::int64_t value = 0;
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(symbolic)>, Z3Bool>) {
      value = pins.holds(symbolic) ? 1 : 0;
    } else {
      value = pins.value(symbolic);
    }
    if (difference.empty() && value != twin::number(native))
      difference = path + ": native " + std::to_string(twin::number(native)) + ", symbolic " +
                   std::to_string(value);
  });
  return difference;
}

void twin_run(const std::string& topology, const std::string& kernel, std::int64_t tick_ns,
              std::uint64_t seed, Counts& counts) {
  Dice dice(seed);
  Z3Session session(dice.chance(50) ? Theory::kBitVector : Theory::kInteger);
  Schedule schedule;
  schedule.round_robin = true;
  schedule.topology = topology;
  schedule.kernel = kernel;
  schedule.tick_ns = tick_ns;
  schedule.max_tasks = 4;
  schedule.tasks = {InitialTask{}, InitialTask{.cpu = 1, .weight = 335, .cpus = 7, .util_avg = 300},
                    InitialTask{1}};
  Model model = make_model(schedule);
  model.ledger = dice.chance(70);
  model.balances = dice.chance(50);
  PropertyObserver observer;
  observer.enabled = kJudged;
  Native m = initial_machine(model, schedule, static_cast<int>(kPropertyCount));
  for (int i = 0; i < 14; ++i) {
    // On the grid: off it, every further update of a clock within an event splits its time again.
    const Event event = twin::random_enabled_event(dice, model, m, /*on_grid=*/true, 8);
    const Native before = m;
    const bool happened = step<NativeDomain>(model, m, event, observer);
    const auto kind = static_cast<std::size_t>(event.kind);
    ++(happened ? counts.enabled : counts.disabled)[kind];
    ASSERT_EQ(compare(model, before, m, happened, event, dice, session, counts), "")
        << topology << " " << kernel << " tick " << tick_ns << ", seed " << seed << ", event " << i
        << ": " << describe(event);
  }
}

TEST(TwinSymbolicStep, AgreesWithTheStepOfEveryKind) {
  Counts counts;
  constexpr std::array<std::int64_t, 3> kTicks = {0, 1'048'576, 4'194'304};
  std::uint64_t seed = 0;
  for (const char* topology : {"smp:2", "smp:3", "smp:4", "llc:2x2"})
    for (const char* kernel : {"v6.12", "v6.3", "v6.12,exit_move=none", "v6.12,death_removes=exact",
                               "v5.8,fork_stats_scope=affinity"}) {
      ++seed;
      twin_run(topology, kernel, kTicks[seed % kTicks.size()], seed, counts);
      if (HasFatalFailure()) return;
    }
  for (std::size_t kind = 0; kind < kQueryEventKinds; ++kind)
    EXPECT_GT(counts.enabled[kind], 3U) << kEventNames[kind];
  std::cout << "twin: symbolic_step agrees on " << counts.leaves << " leaves, "
            << counts.obligations << " obligations\n";
}

// What a free state is for: it is satisfiable, and each kind of event can happen in it.
TEST(FreeMachine, HasAStateForEveryKindOfEvent) {
  for (const Theory theory : {Theory::kBitVector, Theory::kInteger}) {
    const Z3Session session(theory);
    Schedule schedule;
    schedule.round_robin = true;
    schedule.topology = "smp:3";
    schedule.max_tasks = 3;
    Model model = make_model(schedule);
    model.ledger = false;
    SymbolicMachine m = free_machine(model, {}, "s.");
    const SymbolicEvent event = free_event(model, {}, 2, "e.");
    const Z3Bool enabled = symbolic_step(model, m, event);
    Z3_context context = session.context();
    Z3_solver solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, solver);
    for (Z3_ast assumption : session.assumptions()) Z3_solver_assert(context, solver, assumption);
    Z3_solver_assert(context, solver, enabled.term());
    for (int kind = 0; kind < kQueryEventKinds; ++kind) {
      Z3_ast is_kind = (event.kind == kind).term();
      EXPECT_EQ(Z3_solver_check_assumptions(context, solver, 1, &is_kind), Z3_L_TRUE)
          << kEventNames[static_cast<std::size_t>(kind)];
    }
    Z3_solver_dec_ref(context, solver);
  }
}

TEST(SymbolicStep, NeedsASlotForEachPropertyThatItJudges) {
  const Z3Session session(Theory::kBitVector);
  const Model model = make_model(Schedule{});
  SymbolicMachine m = empty_machine<Z3Domain>(model, 0);
  EXPECT_THROW(symbolic_step(model, m, free_event(model, {}, 1, "e."), kEveryProperty),
               std::logic_error);
}

}  // namespace
}  // namespace schedcheck
