// SPDX-License-Identifier: Apache-2.0
/// \file Queries of a proof obligation: one per case that must be possible, one for the claims.
#include "solver/proof_obligation.hpp"

#include <ctime>
#include <utility>

namespace schedcheck {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string_view to_string(ObligationVerdict verdict) {
  switch (verdict) {
    case ObligationVerdict::kProved:
      return "proved";
    case ObligationVerdict::kRefuted:
      return "refuted";
    case ObligationVerdict::kVacuous:
      return "vacuous";
    case ObligationVerdict::kUndecided:
      break;
  }
  return "undecided";
}

std::string ProofObligation::explain(const Valuation& values) const {
  std::string text = name_ + ":\n";
  for (const auto& line : lines_) text += "  " + line(values) + "\n";
  for (const NamedCondition& claim : claims_)
    if (!values.holds(claim.holds)) text += "  broken: " + claim.text + "\n";
  return text;
}

Z3Bool ProofObligation::all_claims() const {
  Z3Bool all = true;
  for (const NamedCondition& claim : claims_) all = all && claim.holds;
  for (const Obligation& range : Z3Session::current().obligations())
    all = all && Z3Bool::of(range.holds);
  return all;
}

std::string ProofObligation::find_counterexample(const QueryLimits& limits) const {
  QuerySolver solver(limits);
  std::vector<Z3Bool> conditions = assumptions_;
  conditions.push_back(!all_claims());
  for (const Z3Bool& preference : preferences_) {
    conditions.push_back(preference);
    if (QuerySolver(limits).check(conditions) != Answer::kSatisfiable) conditions.pop_back();
  }
  if (solver.check(conditions) != Answer::kSatisfiable) return name_ + ": no second answer";
  return explain(solver.valuation());
}

ObligationVerdict ProofObligation::decide(ObligationResult& result,
                                          const QueryLimits& limits) const {
  QuerySolver query(limits);
  std::vector<Z3Bool> conditions = assumptions_;
  conditions.push_back(!all_claims());
  result.smt2 = query.smt2(conditions, name_);
  const Answer broken = query.check(conditions);
  if (broken == Answer::kSatisfiable) {
    result.counterexample = find_counterexample(limits);
    return ObligationVerdict::kRefuted;
  }
  if (broken == Answer::kUnknown) {
    result.counterexample = name_ + ": " + query.why_unknown();
    return ObligationVerdict::kUndecided;
  }
  std::vector<NamedCondition> cases = cases_;
  cases.push_back({"what the obligation assumes", Z3Bool(true)});
  for (const NamedCondition& possible : cases) {
    QuerySolver cover(limits);
    conditions.back() = possible.holds;
    const Answer found = cover.check(conditions);
    if (found == Answer::kSatisfiable) continue;
    const bool impossible = found == Answer::kUnsatisfiable;
    result.counterexample =
        name_ + ": " + possible.text + (impossible ? " is impossible" : ": " + cover.why_unknown());
    return impossible ? ObligationVerdict::kVacuous : ObligationVerdict::kUndecided;
  }
  return ObligationVerdict::kProved;
}

ObligationResult ProofObligation::discharge(const QueryLimits& limits) const {
  const double start = cpu_seconds();
  ObligationResult result{name_, ObligationVerdict::kUndecided, 0, {}, {}};
  result.verdict = decide(result, limits);
  result.seconds = cpu_seconds() - start;
  return result;
}

}  // namespace schedcheck
