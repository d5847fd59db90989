// SPDX-License-Identifier: Apache-2.0
/// \file A solver for a family of queries in one session: assertions, checks under assumptions,
/// the model of a satisfiable one, and the query as SMT-LIB text for a second solver.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solver/region.hpp"
#include "solver/z3_session.hpp"
#include "solver/z3_values.hpp"

namespace schedcheck {

enum class Answer : std::uint8_t { kSatisfiable, kUnsatisfiable, kUnknown };

/// What Z3 says, in these words.
Answer answer_of(Z3_lbool result);

/// What one check may cost. `resources` is Z3's rlimit: the same query ends at the same point on
/// every machine. `time` only truncates (0: none).
struct QueryLimits {
  unsigned resources = 400'000'000;
  std::chrono::milliseconds time{0};
};

/// Numbers and truth values in a model of the current session.
class Valuation {
 public:
  explicit Valuation(Z3_model model);
  ~Valuation();
  Valuation(Valuation&& other) noexcept : model_(std::exchange(other.model_, nullptr)) {}
  Valuation(const Valuation&) = delete;
  Valuation& operator=(const Valuation&) = delete;

  [[nodiscard]] std::int64_t value(const Z3Int& x) const;
  [[nodiscard]] bool holds(const Z3Bool& b) const { return holds(b.term()); }
  [[nodiscard]] bool holds(Z3_ast condition) const;

 private:
  [[nodiscard]] Z3_ast evaluate(Z3_ast term) const;
  Z3_model model_;
};

/// One incremental solver for the session's logic. Throws std::runtime_error on errors of Z3.
class QuerySolver {
 public:
  explicit QuerySolver(const QueryLimits& limits = {});
  ~QuerySolver();
  QuerySolver(const QuerySolver&) = delete;
  QuerySolver& operator=(const QuerySolver&) = delete;

  /// Whether the session's assumptions and `assumptions` can be true together.
  Answer check(std::span<const Z3Bool> assumptions);
  Answer check(const Z3Bool& assumption) { return check(std::span(&assumption, 1)); }
  /// After kSatisfiable only.
  [[nodiscard]] Valuation valuation() const;
  /// The last query as an SMT-LIB 2 script.
  [[nodiscard]] std::string smt2(std::span<const Z3Bool> assumptions, const std::string& comment);
  /// Why the last answer was kUnknown, in Z3's words.
  [[nodiscard]] std::string why_unknown() const;

 private:
  void set_limits(const QueryLimits& limits);
  /// Asserts those assumptions of the session that are new since the last call.
  void add_session_assumptions();

  Z3_context context_;
  Z3_solver solver_;
  std::size_t assumed_ = 0;
};

}  // namespace schedcheck
