// SPDX-License-Identifier: Apache-2.0
/// \file The same state in both readings (solver/leaf_pairs.hpp): copies of a native state as
/// pinned free symbols, and the comparison afterwards.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/domain/native_domain.hpp"
#include "solver/leaf_pairs.hpp"
#include "solver/query.hpp"
#include "solver/z3_domain.hpp"
#include "solver/z3_session.hpp"

namespace schedcheck::twin {

template <class Leaf>
std::int64_t number(const Leaf& leaf) {
  return static_cast<std::int64_t>(leaf);
}

/// Symbols that a query pins to numbers, and terms evaluated under them.
class Pins {
 public:
  /// A free symbol in {lo, lo + step, ..} that the query sets to `value`.
  Z3Int integer(std::int64_t value, std::int64_t lo, std::int64_t hi, std::int64_t step = 1) {
    const std::string name = "s" + std::to_string(named++);
    const Z3Int symbol = Z3Int::fresh(name.c_str(), lo, hi, step);
    pins_.push_back(symbol == Z3Int(value));
    return symbol;
  }
  Z3Bool boolean(bool value) {
    const std::string name = "b" + std::to_string(named++);
    const Z3Bool symbol = Z3Bool::fresh(name.c_str());
    pins_.push_back(value ? symbol : !symbol);
    return symbol;
  }

  /// Solves for the pins and the session's assumptions; false: there is no such state.
  bool solve() {
    QuerySolver solver;
    const bool sat = solver.check(pins_) == Answer::kSatisfiable;
    if (sat) valuation_.emplace(solver.valuation());
    return sat;
  }

  /// Requires solve().
  [[nodiscard]] std::int64_t value(const Z3Int& x) const { return valuation_->value(x); }
  [[nodiscard]] bool holds(Z3_ast condition) const { return valuation_->holds(condition); }
  [[nodiscard]] bool holds(const Z3Bool& b) const { return valuation_->holds(b); }
  [[nodiscard]] std::size_t size() const { return pins_.size(); }

 private:
  inline static std::uint64_t named = 0;  ///< Names are not reused within a session.
  std::vector<Z3Bool> pins_;
  std::optional<Valuation> valuation_;
};

}  // namespace schedcheck::twin
