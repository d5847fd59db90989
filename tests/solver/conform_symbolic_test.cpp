// SPDX-License-Identifier: Apache-2.0
/// \file
/// The vectors that conform() compares natively, through the symbolic reading: a sample of each
/// kind, once as constants and once as free symbols that a query pins to the row's numbers.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "counterexamples/conform/attach_detach.hpp"
#include "counterexamples/conform/csv_table.hpp"
#include "counterexamples/conform/exit_path.hpp"
#include "counterexamples/conform/find_dst_cases.hpp"
#include "counterexamples/conform/group_cases.hpp"
#include "counterexamples/conform/group_shares.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/new_task_util.hpp"
#include "counterexamples/conform/pelt_primitives.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "counterexamples/conform/placements.hpp"
#include "counterexamples/conform/slice_end_resched.hpp"
#include "tests/support/twin.hpp"

namespace schedcheck {
namespace {

using Symbols = std::vector<Z3Int>;

std::string text_of(const std::string& name) {
  std::ifstream in(SCHEDCHECK_SOURCE_DIR "/tests/data/vectors/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

template <class Read>
auto from_json(const std::string& name, Read read) {
  const nlohmann::json document = nlohmann::json::parse(text_of(name));
  return read(JsonReader(name, document));
}

template <class Read>
auto from_csv(const std::string& name, Read read) {
  return read(parse_csv(name, text_of(name)));
}

/// How far a symbol's interval reaches beyond the row's number, and where it ends at the latest.
/// Small intervals keep the number of window boundaries and divisors small.
struct Interval {
  std::int64_t slack = 3;
  std::int64_t last = INT64_MAX;
};

/// `count` rows spread evenly over the file.
template <class Case>
std::vector<const Case*> sample(const std::vector<Case>& cases, std::size_t count = 20) {
  std::vector<const Case*> chosen;
  const std::size_t step = std::max<std::size_t>(1, cases.size() / count);
  for (std::size_t i = step / 2; i < cases.size(); i += step) chosen.push_back(&cases[i]);
  return chosen;
}

/// All obligations of the session hold and every result is the file's. Requires the pins to be
/// complete.
void expect_results(twin::Pins& pins, const Symbols& got,
                    const std::vector<std::int64_t>& expected) {
  ASSERT_TRUE(pins.solve());
  for (const Obligation& obligation : Z3Session::current().obligations())
    EXPECT_TRUE(pins.holds(obligation.holds)) << obligation.what;
  for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i)
    EXPECT_EQ(pins.value(got[i]), expected[i]) << "result " << i;
}

/// Yields whether a result is still a term.
template <class Case>
bool check_row(const Case& row, Theory theory, bool symbolic, const Interval& interval) {
  const Z3Session session(theory);
  twin::Pins pins;
  Symbols in;
  for (const std::int64_t x : row.in) {
    const std::int64_t lo = std::max<std::int64_t>(x - interval.slack, 0);
    const std::int64_t hi = std::max(x, std::min(x + interval.slack, interval.last));
    in.push_back(symbolic ? pins.integer(x, lo, hi) : Z3Int(x));
  }
  const Symbols got = row.template run<Z3Domain>(std::span<const Z3Int>(in));
  expect_results(pins, got, row.expected);
  const bool constant =
      std::all_of(got.begin(), got.end(), [](const Z3Int& x) { return x.is_constant(); });
  EXPECT_TRUE(symbolic || constant);
  return !constant;
}

/// A sample in both theories, as constants and as symbols.
template <class Case>
void check_sample(const std::vector<Case>& cases, const Interval& interval = {}) {
  const auto rows = sample(cases);
  ASSERT_GE(rows.size(), 10U);
  int terms = 0;
  for (const Case* row : rows) {
    SCOPED_TRACE(row->row);
    for (const Theory theory : {Theory::kBitVector, Theory::kInteger}) {
      check_row(*row, theory, /*symbolic=*/false, interval);
      if (check_row(*row, theory, /*symbolic=*/true, interval)) ++terms;
    }
  }
  EXPECT_GE(terms, 10) << "the intervals are so small that nothing is left to decide";
}

TEST(ConformSymbolic, DecaysLikeTheTables) {
  check_sample(from_json("pelt_primitives.json", decay_cases));
}

TEST(ConformSymbolic, AccumulatesSegmentsLikeTheTables) {
  check_sample(from_json("pelt_primitives.json", segments_cases), {.slack = 3, .last = 1023});
}

TEST(ConformSymbolic, ScalesTimeLikeTheTables) {
  check_sample(from_json("pelt_primitives.json", delta_fair_cases), {.slack = 5000});
}

TEST(ConformSymbolic, WeighsGroupsLikeTheTables) {
  check_sample(from_json("group_shares.json", group_shares_cases));
}

TEST(ConformSymbolic, EndsSlicesLikeTheTable) {
  check_sample(from_json("slice_end_resched.json", slice_end_cases));
}

TEST(ConformSymbolic, UpdatesSignalsLikeTheSequences) {
  check_sample(from_json("pelt_sequences.json", pelt_sequence_cases));
}

TEST(ConformSymbolic, UpdatesSignalsLikeTheKernel) {
  check_sample(from_csv("kernel/pelt.csv", pelt_cases));
}

TEST(ConformSymbolic, AttachesLikeTheKernel) {
  check_sample(from_csv("kernel/attach.csv", attach_cases));
}

TEST(ConformSymbolic, DetachesLikeTheKernel) {
  check_sample(from_csv("kernel/detach.csv", detach_cases));
}

TEST(ConformSymbolic, StartsTasksLikeTheTables) {
  check_sample(from_json("new_task_util.json", new_task_util_cases));
  check_sample(from_csv("kernel/postinit.csv", postinit_cases));
}

TEST(ConformSymbolic, ClassifiesGroupsLikeTheTables) {
  check_sample(from_json("group_classify.json", group_classify_cases), {.slack = 1000});
  check_sample(from_csv("kernel/groups.csv", groups_cases), {.slack = 1000});
}

TEST(ConformSymbolic, ChoosesGroupsLikeTheTables) {
  check_sample(from_json("fork_dst_group.json", fork_dst_group_cases), {.slack = 1000});
}

TEST(ConformSymbolic, PlacesForksLikeTheKernel) {
  const CsvTable groups = parse_csv("groups.csv", text_of("kernel/groups.csv"));
  std::vector<std::string> skipped;
  check_sample(
      from_csv("kernel/placements.csv",
               [&](const CsvTable& table) { return placements_cases(table, groups, skipped); }),
      {.slack = 1000});
}

TEST(ConformSymbolic, ChoosesCpusInsideGroupsLikeTheKernel) {
  check_sample(from_json("balance/find_dst_group_cpu.json", find_dst_group_cpu_cases),
               {.slack = 5000});
}

TEST(ConformSymbolic, WalksTheLevelsLikeTheKernel) {
  check_sample(from_json("balance/find_dst_cpu.json", find_dst_cpu_cases), {.slack = 30});
}

void check_exit_table(const ExitTableCase& table, Theory theory, bool symbolic) {
  const Z3Session session(theory);
  twin::Pins pins;
  const Z3Int units =
      symbolic ? pins.integer(table.units, table.units - 2, table.units + 2) : Z3Int(table.units);
  const auto steps = table.run<Z3Domain>(units);
  ASSERT_EQ(steps.size(), table.expected.size());
  Symbols got;
  std::vector<std::int64_t> expected;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const auto& [name, value] : table.expected[i].numbers) {
      got.push_back(steps[i].numbers.at(name));
      expected.push_back(value);
    }
  }
  expect_results(pins, got, expected);
}

TEST(ConformSymbolic, ExitsLikeTheTables) {
  const auto tables = from_json("exit_path.json", exit_table_cases);
  ASSERT_EQ(tables.size(), 8U);
  for (const ExitTableCase& table : tables) {
    SCOPED_TRACE(table.name);
    for (const Theory theory : {Theory::kBitVector, Theory::kInteger})
      for (const bool symbolic : {false, true}) check_exit_table(table, theory, symbolic);
  }
}

}  // namespace
}  // namespace schedcheck
