// SPDX-License-Identifier: Apache-2.0
/// \file k-induction says "proved" only after step and base: a base that fails, is cut off, or a
/// step that assumes too much keeps it from that.
#include "solver/k_induction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/run_schedule.hpp"
#include "tests/support/solver_queries.hpp"

namespace schedcheck {
namespace {

using Outcome = BoundedResult::Outcome;
using testing::HasSubstr;

/// Two events of two tasks; a small universe, for a short test.
BoundedQuery two_events() {
  BoundedQuery query = bounded_query("smp:2", "v6.14", "fork-picks-idle-group", 2);
  const Schedule schedule = tickless("smp:2", "v6.14", 2);
  query.model = make_model(schedule);
  query.model.balances = false;
  query.given = start_machine(query.model, schedule);
  query.universe.duration_windows_max = 1;
  query.universe.state.age_windows_max = 1;
  return query;
}

TEST(KInduction, ProvesWithStepAndBase) {
  const KInduction result = prove_by_k_induction(two_events());
  EXPECT_EQ(result.proof.outcome, Proof::Outcome::kProved) << result.proof.because;
  EXPECT_EQ(result.step.depth, 2);
  EXPECT_EQ(result.base.depth, 2);
  EXPECT_TRUE(result.base.cover);
}

TEST(KInduction, FailsWithItsStepUnderAFault) {
  BoundedQuery query = bounded_query("smp:3", "v6.14", "fork-picks-idle-group", 2);
  query.mutant = Mutant::kFewerIdleCpusWin;
  const KInduction result = prove_by_k_induction(query);
  EXPECT_EQ(result.proof.outcome, Proof::Outcome::kFails);
  EXPECT_TRUE(result.step.witness);
}

/// A child ran half a window, and its exit has left that in the queue: no state of a kernel that
/// moves, so a step from all of those does not speak of it.
BoundedQuery from_a_leak(int depth) {
  Schedule leak = tickless("smp:1", "v6.13", 4);
  leak.preamble = {{.kind = EventKind::kFork, .task = 0},
                   {.kind = EventKind::kBlock, .task = 0},
                   {.kind = EventKind::kRun, .duration_ns = kWindowNs / 2},
                   {.kind = EventKind::kExit, .task = 1}};
  BoundedQuery query = bounded_query("smp:1", "v6.14", "exit-leaves-no-utilization", depth);
  query.given = start_machine(make_model(leak), leak);
  return query;
}

TEST(KInduction, IsNotProvedWhenTheBaseFails) {
  const KInduction result = prove_by_k_induction(from_a_leak(1));
  EXPECT_EQ(result.step.outcome, Outcome::kHolds) << result.step.undecided_because;
  EXPECT_EQ(result.base.outcome, Outcome::kViolated);
  EXPECT_EQ(result.proof.outcome, Proof::Outcome::kFails);
  EXPECT_THAT(result.proof.because, HasSubstr("its base fails at event 1"));
}

TEST(KInduction, IsUndecidedWhenTheStepAssumesMoreThanIsProved) {
  const KInduction result =
      prove_by_k_induction(bounded_query("smp:1", "v6.14", "exit-leaves-no-utilization", 1));
  EXPECT_EQ(result.base.outcome, Outcome::kHolds);
  EXPECT_EQ(result.proof.outcome, Proof::Outcome::kUndecided);
  EXPECT_THAT(result.proof.because, HasSubstr("assumes more"));
}

TEST(KInduction, IsUndecidedWhenTheBaseIsCutOff) {
  BoundedQuery query = two_events();
  int asked = 0;
  query.stop = [&] { return ++asked < 0; };
  BoundedQuery step = query;
  step.start = StartKind::kAny;
  step.only_last = true;
  check_bounded(step);
  const int of_the_step = asked;
  asked = 0;
  query.stop = [&] { return ++asked > of_the_step; };
  const KInduction result = prove_by_k_induction(query);
  EXPECT_EQ(result.step.outcome, Outcome::kHolds);
  EXPECT_EQ(result.proof.outcome, Proof::Outcome::kUndecided);
  EXPECT_THAT(result.proof.because, HasSubstr("its base is decided up to event 0 only"));
}

}  // namespace
}  // namespace schedcheck
