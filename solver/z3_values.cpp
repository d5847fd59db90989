// SPDX-License-Identifier: Apache-2.0
/// \file Construction, terms and merging of symbolic values.
#include "solver/z3_values.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "solver/path_facts.hpp"
#include "solver/z3_session.hpp"

namespace schedcheck {
namespace {

Z3_context ctx() { return Z3Session::current().context(); }
bool integers() { return Z3Session::current().theory() == Theory::kInteger; }

unsigned bits(std::int64_t value) {
  unsigned n = 0;
  for (auto v = static_cast<std::uint64_t>(value); v != 0; v >>= 1) ++n;
  return std::max(n, 1U);
}

Z3_ast numeral(std::int64_t value, unsigned width) {
  return Z3Session::current().numeral(value, width);
}

std::int64_t stride(const Z3Int& x) { return x.is_constant() ? 0 : x.step(); }

/// The atom of c says that a equals b: it is "a - b is 0".
bool says_equal(const Z3Bool& c, const Z3Int& a, const Z3Int& b) {
  const Meaning* meaning = c.meaning();
  if (meaning == nullptr || meaning->kind != Meaning::kEqual) return false;
  const Origin* origin = meaning->a.origin();
  if (origin == nullptr || origin->kind != Origin::kDifference) return false;
  if (!meaning->b.is_constant() || meaning->b.lo() != 0) return false;
  const auto is = [](const Z3Int& x, const Z3Int& y) {
    return x.same_term(y) || (x.is_constant() && x.same(y));
  };
  return (is(origin->a, a) && is(origin->b, b)) || (is(origin->a, b) && is(origin->b, a));
}

struct Gap {
  std::int64_t lo = 0, hi = 0;
};

/// x has no value strictly between.
bool avoids(const Z3Int& x, const Gap& gap) {
  if (x.hi() <= gap.lo || gap.hi <= x.lo()) return true;
  if (x.has_gap() && x.gap_lo() <= gap.lo && gap.hi <= x.gap_hi()) return true;
  if (gap.lo < x.lo()) return false;
  const std::int64_t next = x.lo() + ((gap.lo - x.lo()) / x.step() + 1) * x.step();
  return gap.hi <= next;
}

/// The gap of x; between its only two values, if it has two, where the stride says it all.
Gap own_gap(const Z3Int& x) {
  if (x.has_gap()) return {x.gap_lo(), x.gap_hi()};
  return x.hi() - x.lo() == x.step() ? Gap{x.lo(), x.hi()} : Gap{};
}

/// The widest gap found in the values of both.
Gap common_gap(const Z3Int& a, const Z3Int& b) {
  Gap widest;
  const auto offer = [&](std::int64_t lo, std::int64_t hi) {
    const Gap gap{lo, hi};
    if (lo < hi && (widest.lo >= widest.hi || widest.hi - widest.lo < hi - lo) && avoids(a, gap) &&
        avoids(b, gap))
      widest = gap;
  };
  offer(a.hi(), b.lo());
  offer(b.hi(), a.lo());
  const auto offer_cut = [&](const Z3Int& x, const Z3Int& y) {
    const Gap mine = own_gap(x);
    const Gap theirs = own_gap(y);
    if (mine.lo >= mine.hi) return;
    offer(mine.lo, mine.hi);
    offer(mine.lo, std::min(mine.hi, y.lo()));
    offer(std::max(mine.lo, y.hi()), mine.hi);
    if (theirs.lo < theirs.hi) offer(std::max(mine.lo, theirs.lo), std::min(mine.hi, theirs.hi));
  };
  offer_cut(a, b);
  offer_cut(b, a);
  return widest;
}

}  // namespace

unsigned bit_width(std::int64_t lo, std::int64_t hi) {
  if (lo >= 0) return bits(hi);
  return std::max(bits(~lo), hi > 0 ? bits(hi) : 1U) + 1;
}

Z3Bool Z3Bool::of(Z3_ast term, const Meaning* meaning) {
  const Z3_lbool value = Z3_get_bool_value(ctx(), term);
  if (value != Z3_L_UNDEF) return Z3Bool(value == Z3_L_TRUE);
  return Z3Bool(term, false, meaning);
}

Z3Bool Z3Bool::fresh(const char* name) {
  return Z3Bool::of(
      Z3_mk_const(ctx(), Z3_mk_string_symbol(ctx(), name), Z3Session::current().bool_sort()));
}

Z3_ast Z3Bool::term() const {
  if (kind_ == kFalse) return Z3_mk_false(ctx());
  if (kind_ == kTrue) return Z3_mk_true(ctx());
  return negated_ ? Z3_mk_not(ctx(), term_) : term_;
}

bool Z3Bool::same(const Z3Bool& other) const {
  return kind_ == other.kind_ &&
         (kind_ != kTerm || (term_ == other.term_ && negated_ == other.negated_));
}

Z3Bool Z3Bool::operator!() const {
  return kind_ == kTerm ? Z3Bool(term_, !negated_, meaning_) : Z3Bool(kind_ == kFalse);
}

Z3Bool conjunction(const Z3Bool& a, const Z3Bool& b) {
  if (a.is_constant()) return a.constant() ? b : Z3Bool(false);
  if (b.is_constant()) return b.constant() ? a : Z3Bool(false);
  if (a.atom() == b.atom()) return a.negated() == b.negated() ? a : Z3Bool(false);
  const std::array<Z3_ast, 2> args = {a.term(), b.term()};
  Z3_ast both = Z3_mk_and(ctx(), 2, args.data());
  return Z3Bool::of(both, intern(both, a, b));
}

Z3Bool operator&&(const Z3Bool& a, const Z3Bool& b) {
  return conjunction(region_detail::known_truth(a), region_detail::known_truth(b));
}

Z3Bool operator||(const Z3Bool& a, const Z3Bool& b) { return !(!a && !b); }

Z3Bool operator==(const Z3Bool& a, const Z3Bool& b) { return merge(a, b, !b); }

Z3Int Z3Int::fresh(const char* name, std::int64_t lo, std::int64_t hi, std::int64_t step) {
  if (lo == hi) return Z3Int(lo);
  if (step != 1) return fresh(name, 0, (hi - lo) / step) * Z3Int(step) + Z3Int(lo);
  const unsigned width = bit_width(lo, hi);
  Z3_sort sort =
      integers() ? Z3Session::current().int_sort() : Z3Session::current().bit_vector_sort(width);
  const Z3Int x = of(Z3_mk_const(ctx(), Z3_mk_string_symbol(ctx(), name), sort), lo, hi, 1, width);
  const Z3Bool range = x.in_range();
  if (!range.is_constant()) Z3Session::current().assume(range.term());
  return x;
}

Z3Int Z3Int::of(Z3_ast term, std::int64_t lo, std::int64_t hi, std::int64_t step, unsigned width) {
  Z3Int x(lo);
  if (lo == hi) return x;
  x.hi_ = hi;
  x.step_ = step;
  x.term_ = term;
  x.width_ = bit_width(lo, hi);
  if (integers() || x.width_ == width) return x;
  if (width < x.width_) throw std::logic_error("a term is too narrow for its interval");
  x.term_ = Z3_mk_extract(ctx(), x.width_ - 1, 0, term);
  return x;
}

bool Z3Int::same(const Z3Int& other) const {
  if (is_constant() || other.is_constant())
    return is_constant() && other.is_constant() && lo_ == other.lo_;
  return term_ == other.term_ && lo_ == other.lo_ && hi_ == other.hi_;
}

Z3Int Z3Int::with_gap(std::int64_t gap_lo, std::int64_t gap_hi) const {
  Z3Int x = *this;
  const bool inside = lo_ <= gap_lo && gap_lo + step_ < gap_hi && gap_hi <= hi_;
  x.gap_lo_ = inside ? gap_lo : 0;
  x.gap_hi_ = inside ? gap_hi : 0;
  return x;
}

Z3_ast Z3Int::term(unsigned width) const {
  if (is_constant()) return numeral(lo_, width);
  if (integers() || width == width_) return term_;
  if (width < width_) return Z3_mk_extract(ctx(), width - 1, 0, term_);
  return lo_ < 0 ? Z3_mk_sign_ext(ctx(), width - width_, term_)
                 : Z3_mk_zero_ext(ctx(), width - width_, term_);
}

Z3_ast Z3Int::term() const { return is_constant() ? term(bit_width(lo_, hi_)) : term_; }

Z3Bool Z3Int::in_range() const {
  if (is_constant()) return true;
  if (integers()) {
    std::array<Z3_ast, 3> all = {Z3_mk_le(ctx(), numeral(lo_, 0), term_),
                                 Z3_mk_le(ctx(), term_, numeral(hi_, 0)), Z3_mk_true(ctx())};
    if (step_ > 1) {
      const std::array<Z3_ast, 2> args = {term_, numeral(lo_, 0)};
      all[2] =
          Z3_mk_eq(ctx(), Z3_mk_mod(ctx(), Z3_mk_sub(ctx(), 2, args.data()), numeral(step_, 0)),
                   numeral(0, 0));
    }
    return Z3Bool::of(Z3_mk_and(ctx(), step_ > 1 ? 3 : 2, all.data()));
  }
  // The distance from lo, as an unsigned number of the sort, says it all.
  Z3_ast distance = Z3_mk_bvsub(ctx(), term_, numeral(lo_, width_));
  const bool full = width_ < 64 && hi_ - lo_ == (std::int64_t{1} << width_) - 1;
  if (full && step_ == 1) return true;
  Z3_ast bounded = Z3_mk_bvule(ctx(), distance, numeral(hi_ - lo_, width_));
  if (step_ == 1) return Z3Bool::of(bounded);
  const std::array<Z3_ast, 2> all = {
      bounded,
      Z3_mk_eq(ctx(), Z3_mk_bvurem(ctx(), distance, numeral(step_, width_)), numeral(0, width_))};
  return Z3Bool::of(Z3_mk_and(ctx(), 2, all.data()));
}

Z3Int Z3Int::assume_range(std::int64_t lo, std::int64_t hi) const {
  if (is_constant() || (lo <= lo_ && hi_ <= hi)) return *this;
  std::int64_t new_lo = lo <= lo_ ? lo_ : lo_ + (lo - lo_ + step_ - 1) / step_ * step_;
  std::int64_t new_hi = hi >= hi_ ? hi_ : hi_ - (hi_ - hi + step_ - 1) / step_ * step_;
  if (gap_lo_ < new_lo && new_lo < gap_hi_) new_lo = gap_hi_;
  if (gap_lo_ < new_hi && new_hi < gap_hi_) new_hi = gap_lo_;
  if (new_lo >= new_hi) return Z3Int(std::clamp(new_lo, lo, hi));
  // Cutting to the narrower width keeps the value, because it lies in the new interval; a signed
  // representation of a now non-negative value keeps its low bits too.
  const unsigned width = bit_width(new_lo, new_hi);
  return of(integers() ? term_ : term(width), new_lo, new_hi, step_, width)
      .with_gap(gap_lo_, gap_hi_)
      .with_origin(origin_);
}

Z3Int merge(const Z3Bool& c, const Z3Int& a, const Z3Int& b) {
  // What the origin says about intervals holds on one side's paths only.
  if (a.same_view(b)) return a.origin() == b.origin() ? a : a.with_origin(nullptr);
  const Z3Bool known = region_detail::known_truth(c);
  if (known.is_constant()) return known.constant() ? a : b;
  const std::int64_t lo = std::min(a.lo(), b.lo());
  const std::int64_t hi = std::max(a.hi(), b.hi());
  const std::int64_t step =
      std::gcd(std::gcd(stride(a), stride(b)), static_cast<std::int64_t>(a.lo() - b.lo()));
  const unsigned width = bit_width(lo, hi);
  Z3_ast yes = a.term(width);
  Z3_ast no = b.term(width);
  if (c.negated()) std::swap(yes, no);
  if (says_equal(c, a, b)) yes = no;
  const Z3Int merged = Z3Int::of(yes == no ? yes : Z3_mk_ite(ctx(), c.atom(), yes, no), lo, hi,
                                 step == 0 ? 1 : step, width);
  const auto [gap_lo, gap_hi] = common_gap(a, b);
  return merged.with_gap(gap_lo, gap_hi);
}

Z3Bool merge(const Z3Bool& c, const Z3Bool& a, const Z3Bool& b) {
  // The meaning of one side holds on its paths only.
  if (a.same(b)) return a.meaning() == b.meaning() || a.is_constant() ? a : a.without_meaning();
  const Z3Bool known = region_detail::known_truth(c);
  if (known.is_constant()) return known.constant() ? a : b;
  if (a.is_constant()) return a.constant() ? c || b : !c && b;
  if (b.is_constant()) return b.constant() ? !c || a : c && a;
  return Z3Bool::of(Z3_mk_ite(ctx(), c.term(), a.term(), b.term()));
}

Z3Int indicator(const Z3Bool& b) {
  const Z3Bool known = region_detail::known_truth(b);
  if (known.is_constant()) return Z3Int(known.constant() ? 1 : 0);
  const Z3Int one_if = merge(b, Z3Int(1), Z3Int(0));
  Z3Session::current().atoms().indicator_of.try_emplace(one_if.term(), b.without_meaning());
  return one_if;
}

}  // namespace schedcheck
