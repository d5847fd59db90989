// SPDX-License-Identifier: Apache-2.0
/// \file Queries as SMT-LIB text: written to a file, and put to a second solver (cvc5).
#pragma once

#include <string>
#include <vector>

#include "solver/query.hpp"

namespace schedcheck::cli {

struct CrossCheck {
  int agree = 0;
  int undecided = 0;  ///< The second solver reached its limit: 10 s for a query.
};

/// Collects queries with Z3's answers.
class QueryLog {
 public:
  /// `cross_check`: asks cvc5 at once. Throws InputError when it is not installed.
  explicit QueryLog(bool keep_text, bool cross_check);

  /// Throws std::logic_error when the two solvers disagree.
  void add(const std::string& smt2, Answer answer);
  [[nodiscard]] bool wanted() const { return keep_text_ || cross_check_; }
  [[nodiscard]] bool cross_checks() const { return cross_check_; }
  [[nodiscard]] const CrossCheck& result() const { return result_; }
  /// All queries, apart by (reset), each with the answer Z3 gave.
  [[nodiscard]] std::string text() const { return text_; }

 private:
  bool keep_text_, cross_check_;
  CrossCheck result_;
  std::string text_;
};

}  // namespace schedcheck::cli
