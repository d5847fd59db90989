// SPDX-License-Identifier: Apache-2.0
/// \file Bounded search: what it finds, what it rules out, and that the native model agrees.
#include "solver/bounded_model_checking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/solver_queries.hpp"

namespace schedcheck {
namespace {

using Outcome = BoundedResult::Outcome;

TEST(BoundedSearch, FindsTheExitViolationInThreeEventsAndTheNativeModelConfirmsIt) {
  const BoundedQuery q = bounded_query("smp:2", "v6.13", "exit-leaves-no-utilization", 4);
  const BoundedResult result = check_bounded(q);
  ASSERT_EQ(result.outcome, Outcome::kViolated);
  EXPECT_EQ(result.depth, 3);
  EXPECT_TRUE(result.shortest);
  EXPECT_TRUE(confirmed_natively(q.model, q.property, *result.witness));
}

TEST(BoundedSearch, FindsTheBurstOfThreeEvents) {
  const BoundedQuery q = bounded_query("smp:3", "v5.8", "fork-burst-spreads", 4);
  const BoundedResult result = check_bounded(q);
  ASSERT_EQ(result.outcome, Outcome::kViolated);
  EXPECT_EQ(result.depth, 3);
  EXPECT_TRUE(confirmed_natively(q.model, q.property, *result.witness));
}

TEST(BoundedSearch, RulesOutTheExitViolationWithTheMoveWhateverTheFirstAverage) {
  const BoundedResult result = check_bounded(bounded_query(
      "smp:2", "v6.13,exit_move=full", "exit-leaves-no-utilization", 3, StartKind::kFreeAverages));
  EXPECT_EQ(result.outcome, Outcome::kHolds) << result.undecided_because;
  EXPECT_EQ(result.depth, 3);
  EXPECT_TRUE(result.cover);
}

TEST(BoundedSearch, FindsTheStateWhereAForkStacksAlthoughACpuIsIdle) {
  const BoundedQuery q =
      bounded_query("llc:2x2", "v6.14", "fork-work-conserving", 1, StartKind::kAny);
  const BoundedResult result = check_bounded(q);
  ASSERT_EQ(result.outcome, Outcome::kViolated);
  EXPECT_TRUE(confirmed_natively(q.model, q.property, *result.witness));
}

TEST(BoundedSearch, FindsTheStateWhereAGroupIsSpareOnForbiddenCpusOnly) {
  for (const char* kernel : {"v6.19", "v6.14"}) {
    const BoundedQuery q =
        bounded_query("llc:2x2", kernel, "spare-within-affinity", 1, StartKind::kAny);
    const BoundedResult result = check_bounded(q);
    ASSERT_EQ(result.outcome, Outcome::kViolated);
    EXPECT_TRUE(confirmed_natively(q.model, q.property, *result.witness));
  }
}

TEST(BoundedSearch, DecidesTheExitMovePositionByPositionWithExactNumbers) {
  BoundedQuery q = bounded_query("smp:2", "v6.14", "exit-move-sum-exact", 1, StartKind::kAny);
  const BoundedResult holds = check_each_position(q);
  EXPECT_EQ(holds.outcome, Outcome::kHolds) << holds.undecided_because;
  EXPECT_GE(holds.queries, 16);
  ASSERT_TRUE(holds.cover);
  EXPECT_TRUE(confirmed_natively(q.model, q.property, *holds.cover, true));
  q.model.kernel.attach_keeps_sum = true;
  const BoundedResult fails = check_each_position(q);
  ASSERT_EQ(fails.outcome, Outcome::kViolated);
  EXPECT_TRUE(confirmed_natively(q.model, q.property, *fails.witness));
}

TEST(BoundedSearch, HoldsForSingleCpuGroupsFromAnyStateAndFindsTheCanaryThere) {
  for (const char* property :
       {"fork-lands-on-idle", "fork-picks-idle-group", "fork-stays-local-when-equally-idle",
        "fork-tie-least-util", "affinity-respected", "fork-burst-spreads",
        "spare-within-affinity"}) {
    BoundedQuery q = bounded_query("smp:3", "v6.14", property, 1, StartKind::kAny);
    const BoundedResult result = check_bounded(q);
    EXPECT_EQ(result.outcome, Outcome::kHolds) << property << " " << result.undecided_because;
    ASSERT_TRUE(result.cover) << property;
    EXPECT_TRUE(confirmed_natively(q.model, q.property, *result.cover, true)) << property;
    const std::optional<Canary> canary = canary_for(q.property, q.model.kernel);
    q.model.kernel = canary->kernel;
    q.mutant = canary->mutant;
    EXPECT_EQ(check_bounded(q).outcome, Outcome::kViolated) << property << " " << canary->name;
  }
}

TEST(BoundedSearch, GivesTheSameWitnessTwice) {
  const BoundedQuery q = bounded_query("smp:3", "v5.8", "fork-burst-spreads", 3);
  EXPECT_EQ(check_bounded(q).witness->events, check_bounded(q).witness->events);
}

TEST(BoundedSearch, SaysUndecidedWhenTheResourceLimitIsTooSmall) {
  BoundedQuery q = bounded_query("llc:2x2", "v6.14", "fork-work-conserving", 1, StartKind::kAny);
  q.limits.resources = 1000;
  const BoundedResult result = check_bounded(q);
  EXPECT_EQ(result.outcome, Outcome::kUndecided);
  EXPECT_THAT(result.undecided_because, ::testing::HasSubstr("gave up"));
}

TEST(BoundedSearch, HandsOutEveryDecidingQueryWithItsAnswer) {
  BoundedQuery q = bounded_query("smp:3", "v5.8", "fork-burst-spreads", 3);
  int sat = 0;
  q.dump = [&](const std::string& text, Answer answer) {
    EXPECT_THAT(text, ::testing::StartsWith("(set-logic QF_BV)"));
    EXPECT_THAT(text, ::testing::EndsWith("(check-sat)\n"));
    sat += answer == Answer::kSatisfiable ? 1 : 0;
  };
  check_bounded(q);
  EXPECT_EQ(sat, 1) << "the witness ends the search";
}

TEST(BoundedSearch, NeedsADepth) {
  EXPECT_THROW(check_bounded(bounded_query("smp:2", "v6.13", "affinity-respected", 0)),
               std::logic_error);
}

}  // namespace
}  // namespace schedcheck
