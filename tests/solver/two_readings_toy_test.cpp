// SPDX-License-Identifier: Apache-2.0
/// \file
/// The toy of docs/two-readings.md: compiled, run both ways, and compared with what the page
/// quotes.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <tuple>

#include "model/domain/native_domain.hpp"
#include "solver/query.hpp"
#include "solver/z3_domain.hpp"

namespace schedcheck {
namespace {

// [toy]
/// Grows while its owner runs, halves while it does not, and stops at 100.
template <ValueDomain D>
struct Counter {
  FieldOf<D, 0, 100> value{};
  BoolOf<D> was_full{};

  auto fields() { return std::tie(value, was_full); }
};

template <ValueDomain D>
IntOf<D> next_value(const Counter<D>& c, const BoolOf<D>& runs, const IntOf<D>& gain) {
  return D::eval([&]() -> IntOf<D> {
    if (!runs) return D::shr(c.value, 1);
    return D::min(c.value + gain, IntOf<D>(100));
  });
}

template <ValueDomain D>
void tick(Counter<D>& c, const BoolOf<D>& runs, const IntOf<D>& gain) {
  c.value = next_value<D>(c, runs, gain);
  D::join(
      [&] {
        if (c.value == 100) c.was_full = true;
      },
      c.was_full);
}

/// Whether a counter below 50 can be full within `ticks` ticks of at most 10 each.
bool can_fill(int ticks) {
  const Z3Session session(Theory::kBitVector);
  Counter<Z3Domain> c;
  c.value = Z3Int::fresh("value", 0, 49);
  for (int i = 0; i < ticks; ++i) {
    const std::string n = std::to_string(i);
    tick<Z3Domain>(c, Z3Bool::fresh(("runs" + n).c_str()),
                   Z3Int::fresh(("gain" + n).c_str(), 0, 10));
  }
  return QuerySolver().check(c.was_full) == Answer::kSatisfiable;
}
// [/toy]

TEST(TwoReadingsToy, CountsNatively) {
  Counter<NativeDomain> c;
  c.value = 45;
  tick<NativeDomain>(c, true, 60);
  EXPECT_EQ(c.value, 100);
  EXPECT_TRUE(c.was_full);
  tick<NativeDomain>(c, false, 0);
  EXPECT_EQ(c.value, 50);
}

// 49 + 5 * 10 = 99: five ticks are not enough for any start, any gains and any pauses.
TEST(TwoReadingsToy, AnswersAQuestionAboutAllInputs) {
  EXPECT_FALSE(can_fill(5));
  EXPECT_TRUE(can_fill(6));
}

std::string read(const std::string& path) {
  std::ifstream in(SCHEDCHECK_SOURCE_DIR "/" + path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return "no " + from;
  const std::size_t end = text.find(to, begin + from.size());
  return text.substr(begin + from.size(), end - begin - from.size());
}

TEST(TwoReadingsToy, IsWhatThePageQuotes) {
  EXPECT_EQ(between(read("docs/two-readings.md"), "```cpp\n", "```"),
            between(read("tests/solver/two_readings_toy_test.cpp"), "// [toy]\n", "// [/toy]"));
}

}  // namespace
}  // namespace schedcheck
