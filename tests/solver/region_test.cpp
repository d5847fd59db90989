// SPDX-License-Identifier: Apache-2.0
/// \file
/// Regions: what they merge, and what they refuse. Method: small bodies read both ways over all
/// inputs of small domains; faults that a body may have, each of which must throw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/twin.hpp"

namespace schedcheck {
namespace {

/// A small state: fields, a nested struct, a vector.
template <class D>
struct Pair {
  FieldOf<D, -1000, 1000> left{}, right{};
  BoolOf<D> flag{};

  auto fields() { return std::tie(left, right, flag); }
};
template <class D>
struct State {
  FieldOf<D, -1000, 1000> total{};
  Pair<D> pair{};
  std::vector<Pair<D>> list = std::vector<Pair<D>>(3);

  auto fields() { return std::tie(total, pair, list); }
};

/// Reads `body(state, x, y)` natively for all x, y in [-3, 4] and symbolically once; the results
/// must agree leaf by leaf for every input.
template <class Body>
void expect_twins(const Body& body) {
  for (const Theory theory : {Theory::kBitVector, Theory::kInteger}) {
    const Z3Session session(theory);
    for (std::int64_t x = -3; x <= 4; ++x)
      for (std::int64_t y = -3; y <= 4; ++y) {
        State<NativeDomain> native;
        body(NativeDomain{}, native, x, y);
        twin::Pins pins;
        State<Z3Domain> symbolic;
        body(Z3Domain{}, symbolic, pins.integer(x, -3, 4), pins.integer(y, -3, 4));
        ASSERT_TRUE(pins.solve());
        walk_leaf_pairs("leaf ", native, symbolic,
                        [&](const std::string& path, auto& mine, auto& theirs) {
                          using Leaf = std::remove_reference_t<decltype(theirs)>;
                          if constexpr (std::is_same_v<Leaf, Z3Bool>) {
                            ASSERT_EQ(pins.holds(theirs), mine) << path << " of " << x << ", " << y;
                          } else {
                            ASSERT_EQ(pins.value(theirs), mine) << path << " of " << x << ", " << y;
                          }
                        });
      }
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Region, EvalMergesEarlyReturns) {
  expect_twins([]<class D>(D, State<D>& s, auto x, auto y) {
    using Int = IntOf<D>;
    s.total = D::eval([&]() -> Int {
      if (x < 0) return Int(0) - x;
      if (y == x) return Int(100);
      for (int i = 0; i < 3; ++i)
        if (y < i) return x * 10 + i;
      return x - y;
    });
  });
}

TEST(Region, JoinMergesLocalsFieldsFlagsAndElements) {
  expect_twins([]<class D>(D, State<D>& s, auto x, auto y) {
    IntOf<D> local = 7;
    D::join(
        [&] {
          local = local + 1;
          if (x > 1) {
            s.pair.left = x;
            s.pair.flag = y == 2;
            s.list[1].right = s.pair.left + y;
            return;
          }
          local = local * 2;
          s.list[2] = s.pair;
          s.list[2].flag = !s.list[2].flag;
        },
        local, s);
    s.total = local;
  });
}

TEST(Region, NestedRegionsMergeInsideOut) {
  expect_twins([]<class D>(D, State<D>& s, auto x, auto y) {
    using Int = IntOf<D>;
    D::join(
        [&] {
          if (x < y) s.total = 1;
          D::join(
              [&] {
                if (y > 0) s.pair.left = s.total + 1;
                const Int bonus = D::eval([&]() -> Int {
                  if (x == 0) return Int(5);
                  return D::select(y == 0, Int(6), Int(0) - y);
                });
                s.pair.right = s.pair.right + bonus;
              },
              s.pair);
          if (s.pair.right > 3) s.total = s.total + s.pair.right;
        },
        s);
  });
}

TEST(Region, WhichIndexesAVector) {
  expect_twins([]<class D>(D, State<D>& s, auto x, auto y) {
    D::join(
        [&] {
          if (x < 0 || x > 2) return;
          const int i = D::which(x, 0, 2);
          s.list[static_cast<std::size_t>(i)].left = y;
          s.total = s.list[static_cast<std::size_t>(2 - i)].left + i;
        },
        s.list, s.total);
  });
}

TEST(Region, APathThatNarrowsToNothingIsLeftOut) {
  expect_twins([]<class D>(D, State<D>& s, auto x, auto y) {
    using Int = IntOf<D>;
    const Int size = D::eval([&]() -> Int { return x < 0 ? Int(0) - x : Int(x); });
    s.total = D::eval([&]() -> Int {
      // size is at least 0, so only paths on which x < -3 (there is no such x) leave the range.
      if (size < 0) return D::narrow(Int(-5), 0, 5);
      return D::narrow(size + y + 3, 0, 20);
    });
  });
}

TEST(Region, ABranchOutsideThrows) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 0, 9);
  EXPECT_THROW(static_cast<void>(x < 5 ? 1 : 0), std::logic_error);
  EXPECT_THROW(Z3Domain::which(x, 0, 9), std::logic_error);
  EXPECT_TRUE(static_cast<bool>(x < 10)) << "a constant needs no region";
}

/// Faults: stores to values that the innermost region does not list.
class RegionFault : public ::testing::Test {
 protected:
  void expect_refused(const std::function<void()>& fault) {
    EXPECT_THROW(fault(), std::logic_error);
    // The engine must be usable afterwards: no run may be left open.
    EXPECT_THROW(static_cast<void>(static_cast<bool>(x_ < 5)), std::logic_error);
    Z3Int after = 0;
    Z3Domain::join([&] { after = x_; }, after);
    EXPECT_TRUE(after.same(x_));
  }

