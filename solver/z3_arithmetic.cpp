// SPDX-License-Identifier: Apache-2.0
/// \file Arithmetic and comparison of symbolic integers. Each result gets the exact interval of its
/// operands' intervals and a width in which it cannot wrap.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "solver/path_facts.hpp"
#include "solver/z3_session.hpp"
#include "solver/z3_values.hpp"

namespace schedcheck {
namespace {

using region_detail::path_value;

__extension__ using Wide = __int128;

Z3_context ctx() { return Z3Session::current().context(); }
bool integers() { return Z3Session::current().theory() == Theory::kInteger; }

std::int64_t checked(Wide value) {
  if (value > INT64_MAX || value < INT64_MIN)
    throw std::logic_error("symbolic interval leaves 64 bits: declare a tighter field range");
  return static_cast<std::int64_t>(value);
}

/// Width at which an operation on both operands with a result in [lo, hi] cannot wrap.
unsigned common_width(const Z3Int& a, const Z3Int& b, std::int64_t lo, std::int64_t hi) {
  return bit_width(std::min({lo, a.lo(), b.lo()}), std::max({hi, a.hi(), b.hi()}));
}

std::int64_t stride(const Z3Int& x) { return x.is_constant() ? 0 : x.step(); }

bool is_bit(const Z3Int& x) { return x.lo() == 0 && x.hi() == 1; }

/// The origin of x, if x is some value minus y.
const Origin* difference_from(const Z3Int& x, const Z3Int& y) {
  const Origin* o = x.origin();
  return o != nullptr && o->kind == Origin::kDifference && o->b.same_term(y) ? o : nullptr;
}

/// The gap of a in a + b, when b is a constant.
Z3Int shift_gap(const Z3Int& sum, const Z3Int& a, const Z3Int& b) {
  if (!a.has_gap() || !b.is_constant()) return sum;
  return sum.with_gap(a.gap_lo() + b.lo(), a.gap_hi() + b.lo());
}

Z3Int add(const Z3Int& a, const Z3Int& b) {
  const std::int64_t lo = checked(Wide{a.lo()} + b.lo());
  const std::int64_t hi = checked(Wide{a.hi()} + b.hi());
  if (a.is_constant() && b.is_constant()) return Z3Int(lo);
  if (a.is_constant()) return a.lo() == 0 ? b : add(b, a);
  if (b.is_constant() && b.lo() == 0) return a;
  if (const Origin* o = difference_from(a, b); o != nullptr) return o->a;
  if (const Origin* o = difference_from(b, a); o != nullptr) return o->a;
  const std::int64_t step = std::gcd(stride(a), stride(b));
  const unsigned width = common_width(a, b, lo, hi);
  if (integers()) {
    const std::array<Z3_ast, 2> args = {a.term(), b.term()};
    return shift_gap(Z3Int::of(Z3_mk_add(ctx(), 2, args.data()), lo, hi, step, width), a, b);
  }
  return shift_gap(Z3Int::of(Z3_mk_bvadd(ctx(), a.term(width), b.term(width)), lo, hi, step, width),
                   a, b);
}

/// The interval of the result takes the path into account: a time since an attached entity's last
/// update is short although the entity might be unattached on other paths.
Z3Int subtract(const Z3Int& a, const Z3Int& b) {
  if (a.same(b) || a.same_term(b)) return Z3Int(0);
  if (b.is_constant() && b.lo() > INT64_MIN) return add(a, Z3Int(-b.lo()));
  const region_detail::Interval x = region_detail::known_interval(a);
  const region_detail::Interval y = region_detail::known_interval(b);
  const std::int64_t lo = checked(Wide{x.lo} - y.hi);
  const std::int64_t hi = checked(Wide{x.hi} - y.lo);
  const std::int64_t step = std::gcd(stride(a), stride(b));
  const unsigned width = common_width(a, b, lo, hi);
  const std::array<Z3_ast, 2> args = {a.term(width), b.term(width)};
  Z3_ast term =
      integers() ? Z3_mk_sub(ctx(), 2, args.data()) : Z3_mk_bvsub(ctx(), args[0], args[1]);
  return Z3Int::of(term, lo, hi, step, width)
      .with_origin(intern(term, {Origin::kDifference, a, b, 0}));
}

Z3Int multiply(const Z3Int& a, const Z3Int& b) {
  if (!a.is_constant() && b.is_constant()) return multiply(b, a);
  const std::array<Wide, 4> corners = {Wide{a.lo()} * b.lo(), Wide{a.lo()} * b.hi(),
                                       Wide{a.hi()} * b.lo(), Wide{a.hi()} * b.hi()};
  const std::int64_t lo = checked(*std::ranges::min_element(corners));
  const std::int64_t hi = checked(*std::ranges::max_element(corners));
  if (lo == hi) return Z3Int(lo);
  if (a.is_constant() && a.lo() == 1) return b;
  if (const Origin* o = b.origin(); o != nullptr && o->kind == Origin::kExactShift &&
                                    a.is_constant() && a.lo() == std::int64_t{1} << o->shift)
    return o->a;
  // A choice costs the solver less than a multiplier.
  if (is_bit(a)) return merge(a == Z3Int(1), b, Z3Int(0));
  if (is_bit(b)) return merge(b == Z3Int(1), a, Z3Int(0));
  const std::int64_t step = a.is_constant() ? std::abs(a.lo()) * b.step() : 1;
  const unsigned width = common_width(a, b, lo, hi);
  if (integers()) {
    const std::array<Z3_ast, 2> args = {a.term(), b.term()};
    return Z3Int::of(Z3_mk_mul(ctx(), 2, args.data()), lo, hi, step, width);
  }
  return Z3Int::of(Z3_mk_bvmul(ctx(), a.term(width), b.term(width)), lo, hi, step, width);
}

}  // namespace

Z3Int operator+(const Z3Int& a, const Z3Int& b) { return add(path_value(a), path_value(b)); }
Z3Int operator-(const Z3Int& a, const Z3Int& b) { return subtract(path_value(a), path_value(b)); }
Z3Int operator*(const Z3Int& a, const Z3Int& b) { return multiply(path_value(a), path_value(b)); }

Z3Bool operator<=(const Z3Int& a, const Z3Int& b) {
  const region_detail::Interval x = region_detail::known_interval(a);
  const region_detail::Interval y = region_detail::known_interval(b);
  if (x.hi <= y.lo || a.same(b) || a.same_term(b)) return true;
  if (x.lo > y.hi) return false;
  Z3_ast atom = nullptr;
  if (integers()) {
    atom = Z3_mk_le(ctx(), a.term(), b.term());
  } else {
    const std::int64_t lo = std::min(a.lo(), b.lo());
    const unsigned width = bit_width(lo, std::max(a.hi(), b.hi()));
    atom = lo < 0 ? Z3_mk_bvsle(ctx(), a.term(width), b.term(width))
                  : Z3_mk_bvule(ctx(), a.term(width), b.term(width));
  }
  return Z3Bool::of(atom, intern(atom, Meaning::kAtMost, a, b));
}

// One atom for both directions, so that a decision taken on a <= b is recognised in b < a.
Z3Bool operator<(const Z3Int& a, const Z3Int& b) { return !(b <= a); }

Z3Bool operator==(const Z3Int& a, const Z3Int& b) {
  if (a.is_constant() && !b.is_constant()) return b == a;
  if (a.same(b) || a.same_term(b)) return true;
  // One atom for "no unit passed" and "no time passed".
  if (const Origin* o = a.origin(); o != nullptr && o->kind == Origin::kExactShift &&
                                    b.is_constant() && a.lo() <= b.lo() && b.lo() <= a.hi())
    return o->a == Z3Int(b.lo() << o->shift);
  const region_detail::Interval x = region_detail::known_interval(a);
  const region_detail::Interval y = region_detail::known_interval(b);
  if (x.hi < y.lo || y.hi < x.lo) return false;
  if (x.lo == x.hi && y.lo == y.hi) return true;
  if (b.is_constant() && a.gap_lo() < b.lo() && b.lo() < a.gap_hi()) return false;
  const std::int64_t step = std::gcd(stride(a), stride(b));
  if (step > 1 && (a.lo() - b.lo()) % step != 0) return false;
  if (b.is_constant() && is_bit(a)) {
    const auto& indicators = Z3Session::current().atoms().indicator_of;
    if (const auto it = indicators.find(a.term()); it != indicators.end())
      return region_detail::known_truth(b.lo() == 1 ? it->second : !it->second);
  }
  const unsigned width = bit_width(std::min(a.lo(), b.lo()), std::max(a.hi(), b.hi()));
  Z3_ast atom = Z3_mk_eq(ctx(), a.term(width), b.term(width));
  return Z3Bool::of(atom, intern(atom, Meaning::kEqual, a, b));
}

}  // namespace schedcheck
