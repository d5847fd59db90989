// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every operation of the symbolic domain against the native one. Method: aimed numbers (wrap
/// points, thresholds, ends of intervals, negative ones) as constants and as pinned symbols of
/// narrow, wide and strided intervals, in both theories; then what intervals and fields promise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/twin.hpp"

namespace schedcheck {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kWrap = std::int64_t{1} << 32;

/// 875/876: util at which 117 % of it passes 1024; 46717/46718: the least PELT divider; 2^32: wrap.
const Numbers kNatural = {0,     1,     2,         31,    32,        33,
                          875,   876,   1023,      1024,  1025,      46717,
                          46718, 47742, kWrap - 1, kWrap, kWrap + 1, (std::int64_t{1} << 40) + 17};
const Numbers kSigned = {0,  1,  5,     1023,  1024,  kWrap - 1,  kWrap,  -1,
                         -2, -5, -1023, -1024, -1025, -kWrap + 1, -kWrap, -kWrap - 1};
const Numbers kSmall = {0, 1, 7, 875, 876, 46717, 46718, 88761, -1, -46718};

/// The strided interval of x, less its gap, has v.
bool admits(const Z3Int& x, std::int64_t v) {
  if (x.is_constant()) return v == x.lo();
  const bool in_gap = x.gap_lo() < v && v < x.gap_hi();
  return x.lo() <= v && v <= x.hi() && (v - x.lo()) % x.step() == 0 && !in_gap;
}

/// One operation on two numbers, written once for both domains.
template <class Operation>
class OperationCheck {
 public:
  OperationCheck(const char* name, Operation operation) : name_(name), operation_(operation) {}

  void check_all(const Numbers& left, const Numbers& right) const {
    for (const Theory theory : {Theory::kBitVector, Theory::kInteger}) {
      const Z3Session session(theory);
      twin::Pins pins;
      std::vector<Expected> expected;
      for (const std::int64_t a : left)
        for (const std::int64_t b : right) add(a, b, pins, expected);
      ASSERT_TRUE(pins.solve()) << name_;
      for (const Expected& e : expected) {
        ASSERT_EQ(pins.value(e.symbolic), e.native) << name_ << " of " << e.what;
        ASSERT_TRUE(admits(e.symbolic, e.native)) << name_ << " of " << e.what;
      }
    }
  }

 private:
  struct Expected {
    Z3Int symbolic;
    std::int64_t native;
    std::string what;
  };

  void add(std::int64_t a, std::int64_t b, twin::Pins& pins,
           std::vector<Expected>& expected) const {
    const std::int64_t native = operation_(NativeDomain{}, a, b);
    const std::string what = std::to_string(a) + ", " + std::to_string(b);
    const Z3Int constant = operation_(Z3Domain{}, Z3Int(a), Z3Int(b));
    ASSERT_TRUE(constant.is_constant()) << name_ << " of " << what;
    ASSERT_EQ(constant.lo(), native) << name_ << " of " << what;
    for (const Z3Int& x : symbols(a, pins)) {
      expected.push_back({operation_(Z3Domain{}, x, Z3Int(b)), native, what + " (left free)"});
      for (const Z3Int& y : symbols(b, pins))
        expected.push_back({operation_(Z3Domain{}, x, y), native, what + " (both free)"});
    }
    for (const Z3Int& y : symbols(b, pins))
      expected.push_back({operation_(Z3Domain{}, Z3Int(a), y), native, what + " (right free)"});
  }

  /// Symbols for v: at either end of a narrow interval, in a wide one, in a strided one. Intervals
  /// of natural numbers stay natural, those of positive ones positive.
  [[nodiscard]] static std::vector<Z3Int> symbols(std::int64_t v, twin::Pins& pins) {
    const std::int64_t floor = v > 0 ? 1 : v == 0 ? 0 : INT64_MIN;
    const std::int64_t first =
        v < 192 + floor && v >= floor ? v % 64 + (floor > v % 64 ? 64 : 0) : v - 192;
    return {pins.integer(v, v, v + 6), pins.integer(v, std::max(floor, v - 5), v + 1),
            pins.integer(v, v < 0 ? 4 * v : floor, v < 0 ? 10 : 2 * v + 3),
            pins.integer(v, first, v + 128, 64)};
  }

