// SPDX-License-Identifier: Apache-2.0
/// \file Proofs by induction over single events: the state invariants are kept, and no event from a
/// state that satisfies them violates the property. Split by kind of event and by CPU.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "solver/bounded_model_checking.hpp"

namespace schedcheck {

/// One query of a proof. It asks for a counterexample, so kUnsatisfiable is good.
struct ProofStep {
  std::string what;  ///< "fork on CPU 2 keeps: nr_running counts ..".
  Answer answer = Answer::kUnknown;
};

struct InductionOptions {
  Mutant mutant = Mutant::kNone;
  QueryLimits limits;
  std::chrono::milliseconds time{0};             ///< Of all; only truncates. 0: none.
  std::function<bool()> stop = {};               ///< Asked between queries; true: give up.
  const Machine<NativeDomain>* start = nullptr;  ///< Instead of boot.
  bool invariants_known = false;  ///< Another proof for this model has shown the state invariants.
  /// Called with each query as SMT-LIB text and the answer.
  std::function<void(const std::string& what, const std::string& smt2, Answer)> observe;
};

struct Proof {
  enum class Outcome : std::uint8_t { kProved, kFails, kUndecided } outcome = Outcome::kProved;
  std::string because;  ///< Unless kProved: which step failed or was not decided.
};

struct Induction {
  Proof invariants;
  std::map<std::size_t, Proof> properties;  ///< By position; kProved needs the invariants too.
  std::vector<ProofStep> steps;             ///< In the order asked.
  std::vector<std::string> conditions;      ///< What the claims assume, in words.
};

/// Shows that boot (or options.start) satisfies the state invariants, that events keep them, that
/// the formulas mean what the model computes, and that no event violates the properties. All
/// averages and sums are forgotten (Data fields), so it covers every age and every value of them;
/// kFails may be due to that: a bounded query of length 1 from any state tells.
/// A property with a strengthening (well_formed.hpp) must be alone in the set, and none may need
/// averages or balances (canary.hpp): std::logic_error.
Induction prove_by_induction(const Model& model, PropertySet properties,
                             const InductionOptions& options);

}  // namespace schedcheck