  Z3Session session_{Theory::kBitVector};
  Z3Int x_ = Z3Int::fresh("x", 0, 9);
  State<Z3Domain> s_;
};

TEST_F(RegionFault, AnUnlistedLocalVariable) {
  Z3Int local = 0;
  expect_refused([&] {
    Z3Domain::join(
        [&] {
          if (x_ < 5) local = 1;
        },
        s_);
  });
}

TEST_F(RegionFault, AnUnlistedField) {
  expect_refused([&] { Z3Domain::join([&] { s_.total = x_; }, s_.pair); });
}

TEST_F(RegionFault, AnUnlistedFlag) {
  expect_refused([&] { Z3Domain::join([&] { s_.pair.flag = x_ < 5; }, s_.pair.left); });
}

TEST_F(RegionFault, AnUnlistedElement) {
  expect_refused([&] { Z3Domain::join([&] { s_.list[1].left = x_; }, s_.list[0], s_.list[2]); });
}

TEST_F(RegionFault, AStoreThatOnlyOneRarePathMakes) {
  expect_refused([&] {
    Z3Domain::join(
        [&] {
          if (x_ == 3 && x_ < 5) s_.total = 1;
        },
        s_.pair);
  });
}

TEST_F(RegionFault, AnyOlderValueInEval) {
  expect_refused([&] {
    s_.total = Z3Domain::eval([&]() -> Z3Int {
      s_.pair.left = 1;
      return x_;
    });
  });
}

TEST_F(RegionFault, AValueThatOnlyTheOuterJoinLists) {
  expect_refused(
      [&] { Z3Domain::join([&] { Z3Domain::join([&] { s_.total = x_; }, s_.pair); }, s_); });
}

TEST_F(RegionFault, AValueThatOnlyTheInnerJoinLists) {
  expect_refused(
      [&] { Z3Domain::join([&] { Z3Domain::join([&] { s_.total = x_; }, s_.total); }, s_.pair); });
}

TEST_F(RegionFault, AContainerOfAnotherSizeOnOnePath) {
  expect_refused([&] {
    Z3Domain::join(
        [&] {
          if (x_ < 5) s_.list.emplace_back();
        },
        s_);
  });
  expect_refused([&] {
    static_cast<void>(Z3Domain::eval([&]() -> std::vector<Z3Int> {
      if (x_ < 5) return std::vector<Z3Int>(2);
      return std::vector<Z3Int>(3);
    }));
  });
}

TEST_F(RegionFault, PlainValuesThatDependOnThePath) {
  expect_refused(
      [&] { static_cast<void>(Z3Domain::eval([&]() -> int { return x_ < 5 ? 1 : 2; })); });
}

TEST_F(RegionFault, NoFeasiblePath) {
  expect_refused([&] {
    static_cast<void>(Z3Domain::eval([&]() -> Z3Int { return Z3Domain::narrow(x_, 10, 12); }));
  });
}

TEST(Region, ListedValuesThatStayTheSameNeedNoOuterListing) {
  const Z3Session session(Theory::kBitVector);
  State<Z3Domain> s;
  Z3Domain::join([&] { Z3Domain::join([&] { s.pair.left = 3; }, s); }, s.pair);
  EXPECT_EQ(s.pair.left.lo(), 3);
}

TEST(Region, LocalsOfTheBodyNeedNoListing) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 0, 9);
  const Z3Int sum = Z3Domain::eval([&]() -> Z3Int {
    Z3Int total = 0;
    for (int i = 0; i < 3; ++i)
      Z3Domain::join(
          [&] {
            if (x > i) total = total + 1;
          },
          total);
    return total;
  });
  EXPECT_EQ(sum.hi(), 3);
}