  const char* name_;
  Operation operation_;
};

template <class D>
typename D::Int both(typename D::Bool a, typename D::Bool b) {
  return D::to_int(a) + D::to_int(b) * 2;
}

TEST(Z3Domain, AddsSubtractsAndMultiplies) {
  OperationCheck("a + b", [](auto, auto a, auto b) { return a + b; }).check_all(kSigned, kSigned);
  OperationCheck("a - b", [](auto, auto a, auto b) { return a - b; }).check_all(kSigned, kSigned);
  OperationCheck("a * b", [](auto, auto a, auto b) { return a * b; }).check_all(kSmall, kSmall);
}

TEST(Z3Domain, ComparesLikeMathematicalIntegers) {
  OperationCheck("order", []<class D>(D, auto a, auto b) {
    return both<D>(a < b, a <= b);
  }).check_all(kSigned, kSigned);
  OperationCheck("reversed order", []<class D>(D, auto a, auto b) {
    return both<D>(a > b, a >= b);
  }).check_all(kSigned, kNatural);
  OperationCheck("equality", []<class D>(D, auto a, auto b) {
    return both<D>(a == b, a != b);
  }).check_all(kSigned, kSigned);
}

TEST(Z3Domain, CombinesTruthValues) {
  OperationCheck("and, or", []<class D>(D, auto a, auto b) {
    return both<D>(a < 876 && b < 876, a < 876 || !(b < 876));
  }).check_all(kSmall, kSmall);
  OperationCheck("bool ==", []<class D>(D, auto a, auto b) {
    return D::to_int((a < 876) == (b < 876));
  }).check_all(kSmall, kSmall);
  OperationCheck("select", []<class D>(D, auto a, auto b) {
    return D::select(a < b, a, b + 1);
  }).check_all(kSmall, kSmall);
}

TEST(Z3Domain, TakesMinimaMaximaAndDifferencesDownToZero) {
  OperationCheck("min", []<class D>(D, auto a, auto b) {
    return D::min(a, b);
  }).check_all(kSigned, kSigned);
  OperationCheck("max", []<class D>(D, auto a, auto b) {
    return D::max(a, b);
  }).check_all(kSigned, kSigned);
  OperationCheck("sub_or_zero", []<class D>(D, auto a, auto b) {
    return D::sub_or_zero(a, b);
  }).check_all(kNatural, kNatural);
}

TEST(Z3Domain, DividesAndScalesNaturalNumbers) {
  const Numbers divisors = {1, 2, 1023, 1024, 46717, 46718, 47741, kWrap};
  OperationCheck("div", []<class D>(D, auto a, auto b) {
    return D::div(a, b);
  }).check_all(kNatural, divisors);
  for (const std::uint32_t c : {0xffffffffU, 0xb504f333U, 0x82cd8698U, 1U, 0U})
    OperationCheck("mul_shr32", [c]<class D>(D, auto a, auto) {
      return D::mul_shr32(a, c);
    }).check_all(kNatural, {0});
}

TEST(Z3Domain, ShiftsAndCutsTowardsMinusInfinity) {
  for (const int bits : {0, 1, 3, 10, 32, 40}) {
    OperationCheck("shr", [bits]<class D>(D, auto a, auto) {
      return D::shr(a, bits);
    }).check_all(kSigned, {0});
    OperationCheck("mod_pow2", [bits]<class D>(D, auto a, auto) {
      return D::mod_pow2(a, bits);
    }).check_all(kSigned, {0});
  }
  OperationCheck("wrap_u32", []<class D>(D, auto a, auto b) {
    return D::wrap_u32(a + b);
  }).check_all(kSigned, kSigned);
}

TEST(Z3Domain, ReadsAndSetsBitsOfMasks) {
  for (const int i : {0, 1, 3, 31, 32})
    OperationCheck("bit, with_bit", [i]<class D>(D, auto a, auto b) {
      using Mask = typename D::Mask;
      return D::to_int(D::bit(Mask(a), i)) +
             static_cast<typename D::Int>(D::with_bit(Mask(b), i)) * 2;
    }).check_all({0, 1, 5, 10, 15, kWrap - 1}, {0, 1, 5, 10, 15, kWrap - 1});
}

TEST(Z3Domain, CountsTheCpusOfMasks) {
  OperationCheck("intersects, count, first", []<class D>(D, auto a, auto b) {
    constexpr std::uint64_t kCpus = 0b1101;
    const auto some = static_cast<typename D::Mask>(a);
    const typename D::Mask with_cpu_3 = D::with_bit(static_cast<typename D::Mask>(b), 3);
    return D::to_int(D::intersects(some, kCpus)) + D::count(some, kCpus) * 2 +
           D::first(with_cpu_3, kCpus) * 16;
  }).check_all({0, 1, 2, 5, 10, 15, kWrap - 1}, {0, 2, 4, 7, 10, kWrap - 1});
}

TEST(Z3Domain, SplitsValuesByWhich) {
  OperationCheck("which", []<class D>(D, auto a, auto) {
    return D::eval([&]() -> typename D::Int { return D::which(a, -5, 200) * 3 + 1; });
  }).check_all({0, 1, 2, 31, 60}, {0});
}

std::string text(const Z3Int& x) {
  return Z3_ast_to_string(Z3Session::current().context(), x.term());
}

TEST(Z3Domain, SplitsADivisionByAStridedDivisor) {
  const Z3Session session(Theory::kInteger);
  const Z3Int x = Z3Int::fresh("x", 0, 1 << 20);
  const Z3Int few = Z3Int::fresh("few", 46718, 46718 + 960, 64);
  const Z3Int many = Z3Int::fresh("many", 46718, 46718 + 1023);
  EXPECT_THAT(text(Z3Domain::div(x, few)), ::testing::HasSubstr("(div x 47614)"));
  EXPECT_THAT(text(Z3Domain::div(x, many)), ::testing::HasSubstr("(div x many)"));
}

TEST(Z3Domain, KeepsStridesThroughArithmeticAndMerges) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 3, 3 + 640, 64);
  EXPECT_EQ((x + 5).step(), 64);
  EXPECT_EQ((Z3Int(10) - x).step(), 64);
  EXPECT_EQ((x * 3).step(), 192);
  EXPECT_EQ(merge(Z3Bool::fresh("c"), x, Z3Int(35)).step(), 32);
  EXPECT_TRUE((x == Z3Int(4)).is_constant()) << "4 is not among 3, 67, ..";
  const Z3Int cut = x.assume_range(4, 200);
  EXPECT_EQ(cut.lo(), 67);
  EXPECT_EQ(cut.hi(), 195);
}

