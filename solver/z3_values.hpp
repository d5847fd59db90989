// SPDX-License-Identifier: Apache-2.0
/// \file Symbolic truth values and bounded integers.
/// An integer carries a strided interval {lo, lo+step, ..., hi} (Balakrishnan and Reps, CC 2004,
/// there for value-set analysis): it fixes the bit-vector width, folds comparisons and bounds case
/// splits. A constant has no term.
#pragma once

#include <z3.h>

#include <cstdint>

namespace schedcheck {

class Z3Bool;
class Z3Int;
struct Meaning;
struct Origin;

namespace region_detail {
/// Counts regions; a value's birth says whether the innermost region may write it (region.hpp).
extern constinit thread_local std::uint64_t stamp;
/// The `start` of the innermost region; 0 outside regions.
extern constinit thread_local std::uint64_t innermost_start;
/// A store to a value that is older than the innermost region or listed by it: throws
/// std::logic_error in the first case, remembers the old value in the second.
void check_store(Z3Int& leaf);
void check_store(Z3Bool& leaf);
}  // namespace region_detail

class Z3Bool {
 public:
  Z3Bool() : Z3Bool(false) {}
  Z3Bool(bool value) : kind_(value ? kTrue : kFalse), birth_(region_detail::stamp) {}
  Z3Bool(const Z3Bool& other)
      : kind_(other.kind_),
        negated_(other.negated_),
        term_(other.term_),
        meaning_(other.meaning_),
        birth_(region_detail::stamp) {}
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): plain copies of members.
  Z3Bool& operator=(const Z3Bool& other) {
    if (birth_ <= region_detail::innermost_start) region_detail::check_store(*this);
    kind_ = other.kind_;
    negated_ = other.negated_;
    term_ = other.term_;
    meaning_ = other.meaning_;
    return *this;
  }
  ~Z3Bool() = default;
  /// A Bool from a Z3 term; folds the literals true and false.
  static Z3Bool of(Z3_ast term, const Meaning* meaning = nullptr);
  static Z3Bool fresh(const char* name);

  [[nodiscard]] bool is_constant() const { return kind_ != kTerm; }
  [[nodiscard]] bool constant() const { return kind_ == kTrue; }
  [[nodiscard]] Z3_ast term() const;
  [[nodiscard]] bool same(const Z3Bool& other) const;
  [[nodiscard]] Z3_ast atom() const { return term_; }
  [[nodiscard]] bool negated() const { return negated_; }
  /// What the atom says about integers (path_facts.hpp); may be null.
  [[nodiscard]] const Meaning* meaning() const { return meaning_; }

  [[nodiscard]] Z3Bool without_meaning() const { return {term_, negated_, nullptr}; }
  /// For regions: when the value was born, as far as stores are concerned.
  [[nodiscard]] std::uint64_t& birth() { return birth_; }

  /// Branches: inside a region the current path takes one side. Outside a region on a value that is
  /// not constant: std::logic_error.
  explicit operator bool() const;
  Z3Bool operator!() const;

 private:
  enum Kind : std::uint8_t { kFalse, kTrue, kTerm };
  Z3Bool(Z3_ast term, bool negated, const Meaning* meaning)
      : kind_(kTerm),
        negated_(negated),
        term_(term),
        meaning_(meaning),
        birth_(region_detail::stamp) {}
  Kind kind_;
  bool negated_ = false;
  Z3_ast term_ = nullptr;
  const Meaning* meaning_ = nullptr;
  std::uint64_t birth_;
};

Z3Bool operator&&(const Z3Bool& a, const Z3Bool& b);
Z3Bool operator||(const Z3Bool& a, const Z3Bool& b);
inline Z3Bool operator&&(bool a, const Z3Bool& b) { return Z3Bool(a) && b; }
inline Z3Bool operator&&(const Z3Bool& a, bool b) { return a && Z3Bool(b); }
inline Z3Bool operator||(bool a, const Z3Bool& b) { return Z3Bool(a) || b; }
inline Z3Bool operator||(const Z3Bool& a, bool b) { return a || Z3Bool(b); }
Z3Bool operator==(const Z3Bool& a, const Z3Bool& b);

