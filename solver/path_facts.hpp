// SPDX-License-Identifier: Apache-2.0
/// \file What the decisions of the current path say about values: after `if (x < 5)` the interval
/// of x ends at 4. It decides later comparisons, bounds case splits and discharges ranges without a
/// solver.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "solver/z3_values.hpp"

namespace schedcheck {

/// What an atom says. The intervals of the operands are those of the path that wrote it down, so
/// one atom may have several meanings.
struct Meaning {
  enum Kind : std::uint8_t { kEqual, kAtMost, kBoth } kind;
  Z3Int a, b;   ///< kEqual: a == b; kAtMost: a <= b.
  Z3Bool p, q;  ///< kBoth: p && q.
};

/// How a value came about, for the two identities that keep repeated updates of one clock apart
/// from arithmetic: b + (a - b) = a, and (a >> s) << s = a when a has no low bits.
struct Origin {
  enum Kind : std::uint8_t { kDifference, kExactShift } kind;
  Z3Int a, b;  ///< kDifference: a - b; kExactShift: a >> shift.
  int shift = 0;
};

struct AtomTable {
  std::unordered_map<Z3_ast, std::vector<std::unique_ptr<const Origin>>> origins;
  std::unordered_map<Z3_ast, std::vector<std::unique_ptr<const Meaning>>> meanings;
  std::unordered_map<Z3_ast, Z3Bool> indicator_of;  ///< Terms that are 1 if the Bool, else 0.
};

/// The current session's copy of a meaning of `atom`.
const Meaning* intern(Z3_ast atom, Meaning::Kind kind, const Z3Int& a, const Z3Int& b);
const Meaning* intern(Z3_ast atom, const Z3Bool& p, const Z3Bool& q);
/// The current session's copy of an origin of `term`.
const Origin* intern(Z3_ast term, Origin origin);

namespace region_detail {

struct Interval {
  std::int64_t lo, hi;
  [[nodiscard]] bool empty() const { return lo > hi; }
};

/// A term of x's interpretation lies in the interval.
struct Fact {
  Z3_ast term;
  bool is_signed;
  Interval interval;
};

/// The values x can have on the current path, aligned to its stride; empty: the path is infeasible.
Interval known_interval(const Z3Int& x);

/// x, or the constant that it is on the current path.
Z3Int path_value(const Z3Int& x);

/// The value of `condition` on the current path when its decisions fix it; else the condition.
Z3Bool known_truth(const Z3Bool& condition);

/// Appends what `condition` == `taken` says. Requires that the path is the current one.
void learn(const Z3Bool& condition, bool taken, std::vector<Fact>& facts);

}  // namespace region_detail
}  // namespace schedcheck
