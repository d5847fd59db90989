// SPDX-License-Identifier: Apache-2.0
/// \file Induction: what is proved, and that a fault makes each proof fail.
#include "solver/induction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/solver_queries.hpp"

namespace schedcheck {
namespace {

constexpr const char* kForkProperties =
    "fork-lands-on-idle,fork-picks-idle-group,fork-stays-local-when-equally-idle,"
    "fork-tie-least-util,affinity-respected,fork-burst-spreads,fork-work-conserving,"
    "spare-within-affinity";

Model model_of(const std::string& topology, const std::string& kernel) {
  Model model = make_model(tickless(topology, kernel, 3));
  model.balances = false;
  return model;
}

TEST(Induction, ProvesTheForkPropertiesForAnyNumberOfEvents) {
  const Induction proof =
      prove_by_induction(model_of("smp:3", "v6.14"), parse_properties(kForkProperties), {});
  EXPECT_EQ(proof.invariants.outcome, Proof::Outcome::kProved) << proof.invariants.because;
  for (const auto& [property, one] : proof.properties)
    EXPECT_EQ(one.outcome, Proof::Outcome::kProved)
        << property_catalogue()[property].name << ": " << one.because;
}

TEST(Induction, ProvesWithTicksThatTasksTakeTurns) {
  Model model = model_of("smp:2", "v6.14");
  model.tick_ns = kWindowNs;
  const Induction proof = prove_by_induction(model, parse_properties("fork-picks-idle-group"), {});
  EXPECT_EQ(proof.invariants.outcome, Proof::Outcome::kProved) << proof.invariants.because;
}

TEST(Induction, ProvesThatTheExitMoveLeavesNoUtilizationAndNotWithTheBail) {
  const std::size_t property = property_index("exit-leaves-no-utilization");
  const PropertySet alone = PropertySet{1} << property;
  InductionOptions options;
  options.invariants_known = true;
  for (const auto& [kernel, proved] : {std::pair{"v6.14", true},
                                       {"v6.13,exit_move=full", true},
                                       {"v6.13", false},
                                       {"v6.13,death_removes=exact", true},
                                       {"v6.3,exit_move=none", false}}) {
    const Induction proof = prove_by_induction(model_of("smp:2", kernel), alone, options);
    EXPECT_EQ(proof.properties.at(property).outcome == Proof::Outcome::kProved, proved)
        << kernel << ": " << proof.properties.at(property).because;
  }
}

TEST(Induction, FailsForEveryPropertyWithItsCanary) {
  const PropertySet set = parse_properties(kForkProperties);
  for (std::size_t p = 0; p < kPropertyCount; ++p) {
    if ((set >> p & 1) == 0) continue;
    Model model = model_of("smp:3", "v6.14");
    const std::optional<Canary> canary = canary_for(p, model.kernel);
    model.kernel = canary->kernel;
    InductionOptions options;
    options.invariants_known = true;
    options.mutant = canary->mutant;
    EXPECT_EQ(prove_by_induction(model, PropertySet{1} << p, options).properties.at(p).outcome,
              Proof::Outcome::kFails)
        << property_catalogue()[p].name << " " << canary->name;
  }
}

TEST(Induction, IsUndecidedNotProvedWhenTheSolverGivesUp) {
  InductionOptions options;
  options.limits.resources = 1;
  const Induction proof = prove_by_induction(model_of("smp:2", "v6.14"),
                                             parse_properties("affinity-respected"), options);
  EXPECT_EQ(proof.invariants.outcome, Proof::Outcome::kUndecided);
  EXPECT_THAT(proof.invariants.because, ::testing::HasSubstr("gave up"));
}

TEST(Induction, IsEndedByTheTimeLimitWithinAQuery) {
  Model model = model_of("smp:4", "v6.14");
  model.max_tasks = 8;
  InductionOptions options;
  options.time = std::chrono::milliseconds{1};
  const Induction proof =
      prove_by_induction(model, parse_properties("fork-tie-least-util"), options);
  EXPECT_EQ(proof.invariants.outcome, Proof::Outcome::kUndecided);
  EXPECT_THAT(proof.invariants.because, ::testing::HasSubstr("the time limit ended the proof"));
}

TEST(Induction, TakesAPropertyWithAStrengtheningAlone) {
  EXPECT_THROW(
      prove_by_induction(model_of("smp:2", "v6.14"),
                         parse_properties("exit-leaves-no-utilization,affinity-respected"), {}),
      std::logic_error);
}

}  // namespace
}  // namespace schedcheck