TEST(Z3Domain, KeepsTheGapBetweenNothingAndARecentTime) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int stamp =
      merge(Z3Bool::fresh("attached"), Z3Int::fresh("time", 1000, 1100), Z3Int(0)) + 7;
  EXPECT_EQ(stamp.gap_lo(), 7);
  EXPECT_EQ(stamp.gap_hi(), 1007);
  EXPECT_TRUE((stamp == Z3Int(500)).is_constant());
  const Z3Int constants = merge(Z3Bool::fresh("c"), Z3Int(1024), Z3Int(0));
  const Z3Int time = Z3Int::fresh("other", 960, 1088, 64);
  EXPECT_EQ(merge(Z3Bool::fresh("d"), time, constants).gap_hi(), 960) << "the stride was the gap";
  const Z3Int age =
      Z3Domain::eval([&]() -> Z3Int { return stamp == Z3Int(7) ? Z3Int(0) : Z3Int(1200) - stamp; });
  EXPECT_EQ(age.hi(), 193) << "a path knows that the time is recent";
}

// Random strided intervals, merged twice and shifted: no value of a side may get lost.
TEST(Z3Domain, MergesAdmitEveryValueOfBothSides) {
  const Z3Session session(Theory::kBitVector);
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  struct Side {
    Z3Int x;
    Numbers values;
  };
  const auto side = [&](int i) {
    const std::int64_t lo = below(60) - 20;
    const std::int64_t step = below(4) + 1;
    const std::int64_t count = below(5) + 1;
    const std::string name = "x" + std::to_string(i);
    Side result{Z3Int::fresh(name.c_str(), lo, lo + (count - 1) * step, step), {}};
    for (std::int64_t k = 0; k < count; ++k) result.values.push_back(lo + k * step);
    return result;
  };
  for (int i = 0; i < 4000; i += 4) {
    const Side a = side(i), b = side(i + 1), c = side(i + 2), d = side(i + 3);
    const Z3Int merged = merge(Z3Bool::fresh("p"), merge(Z3Bool::fresh("q"), a.x, b.x),
                               merge(Z3Bool::fresh("r"), c.x, d.x) + 3);
    for (const std::int64_t v : a.values) ASSERT_TRUE(admits(merged, v));
    for (const std::int64_t v : b.values) ASSERT_TRUE(admits(merged, v));
    for (const std::int64_t v : c.values) ASSERT_TRUE(admits(merged, v + 3));
    for (const std::int64_t v : d.values) ASSERT_TRUE(admits(merged, v + 3));
    const Z3Int cut = merged.assume_range(-5, 20);
    for (const std::int64_t v : a.values)
      if (v >= -5 && v <= 20) {
        ASSERT_TRUE(admits(cut, v));
      }
  }
}

