// SPDX-License-Identifier: Apache-2.0
/// \file Division, shifts and case splits of the symbolic reading.
#include "solver/z3_domain.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

#include "model/domain/native_domain.hpp"
#include "solver/path_facts.hpp"
#include "solver/z3_session.hpp"

namespace schedcheck {
namespace {

constexpr std::int64_t kDivisorSplitMax = 64;

Z3_context ctx() { return Z3Session::current().context(); }
Z3_ast numeral(std::int64_t value) { return Z3Session::current().numeral(value, 0); }
bool integers() { return Z3Session::current().theory() == Theory::kInteger; }

std::int64_t floor_mod(std::int64_t x, std::int64_t m) { return ((x % m) + m) % m; }

Z3Int divide(const Z3Int& x, const Z3Int& y) {
  const std::int64_t lo = x.lo() / y.hi();
  const std::int64_t hi = x.hi() / y.lo();
  if (lo == hi) return Z3Int(lo);
  if (integers()) return Z3Int::of(Z3_mk_div(ctx(), x.term(), y.term()), lo, hi, 1, 0);
  const unsigned width = bit_width(0, std::max(x.hi(), y.hi()));
  return Z3Int::of(Z3_mk_bvudiv(ctx(), x.term(width), y.term(width)), lo, hi, 1, width);
}

}  // namespace

Z3Int store_in_range(const Z3Int& x, std::int64_t lo, std::int64_t hi, bool data) {
  if (lo <= x.lo() && x.hi() <= hi) return x;
  const region_detail::Interval known = region_detail::known_interval(x);
  if (lo <= known.lo && known.hi <= hi) return x.assume_range(lo, hi);
  const Z3Bool path = region_detail::path_condition();
  const std::string range = "[" + std::to_string(lo) + ", " + std::to_string(hi) + "]";
  Z3Session& session = Z3Session::current();
  if (known.hi < lo || hi < known.lo) {
    if (path.is_constant())
      throw std::logic_error("a stored value is never in its field's range " + range);
    session.oblige((!path).term(), "a path that leaves the range " + range, data);
    throw region_detail::InfeasiblePath{};
  }
  const Z3Bool inside = conjunction(Z3Int(lo) <= x, x <= Z3Int(hi));
  session.oblige((!conjunction(path, !inside)).term(), "field range " + range, data);
  return x.assume_range(lo, hi);
}

Z3Int stored_data(const Z3Int& x, std::int64_t lo, std::int64_t hi) {
  Z3Session& session = Z3Session::current();
  if (!session.abstract() || x.is_constant()) return store_in_range(x, lo, hi, /*data=*/true);
  return Z3Int::fresh(session.new_name("any").c_str(), lo, hi);
}

std::int64_t Z3Domain::constant(const Int& x) {
  if (!x.is_constant()) throw std::logic_error("this step needs a plain number here");
  return x.lo();
}

int Z3Domain::cases(int n) { return Z3Session::current().abstract() ? 1 : n; }

// Few values: one equality after the other, which later comparisons meet again. Many: halving, or
// the paths would take a quadratic number of comparisons.
int Z3Domain::which(const Int& x, int lo, int hi) {
  constexpr std::int64_t kHalveFrom = 8;
  const Int inside = store_in_range(x, lo, hi);
  const std::int64_t step = inside.is_constant() ? 1 : inside.step();
  region_detail::Interval left{lo, hi};
  for (;;) {
    const region_detail::Interval known = region_detail::known_interval(inside);
    left = {std::max(left.lo, known.lo), std::min(left.hi, known.hi)};
    if (left.empty()) throw region_detail::InfeasiblePath{};
    if (left.lo == left.hi) return static_cast<int>(left.lo);
    if ((left.hi - left.lo) / step >= kHalveFrom) {
      const std::int64_t middle = left.lo + (left.hi - left.lo) / step / 2 * step;
      if (inside <= Int(middle)) {
        left.hi = middle;
      } else {
        left.lo = middle + step;
      }
    } else if (inside == Int(left.lo)) {
      return static_cast<int>(left.lo);
    } else {
      left.lo += step;
    }
  }
}

Z3Int Z3Domain::sub_or_zero(const Int& a, const Int& b) {
  const Int difference = a - b;
  if (difference.lo() >= 0) return difference;
  if (difference.hi() <= 0) return Int(0);
  return merge(b < a, difference.assume_range(0, difference.hi()), Int(0));
}

Z3Int Z3Domain::mul_shr32(const Int& factor, std::uint32_t c) {
  const Int x = narrow(region_detail::path_value(factor), 0, INT64_MAX);
  const auto scaled = [c](std::int64_t v) {
    return static_cast<std::int64_t>((static_cast<Uint128>(static_cast<std::uint64_t>(v)) * c) >>
                                     32);
  };
  const std::int64_t lo = scaled(x.lo());
  const std::int64_t hi = scaled(x.hi());
  if (lo == hi) return Int(lo);
  if (integers()) {
    const std::array<Z3_ast, 2> args = {numeral(c), x.term()};
    Z3_ast product = Z3_mk_mul(ctx(), 2, args.data());
    return Int::of(Z3_mk_div(ctx(), product, numeral(std::int64_t{1} << 32)), lo, hi, 1, 0);
  }
  const unsigned width = bit_width(0, x.hi()) + 32;
  Z3_ast product = Z3_mk_bvmul(ctx(), x.term(width), Int(static_cast<std::int64_t>(c)).term(width));
  return Int::of(Z3_mk_extract(ctx(), width - 1, 32, product), lo, hi, 1, width - 32);
}

Z3Int Z3Domain::shr(const Int& value, int s) {
  const Int x = region_detail::path_value(value);
  const std::int64_t lo = x.lo() >> s;
  const std::int64_t hi = x.hi() >> s;
  if (s == 0) return x;
  if (lo == hi) return Int(lo);
  const std::int64_t block = std::int64_t{1} << s;
  const std::int64_t step = x.step() % block == 0 ? x.step() >> s : 1;
  // One bit more than the shift leaves room for the sign.
  const auto shift = static_cast<unsigned>(s);
  const unsigned width = std::max(bit_width(x.lo(), x.hi()), shift + 2);
  Z3_ast term = integers() ? Z3_mk_div(ctx(), x.term(), numeral(block))
                           : Z3_mk_extract(ctx(), width - 1, shift, x.term(width));
  const Int result = Int::of(term, lo, hi, step, width - shift);
  const bool exact = x.step() % block == 0 && floor_mod(x.lo(), block) == 0;
  return exact ? result.with_origin(intern(term, {Origin::kExactShift, x, {}, s})) : result;
}

Z3Int Z3Domain::mod_pow2(const Int& value, int bits) {
  const Int x = region_detail::path_value(value);
  const std::int64_t block = std::int64_t{1} << bits;
  if ((x.lo() >> bits) == (x.hi() >> bits)) return x - Int((x.lo() >> bits) << bits);
  const std::int64_t step = std::gcd(x.step(), block);
  const std::int64_t lo = floor_mod(x.lo(), step);
  const std::int64_t hi = block - step + lo;
  if (lo == hi) return Int(lo);
  if (integers()) {
    return Int::of(Z3_mk_mod(ctx(), x.term(), numeral(block)), lo, hi, step, 0);
  }
  const auto width = static_cast<unsigned>(bits);
  return Int::of(x.term(std::max(width, bit_width(x.lo(), x.hi()))), lo, hi, step,
                 std::max(width, bit_width(x.lo(), x.hi())));
}

Z3Int Z3Domain::div(const Int& dividend, const Int& divisor) {
  const Int x = narrow(region_detail::path_value(dividend), 0, INT64_MAX);
  const Int y = narrow(region_detail::path_value(divisor), 1, INT64_MAX);
  if (y.is_constant()) return divide(x, y);
  const region_detail::Interval known = region_detail::known_interval(y);
  if ((known.hi - known.lo) / y.step() >= kDivisorSplitMax) return divide(x, y);
  Int result = divide(x, Int(known.hi));
  for (std::int64_t v = known.lo; v < known.hi; v += y.step())
    result = merge(y == Int(v), divide(x, Int(v)), result);
  return result;
}

Z3Bool Z3Domain::intersects(const Int& m, std::uint64_t cpus) {
  Z3Bool any = false;
  for (; cpus != 0; cpus &= cpus - 1) any = any || bit(m, std::countr_zero(cpus));
  return any;
}

Z3Int Z3Domain::count(const Int& m, std::uint64_t cpus) {
  Int n = 0;
  for (; cpus != 0; cpus &= cpus - 1) n = n + indicator(bit(m, std::countr_zero(cpus)));
  return n;
}

Z3Int Z3Domain::first(const Int& m, std::uint64_t cpus) {
  int cpu = 63 - std::countl_zero(cpus);
  Int lowest = cpu;
  while (cpu-- > 0)
    if ((cpus >> cpu & 1) != 0) lowest = merge(bit(m, cpu), Int(cpu), lowest);
  return lowest;
}

Z3Domain::Mask Z3Domain::with_bit(const Int& m, int i) {
  const std::int64_t one = std::int64_t{1} << i;
  const Int sum = m + select(bit(m, i), Int(0), Int(one));
  const auto all_bits = static_cast<std::int64_t>(
                            std::bit_ceil(static_cast<std::uint64_t>(std::max(m.hi(), one)) + 1)) -
                        1;
  return sum.assume_range(std::max(m.lo(), one), std::min(sum.hi(), all_bits));
}

}  // namespace schedcheck