class Z3Int {
 public:
  Z3Int() : Z3Int(std::int64_t{0}) {}
  Z3Int(std::int64_t value) : lo_(value), hi_(value), birth_(region_detail::stamp) {}
  Z3Int(int value) : Z3Int(static_cast<std::int64_t>(value)) {}
  Z3Int(unsigned value) : Z3Int(static_cast<std::int64_t>(value)) {}
  Z3Int(std::uint64_t value) : Z3Int(static_cast<std::int64_t>(value)) {}
  Z3Int(const Z3Int& other)
      : lo_(other.lo_),
        hi_(other.hi_),
        step_(other.step_),
        gap_lo_(other.gap_lo_),
        gap_hi_(other.gap_hi_),
        width_(other.width_),
        term_(other.term_),
        origin_(other.origin_),
        birth_(region_detail::stamp) {}
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): plain copies of members.
  Z3Int& operator=(const Z3Int& other) {
    if (birth_ <= region_detail::innermost_start) region_detail::check_store(*this);
    lo_ = other.lo_;
    hi_ = other.hi_;
    step_ = other.step_;
    gap_lo_ = other.gap_lo_;
    gap_hi_ = other.gap_hi_;
    width_ = other.width_;
    term_ = other.term_;
    origin_ = other.origin_;
    return *this;
  }
  ~Z3Int() = default;
  /// A free integer in {lo, lo+step, .., hi}; `hi - lo` is a multiple of step. What its sort does
  /// not say about its range joins the session's assumptions.
  static Z3Int fresh(const char* name, std::int64_t lo, std::int64_t hi, std::int64_t step = 1);
  /// A term known to lie in the strided interval, `width` bits wide (ignored for integers).
  static Z3Int of(Z3_ast term, std::int64_t lo, std::int64_t hi, std::int64_t step, unsigned width);

  [[nodiscard]] bool is_constant() const { return lo_ == hi_; }
  [[nodiscard]] std::int64_t lo() const { return lo_; }
  [[nodiscard]] std::int64_t hi() const { return hi_; }
  [[nodiscard]] std::int64_t step() const { return step_; }
  /// No value lies strictly between gap_lo and gap_hi: "0 or a recent time" stays known as that.
  [[nodiscard]] bool has_gap() const { return gap_lo_ < gap_hi_; }
  [[nodiscard]] std::int64_t gap_lo() const { return gap_lo_; }
  [[nodiscard]] std::int64_t gap_hi() const { return gap_hi_; }
  [[nodiscard]] Z3Int with_gap(std::int64_t gap_lo, std::int64_t gap_hi) const;
  /// The same term in the same interval (a constant: the same number).
  [[nodiscard]] bool same(const Z3Int& other) const;
  /// The same, and what is known about stride and gap too.
  [[nodiscard]] bool same_view(const Z3Int& other) const {
    return same(other) && step_ == other.step_ && gap_lo_ == other.gap_lo_ &&
           gap_hi_ == other.gap_hi_;
  }
  /// Equal on every path, whatever the intervals say.
  [[nodiscard]] bool same_term(const Z3Int& other) const {
    return !is_constant() && !other.is_constant() && term_ == other.term_ &&
           width_ == other.width_ && (lo_ < 0) == (other.lo_ < 0);
  }
  /// How the value came about (path_facts.hpp); may be null.
  [[nodiscard]] const Origin* origin() const { return origin_; }
  [[nodiscard]] Z3Int with_origin(const Origin* origin) const {
    Z3Int x = *this;
    x.origin_ = x.is_constant() ? nullptr : origin;
    return x;
  }
  /// The term at `width` bits (sign- or zero-extended, or cut); the plain term for integers.
  [[nodiscard]] Z3_ast term(unsigned width) const;
  [[nodiscard]] Z3_ast term() const;
  /// The term lies in the strided interval: for terms that come from outside, such as an invariant.
  [[nodiscard]] Z3Bool in_range() const;
  [[nodiscard]] std::uint64_t& birth() { return birth_; }
  /// The same value, whose interval is now [lo, hi] intersected with the known one. The caller
  /// vouches for it or files an obligation.
  [[nodiscard]] Z3Int assume_range(std::int64_t lo, std::int64_t hi) const;

 private:
  std::int64_t lo_, hi_, step_ = 1;
  std::int64_t gap_lo_ = 0, gap_hi_ = 0;
  unsigned width_ = 0;
  Z3_ast term_ = nullptr;
  const Origin* origin_ = nullptr;
  std::uint64_t birth_;
};

unsigned bit_width(std::int64_t lo, std::int64_t hi);

Z3Int operator+(const Z3Int& a, const Z3Int& b);
Z3Int operator-(const Z3Int& a, const Z3Int& b);
Z3Int operator*(const Z3Int& a, const Z3Int& b);
Z3Bool operator<(const Z3Int& a, const Z3Int& b);
Z3Bool operator<=(const Z3Int& a, const Z3Int& b);
inline Z3Bool operator>(const Z3Int& a, const Z3Int& b) { return b < a; }
inline Z3Bool operator>=(const Z3Int& a, const Z3Int& b) { return b <= a; }
Z3Bool operator==(const Z3Int& a, const Z3Int& b);
inline Z3Bool operator!=(const Z3Int& a, const Z3Int& b) { return !(a == b); }

/// a && b whatever the current path knows: for conditions that outlive the path.
Z3Bool conjunction(const Z3Bool& a, const Z3Bool& b);
/// c ? a : b.
Z3Int merge(const Z3Bool& c, const Z3Int& a, const Z3Int& b);
Z3Bool merge(const Z3Bool& c, const Z3Bool& a, const Z3Bool& b);
/// 1 if b, else 0.
Z3Int indicator(const Z3Bool& b);

}  // namespace schedcheck