/// The assumptions of a fresh symbol leave exactly its strided interval.
TEST(Z3Domain, FreshSymbolsHaveExactlyTheirValues) {
  for (const Theory theory : {Theory::kBitVector, Theory::kInteger}) {
    const Z3Session session(theory);
    Z3_context context = session.context();
    const Z3Int x = Z3Int::fresh("x", -3, 21, 3);
    Z3_solver solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, solver);
    for (Z3_ast range : session.assumptions()) Z3_solver_assert(context, solver, range);
    std::vector<std::int64_t> values;
    for (std::int64_t v = -40; v <= 60; ++v) {
      Z3_solver_push(context, solver);
      Z3_ast equal = Z3_mk_eq(context, x.term(8), Z3Int(v).term(8));
      Z3_solver_assert(context, solver, equal);
      if (Z3_solver_check(context, solver) == Z3_L_TRUE) values.push_back(v);
      Z3_solver_pop(context, solver, 1);
    }
    Z3_solver_dec_ref(context, solver);
    EXPECT_THAT(values, ::testing::ElementsAre(-3, 0, 3, 6, 9, 12, 15, 18, 21));
  }
}

TEST(Z3Domain, InRangeHoldsForTheStridedIntervalOnly) {
  for (const Theory theory : {Theory::kBitVector, Theory::kInteger}) {
    const Z3Session session(theory);
    twin::Pins pins;
    std::vector<std::pair<std::int64_t, Z3Bool>> claims;
    for (std::int64_t v = 0; v < 32; ++v) {
      const Z3Int symbol = pins.integer(v, 0, 31);
      claims.emplace_back(v, Z3Int::of(symbol.term(), 4, 28, 8, 5).in_range());
    }
    ASSERT_TRUE(pins.solve());
    for (const auto& [v, claim] : claims)
      EXPECT_EQ(pins.holds(claim), v >= 4 && v <= 28 && (v - 4) % 8 == 0) << v;
  }
}

TEST(Z3Field, FilesAnObligationOnlyWhereTheIntervalDoesNotProveTheRange) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 0, 20);
  Z3Field<0, 20> wide = x;
  EXPECT_TRUE(session.obligations().empty());
  Z3Field<0, 10> narrow = x;
  ASSERT_EQ(session.obligations().size(), 1U);
  EXPECT_EQ(narrow.hi(), 10);
  EXPECT_EQ(wide.hi(), 20);
  narrow = x;
  EXPECT_EQ(session.obligations().size(), 1U) << "the same obligation again";
}

TEST(Z3Field, ObligesOnlyThePathThatStores) {
  Z3Session session(Theory::kBitVector);
  twin::Pins pins;
  const Z3Int x = pins.integer(15, 0, 20);
  const Z3Int free = pins.integer(0, 0, 1);
  Z3Field<0, 10> field = 0;
  Z3Domain::join(
      [&] {
        if (free == Z3Int(1)) field = x;
      },
      field);
  ASSERT_EQ(session.obligations().size(), 1U);
  ASSERT_TRUE(pins.solve());
  EXPECT_TRUE(pins.holds(session.obligations()[0].holds)) << "15 is out of range, but not stored";
}

TEST(Z3Field, NeedsNoObligationWhereThePathProvesTheRange) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 0, 20);
  Z3Field<0, 10> field = 0;
  Z3Domain::join(
      [&] {
        if (x <= Z3Int(10)) field = x;
      },
      field);
  EXPECT_TRUE(session.obligations().empty());
}

TEST(Z3Field, RejectsAValueThatIsNeverInItsRange) {
  const Z3Session session(Theory::kBitVector);
  EXPECT_THROW((Z3Field<0, 10>(11)), std::logic_error);
  EXPECT_THROW((Z3Field<0, 10>(Z3Int::fresh("x", 11, 12))), std::logic_error);
}

TEST(Z3Int, RefusesIntervalsBeyond64Bits) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 0, std::int64_t{1} << 61);
  EXPECT_THROW(static_cast<void>(x * 1024), std::logic_error);
}

TEST(Z3Session, IsNeededByEveryOperation) {
  EXPECT_THROW(static_cast<void>(Z3Int::fresh("x", 0, 1)), std::logic_error);
}

}  // namespace
}  // namespace schedcheck
