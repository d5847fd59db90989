// SPDX-License-Identifier: Apache-2.0
/// \file Arithmetic and comparison of symbolic values.
#include "solver/z3_values.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "solver/z3_session.hpp"

namespace schedcheck {
namespace {

__extension__ using Wide = __int128;

Z3_context ctx() { return Z3Session::current().context(); }
bool integers() { return Z3Session::current().theory() == Theory::kInteger; }

unsigned bits(std::int64_t value) {
  unsigned n = 0;
  for (auto v = static_cast<std::uint64_t>(value); v != 0; v >>= 1) ++n;
  return std::max(n, 1U);
}

std::int64_t checked(Wide value) {
  if (value > INT64_MAX || value < INT64_MIN)
    throw std::logic_error("symbolic interval leaves 64 bits: declare a tighter field range");
  return static_cast<std::int64_t>(value);
}

Z3_ast numeral(std::int64_t value, unsigned width) {
  if (integers()) return Z3_mk_int64(ctx(), value, Z3Session::current().int_sort());
  const auto raw = static_cast<std::uint64_t>(value);
  const auto cut = width >= 64 ? raw : raw & ((std::uint64_t{1} << width) - 1);
  if (width > 64) {
    Z3_ast low = Z3_mk_unsigned_int64(ctx(), raw, Z3_mk_bv_sort(ctx(), 64));
    return value < 0 ? Z3_mk_sign_ext(ctx(), width - 64, low)
                     : Z3_mk_zero_ext(ctx(), width - 64, low);
  }
  return Z3_mk_unsigned_int64(ctx(), cut, Z3_mk_bv_sort(ctx(), width));
}

/// Width at which an operation on both operands with a result in [lo, hi] cannot wrap.
unsigned common_width(const Z3Int& a, const Z3Int& b, std::int64_t lo, std::int64_t hi) {
  return bit_width(std::min({lo, a.lo(), b.lo()}), std::max({hi, a.hi(), b.hi()}));
}

std::int64_t stride(const Z3Int& x) { return x.is_constant() ? 0 : x.step(); }

}  // namespace

unsigned bit_width(std::int64_t lo, std::int64_t hi) {
  if (lo >= 0) return bits(hi);
  return std::max(bits(~lo), hi > 0 ? bits(hi) : 1U) + 1;
}

Z3Bool Z3Bool::of(Z3_ast term) {
  const Z3_lbool value = Z3_get_bool_value(ctx(), term);
  if (value != Z3_L_UNDEF) return Z3Bool(value == Z3_L_TRUE);
  return Z3Bool(term, false);
}

Z3Bool Z3Bool::fresh(const char* name) {
  return Z3Bool(Z3_mk_const(ctx(), Z3_mk_string_symbol(ctx(), name), Z3_mk_bool_sort(ctx())),
                false);
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
  return kind_ == kTerm ? Z3Bool(term_, !negated_) : Z3Bool(kind_ == kFalse);
}

Z3Bool operator&&(const Z3Bool& a, const Z3Bool& b) {
  if (a.is_constant()) return a.constant() ? b : Z3Bool(false);
  if (b.is_constant()) return b.constant() ? a : Z3Bool(false);
  if (a.atom() == b.atom()) return a.negated() == b.negated() ? a : Z3Bool(false);
  Z3_ast args[2] = {a.term(), b.term()};
  return Z3Bool::of(Z3_mk_and(ctx(), 2, args));
}

Z3Bool operator||(const Z3Bool& a, const Z3Bool& b) { return !(!a && !b); }

Z3Bool operator==(const Z3Bool& a, const Z3Bool& b) { return merge(a, b, !b); }

Z3Int Z3Int::fresh(const char* name, std::int64_t lo, std::int64_t hi, std::int64_t step) {
  if (lo == hi) return Z3Int(lo);
  if (step != 1) return fresh(name, 0, (hi - lo) / step) * Z3Int(step) + Z3Int(lo);
  const unsigned width = bit_width(lo, hi);
  Z3_sort sort = integers() ? Z3Session::current().int_sort() : Z3_mk_bv_sort(ctx(), width);
  return of(Z3_mk_const(ctx(), Z3_mk_string_symbol(ctx(), name), sort), lo, hi, 1, width);
}

Z3Int Z3Int::of(Z3_ast term, std::int64_t lo, std::int64_t hi, std::int64_t step, unsigned width) {
  Z3Int x(lo);
  if (lo == hi) return x;
  x.hi_ = hi;
  x.step_ = step;
  x.term_ = term;
  x.width_ = width;
  const unsigned minimal = bit_width(lo, hi);
  if (!integers() && minimal < width) {
    x.term_ = Z3_mk_extract(ctx(), minimal - 1, 0, term);
    x.width_ = minimal;
  }
  return x;
}

bool Z3Int::same(const Z3Int& other) const {
  if (is_constant() || other.is_constant())
    return is_constant() && other.is_constant() && lo_ == other.lo_;
  return term_ == other.term_ && lo_ == other.lo_ && hi_ == other.hi_;
}

Z3_ast Z3Int::term(unsigned width) const {
  if (is_constant()) return numeral(lo_, width);
  if (integers() || width == width_) return term_;
  if (width < width_) return Z3_mk_extract(ctx(), width - 1, 0, term_);
  return lo_ < 0 ? Z3_mk_sign_ext(ctx(), width - width_, term_)
                 : Z3_mk_zero_ext(ctx(), width - width_, term_);
}

Z3_ast Z3Int::term() const { return term(is_constant() ? bit_width(lo_, hi_) : width_); }

Z3Bool Z3Int::in_range() const {
  if (is_constant()) return true;
  Z3Int free = *this;  // Forget the interval, or the comparisons would fold.
  if (!integers()) {
    free.lo_ = lo_ < 0 ? -(std::int64_t{1} << (width_ - 1)) : 0;
    free.hi_ = lo_ < 0 ? (std::int64_t{1} << (width_ - 1)) - 1
                       : (width_ >= 63 ? INT64_MAX : (std::int64_t{1} << width_) - 1);
  } else {
    free.lo_ = INT64_MIN / 4;
    free.hi_ = INT64_MAX / 4;
  }
  return Z3Int(lo_) <= free && free <= Z3Int(hi_);
}

Z3Int Z3Int::assume_range(std::int64_t lo, std::int64_t hi) const {
  if (is_constant() || (lo <= lo_ && hi_ <= hi)) return *this;
  const std::int64_t new_lo = lo <= lo_ ? lo_ : lo_ + (lo - lo_ + step_ - 1) / step_ * step_;
  const std::int64_t new_hi = std::min(hi, hi_);
  if (new_lo >= new_hi) return Z3Int(new_lo);
  // Cutting to the narrower width keeps the value, because it lies in the new interval; a signed
  // representation of a now non-negative value keeps its low bits too.
  const unsigned width = bit_width(new_lo, new_hi);
  return of(integers() ? term_ : term(width), new_lo, new_hi, step_, width);
}

Z3Int operator+(const Z3Int& a, const Z3Int& b) {
  const std::int64_t lo = checked(Wide{a.lo()} + b.lo());
  const std::int64_t hi = checked(Wide{a.hi()} + b.hi());
  if (a.is_constant() && b.is_constant()) return Z3Int(lo);
  if (a.is_constant() && a.lo() == 0) return b;
  if (b.is_constant() && b.lo() == 0) return a;
  const std::int64_t step = std::gcd(stride(a), stride(b));
  const unsigned width = common_width(a, b, lo, hi);
  if (integers()) {
    Z3_ast args[2] = {a.term(), b.term()};
    return Z3Int::of(Z3_mk_add(ctx(), 2, args), lo, hi, step, width);
  }
  return Z3Int::of(Z3_mk_bvadd(ctx(), a.term(width), b.term(width)), lo, hi, step, width);
}

Z3Int operator-(const Z3Int& a, const Z3Int& b) {
  if (a.same(b)) return Z3Int(0);
  const std::int64_t lo = checked(Wide{a.lo()} - b.hi());
  const std::int64_t hi = checked(Wide{a.hi()} - b.lo());
  if (a.is_constant() && b.is_constant()) return Z3Int(lo);
  if (b.is_constant() && b.lo() == 0) return a;
  const std::int64_t step = std::gcd(stride(a), stride(b));
  const unsigned width = common_width(a, b, lo, hi);
  if (integers()) {
    Z3_ast args[2] = {a.term(), b.term()};
    return Z3Int::of(Z3_mk_sub(ctx(), 2, args), lo, hi, step, width);
  }
  return Z3Int::of(Z3_mk_bvsub(ctx(), a.term(width), b.term(width)), lo, hi, step, width);
}

Z3Int operator*(const Z3Int& a, const Z3Int& b) {
  if (!a.is_constant() && b.is_constant()) return b * a;
  const Wide corners[4] = {Wide{a.lo()} * b.lo(), Wide{a.lo()} * b.hi(), Wide{a.hi()} * b.lo(),
                           Wide{a.hi()} * b.hi()};
  const std::int64_t lo = checked(*std::min_element(corners, corners + 4));
  const std::int64_t hi = checked(*std::max_element(corners, corners + 4));
  if (lo == hi) return Z3Int(lo);
  if (a.is_constant() && a.lo() == 1) return b;
  const std::int64_t step = a.is_constant() ? std::abs(a.lo()) * b.step() : 1;
  const unsigned width = common_width(a, b, lo, hi);
  if (integers()) {
    Z3_ast args[2] = {a.term(), b.term()};
    return Z3Int::of(Z3_mk_mul(ctx(), 2, args), lo, hi, step, width);
  }
  return Z3Int::of(Z3_mk_bvmul(ctx(), a.term(width), b.term(width)), lo, hi, step, width);
}

Z3Bool operator<=(const Z3Int& a, const Z3Int& b) {
  if (a.hi() <= b.lo() || a.same(b)) return true;
  if (a.lo() > b.hi()) return false;
  if (integers()) return Z3Bool::of(Z3_mk_le(ctx(), a.term(), b.term()));
  const std::int64_t lo = std::min(a.lo(), b.lo());
  const unsigned width = bit_width(lo, std::max(a.hi(), b.hi()));
  return Z3Bool::of(lo < 0 ? Z3_mk_bvsle(ctx(), a.term(width), b.term(width))
                           : Z3_mk_bvule(ctx(), a.term(width), b.term(width)));
}

// One atom for both directions, so that a decision taken on a <= b is recognised in b < a.
Z3Bool operator<(const Z3Int& a, const Z3Int& b) { return !(b <= a); }

Z3Bool operator==(const Z3Int& a, const Z3Int& b) {
  if (a.same(b)) return true;
  if (a.hi() < b.lo() || b.hi() < a.lo()) return false;
  const std::int64_t step = std::gcd(stride(a), stride(b));
  if (step > 1 && (a.lo() - b.lo()) % step != 0) return false;
  const unsigned width = bit_width(std::min(a.lo(), b.lo()), std::max(a.hi(), b.hi()));
  return Z3Bool::of(Z3_mk_eq(ctx(), a.term(width), b.term(width)));
}

Z3Int merge(const Z3Bool& c, const Z3Int& a, const Z3Int& b) {
  if (a.same(b)) return a;
  if (c.is_constant()) return c.constant() ? a : b;
  const std::int64_t lo = std::min(a.lo(), b.lo());
  const std::int64_t hi = std::max(a.hi(), b.hi());
  const std::int64_t step =
      std::gcd(std::gcd(stride(a), stride(b)), static_cast<std::int64_t>(a.lo() - b.lo()));
  const unsigned width = bit_width(lo, hi);
  Z3_ast yes = a.term(width);
  Z3_ast no = b.term(width);
  if (c.negated()) std::swap(yes, no);
  return Z3Int::of(yes == no ? yes : Z3_mk_ite(ctx(), c.atom(), yes, no), lo, hi,
                   step == 0 ? 1 : step, width);
}

Z3Bool merge(const Z3Bool& c, const Z3Bool& a, const Z3Bool& b) {
  if (a.same(b)) return a;
  if (c.is_constant()) return c.constant() ? a : b;
  if (a.is_constant()) return a.constant() ? c || b : !c && b;
  if (b.is_constant()) return b.constant() ? !c || a : c && a;
  return Z3Bool::of(Z3_mk_ite(ctx(), c.term(), a.term(), b.term()));
}

}  // namespace schedcheck