/// Counts how often the bodies of `f` run.
std::uint64_t runs_of(const std::function<void()>& f) {
  const std::uint64_t before = Z3Session::current().region_runs;
  f();
  return Z3Session::current().region_runs - before;
}

TEST(Region, AsksNoDecisionTwice) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 0, 9);
  const Z3Int y = Z3Int::fresh("y", 0, 9);
  Z3Int r = 0;
  const auto twice = [&](const Z3Bool& first, const Z3Bool& second) {
    return runs_of([&] {
      Z3Domain::join(
          [&] {
            if (first) r = r + 1;
            if (second) r = r + 2;
          },
          r);
    });
  };
  EXPECT_EQ(twice(x < y, y < 3), 4U) << "two decisions";
  EXPECT_EQ(twice(x < y, x < y), 2U) << "the same one";
  EXPECT_EQ(twice(x < y, y <= x), 2U) << "its negation";
  EXPECT_EQ(twice(x < 3, x < 5), 3U) << "x < 3 decides x < 5";
  EXPECT_EQ(twice(x == 3, x == 4), 3U) << "x == 3 decides x == 4";
  EXPECT_EQ(twice(x < 3 && y < 3, y < 3), 3U) << "both decide the second";
  EXPECT_EQ(twice(x < y, Z3Bool(true)), 2U) << "constants decide themselves";
}

TEST(Region, KnowsTheDecisionsOfTheOuterRegion) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 0, 9);
  Z3Int r = 0;
  const std::uint64_t runs = runs_of([&] {
    Z3Domain::join(
        [&] {
          if (x < 5) {
            Z3Domain::join(
                [&] {
                  if (x < 7) r = 1;
                },
                r);
          }
        },
        r);
  });
  EXPECT_EQ(runs, 3U) << "two outer paths, one inner";
}

TEST(Region, SplitsLargeRangesByHalves) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 0, 255);
  const std::uint64_t runs = runs_of([&] {
    static_cast<void>(Z3Domain::eval([&]() -> Z3Int { return Z3Domain::which(x, 0, 255) + 1; }));
  });
  EXPECT_EQ(runs, 256U);
}

// What a path knows of a value ends with the path, even if all paths yield the same term.
TEST(Region, ForgetsWhatOnlyOnePathKnows) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 0, 9);
  const Z3Int y =
      Z3Domain::eval([&]() -> Z3Int { return Z3Bool::fresh("c") ? x.with_gap(2, 7) : x; });
  EXPECT_TRUE(y.same(x));
  EXPECT_FALSE(y.has_gap());
}

TEST(Region, KeepsTheSmallestTermWhenPathsAgree) {
  const Z3Session session(Theory::kBitVector);
  const Z3Int x = Z3Int::fresh("x", 0, 9);
  Z3Int r = x;
  Z3Domain::join(
      [&] {
        const Z3Int same = r;
        if (x < 5) r = same;
      },
      r);
  EXPECT_TRUE(r.same(x));
}

}  // namespace
}  // namespace schedcheck
