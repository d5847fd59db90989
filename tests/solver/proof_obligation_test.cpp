// SPDX-License-Identifier: Apache-2.0
/// \file Each verdict of a proof obligation, on obligations small enough to see the answer.
#include "solver/proof_obligation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "solver/z3_domain.hpp"

namespace schedcheck {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ProofObligations : public testing::Test {
 protected:
  Z3Session session_{Theory::kInteger};
  Z3Int x_ = Z3Int::fresh("x", 0, 100);
  Z3Int y_ = Z3Int::fresh("y", 0, 100);
  ProofObligation proof_{"sum"};
};

TEST_F(ProofObligations, AreProvedWhenNoValuesBreakTheClaim) {
  proof_.assume(x_ < y_);
  proof_.claim("x + 1 <= y", x_ + Z3Int(1) <= y_);
  proof_.must_be_possible("x is large", x_ > 90);
  EXPECT_EQ(proof_.discharge().verdict, ObligationVerdict::kProved);
}

TEST_F(ProofObligations, AreRefutedByTheValuesThatArePreferred) {
  proof_.assume(x_ < y_);
  proof_.claim("x is not 7", x_ != 7);
  proof_.claim("x + 2 <= y", x_ + Z3Int(2) <= y_);
  proof_.prefer(x_ == 12);
  proof_.prefer(x_ == 13);
  proof_.show([this](const Valuation& v) {
    return "x " + std::to_string(v.value(x_)) + ", y " + std::to_string(v.value(y_));
  });
  const ObligationResult result = proof_.discharge();
  EXPECT_EQ(result.verdict, ObligationVerdict::kRefuted);
  EXPECT_EQ(result.counterexample, "sum:\n  x 12, y 13\n  broken: x + 2 <= y\n");
}

TEST_F(ProofObligations, AreVacuousWhenNothingSatisfiesTheAssumptions) {
  proof_.assume(x_ < y_);
  proof_.assume(y_ < x_);
  proof_.claim("anything", x_ == 7);
  const ObligationResult result = proof_.discharge();
  EXPECT_EQ(result.verdict, ObligationVerdict::kVacuous);
  EXPECT_THAT(result.counterexample, HasSubstr("impossible"));
}

TEST_F(ProofObligations, AreVacuousWhenACaseThatMattersIsImpossible) {
  proof_.assume(x_ + x_ == y_);
  proof_.claim("x <= y", x_ <= y_);
  proof_.must_be_possible("x is 51", x_ == 51);
  const ObligationResult result = proof_.discharge();
  EXPECT_EQ(result.verdict, ObligationVerdict::kVacuous);
  EXPECT_EQ(result.counterexample, "sum: x is 51 is impossible");
}

TEST_F(ProofObligations, AreUndecidedWhenTheSolverGivesUp) {
  proof_.assume(x_ + x_ + x_ == y_ + y_ + Z3Int(1));
  proof_.claim("x is odd", Z3Domain::mod_pow2(x_, 1) == 1);
  EXPECT_EQ(proof_.discharge().verdict, ObligationVerdict::kProved);
  const ObligationResult result = proof_.discharge({.resources = 1});
  EXPECT_EQ(result.verdict, ObligationVerdict::kUndecided);
  EXPECT_THAT(result.counterexample, StartsWith("sum: "));
}

TEST_F(ProofObligations, IncludeTheRangesOfStores) {
  Z3Field<0, 150> sum;
  sum = x_ + y_;
  proof_.claim("true", true);
  EXPECT_EQ(proof_.discharge().verdict, ObligationVerdict::kRefuted);
}

}  // namespace
}  // namespace schedcheck
