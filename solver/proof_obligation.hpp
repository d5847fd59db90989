// SPDX-License-Identifier: Apache-2.0
/// \file One proof obligation: "whenever the assumptions hold, so do the claims", for all values of
/// the free symbols, in linear integer arithmetic. One query each: many small ones take
/// milliseconds where their conjunction does not end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/query.hpp"

namespace schedcheck {

enum class ObligationVerdict : std::uint8_t {
  kProved,     ///< unsat: no values break a claim, and the assumptions have values.
  kRefuted,    ///< sat: some values satisfy the assumptions and break a claim.
  kVacuous,    ///< The assumptions, or a case that must be possible, have no values.
  kUndecided,  ///< The solver gave up on one of the queries; never counts as proved.
};

/// Z3's "rlimit", ten times what the largest obligation of group_fold.cpp needs.
inline constexpr unsigned kResourceLimit = 20'000'000;

std::string_view to_string(ObligationVerdict verdict);

struct ObligationResult {
  std::string name;
  ObligationVerdict verdict = ObligationVerdict::kUndecided;
  double seconds = 0;          ///< CPU time of all queries.
  std::string smt2;            ///< SMT-LIB 2, for a second solver: unsat if the claims hold.
  std::string counterexample;  ///< kRefuted: what breaks. kVacuous, kUndecided: which query.
};

/// CPU time of this thread: the machine may be busy with other things.
double cpu_seconds();

/// A condition and how to call it in a counterexample.
struct NamedCondition {
  std::string text;
  Z3Bool holds;
};

/// Requires a current session of Theory::kInteger, whose assumptions count as the obligation's and
/// whose obligations (ranges of stores) join the claims.
class ProofObligation {
 public:
  explicit ProofObligation(std::string name) : name_(std::move(name)) {}

  void assume(const Z3Bool& condition) { assumptions_.push_back(condition); }
  void claim(std::string text, const Z3Bool& holds) { claims_.push_back({std::move(text), holds}); }
  /// Guards against an empty proof: the assumptions must have values where `holds`.
  void must_be_possible(std::string text, const Z3Bool& holds) {
    cases_.push_back({std::move(text), holds});
  }
  /// Counterexamples satisfy `condition` if one can, earlier preferences first.
  void prefer(const Z3Bool& condition) { preferences_.push_back(condition); }
  /// A line of the counterexample.
  void show(std::function<std::string(const Valuation&)> line) {
    lines_.push_back(std::move(line));
  }

  /// Deterministic: the effort of each query is limited by Z3's resource count, not by time.
  [[nodiscard]] ObligationResult discharge(const QueryLimits& limits = {kResourceLimit}) const;

 private:
  /// Every claim and every obligation of the session.
  [[nodiscard]] Z3Bool all_claims() const;
  [[nodiscard]] std::string find_counterexample(const QueryLimits& limits) const;
  [[nodiscard]] std::string explain(const Valuation& values) const;
  ObligationVerdict decide(ObligationResult& result, const QueryLimits& limits) const;

  std::string name_;
  std::vector<Z3Bool> assumptions_, preferences_;
  std::vector<NamedCondition> claims_, cases_;
  std::vector<std::function<std::string(const Valuation&)>> lines_;
};

}  // namespace schedcheck
