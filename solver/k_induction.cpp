// SPDX-License-Identifier: Apache-2.0
/// \file Step, then base.
#include "solver/k_induction.hpp"

#include "solver/time_budget.hpp"
#include "solver/well_formed.hpp"

namespace schedcheck {

KInduction prove_by_k_induction(const BoundedQuery& query) {
  using Outcome = BoundedResult::Outcome;
  const TimeBudget time(query.time);
  KInduction result;
  result.proof.outcome = Proof::Outcome::kUndecided;
  BoundedQuery step = query;
  step.start = StartKind::kAny;
  step.only_last = query.depth > 1;
  result.step = check_bounded(step);
  const std::string name = "the step of " + std::to_string(query.depth) + "-induction";
  if (result.step.outcome != Outcome::kHolds) {
    const bool fails = result.step.outcome == Outcome::kViolated;
    if (fails) result.proof.outcome = Proof::Outcome::kFails;
    result.proof.because =
        fails ? name + " does not hold" : name + ": " + result.step.undecided_because;
    return result;
  }
  BoundedQuery base = query;
  base.time = time.left();
  result.base = check_bounded(base);
  const std::string upto = std::to_string(result.base.depth);
  if (result.base.outcome == Outcome::kViolated) {
    result.proof = {Proof::Outcome::kFails, name + " holds, its base fails at event " + upto};
  } else if (result.base.outcome == Outcome::kUndecided) {
    result.proof.because = name + " holds, its base is decided up to event " + upto +
                           " only: " + result.base.undecided_because;
  } else if (needs_strengthening(query.property)) {
    result.proof.because =
        name + " and its base hold, but the step assumes more of a state than is proved";
  } else {
    result.proof.outcome = Proof::Outcome::kProved;
  }
  return result;
}

}  // namespace schedcheck
