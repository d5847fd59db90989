// SPDX-License-Identifier: Apache-2.0
/// \file Kind `pelt_primitives`.
#include "counterexamples/conform/pelt_primitives.hpp"

#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "model/fair/nice_weight.hpp"

namespace schedcheck {
namespace {

constexpr int kWindowsMax = 1 << 30;
constexpr std::int64_t kValueMax = std::int64_t{1} << 61;

/// An entry of a table that is constant in the model.
struct TableCase : ConformCase {
  std::int64_t value = 0;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> /*x*/) const {
    return {IntOf<D>(value)};
  }
};

template <class Table>
std::vector<TableCase> table_cases(const JsonReader& file, const std::string& key,
                                   const Table& table) {
  static const FieldNames kFields = {"entry"};
  std::vector<TableCase> cases;
  const auto entries = file.at(key).elements(table.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    TableCase c;
    c.row = key + "[" + std::to_string(i) + "]";
    c.fields = &kFields;
    c.value = table[i];
    c.expected = {entries[i].integer(0, kFileResultMax)};
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace

std::vector<DecayCase> decay_cases(const JsonReader& file) {
  static const FieldNames kFields = {"result"};
  std::vector<DecayCase> cases;
  for (const JsonReader& row : file.at("decay").elements()) {
    const auto cells = row.elements(3);
    DecayCase c;
    c.row = "decay[" + std::to_string(cases.size()) + "]";
    c.fields = &kFields;
    c.in = {cells[0].integer(0, kValueMax)};
    c.windows = static_cast<int>(cells[1].integer(0, kWindowsMax));
    c.expected = {cells[2].integer(0, kFileResultMax)};
    cases.push_back(std::move(c));
  }
  return cases;
}

std::vector<SegmentsCase> segments_cases(const JsonReader& file) {
  static const FieldNames kFields = {"c"};
  std::vector<SegmentsCase> cases;
  for (const JsonReader& row : file.at("segments").elements()) {
    const auto cells = row.elements(4);
    SegmentsCase c;
    c.row = "segments[" + std::to_string(cases.size()) + "]";
    c.fields = &kFields;
    c.windows = static_cast<int>(cells[0].integer(1, kWindowsMax));
    // The file gives the rest of the first window, the model takes what has passed of it.
    c.in = {kWindowUnits - cells[1].integer(1, kWindowUnits),
            cells[2].integer(0, kWindowUnits - 1)};
    c.expected = {cells[3].integer(0, kFileResultMax)};
    cases.push_back(std::move(c));
  }
  return cases;
}

std::vector<DeltaFairCase> delta_fair_cases(const JsonReader& file) {
  static const FieldNames kFields = {"result"};
  std::vector<DeltaFairCase> cases;
  for (const JsonReader& row : file.at("calc_delta_fair").elements()) {
    const auto cells = row.elements(3);
    DeltaFairCase c;
    c.row = "calc_delta_fair[" + std::to_string(cases.size()) + "]";
    c.fields = &kFields;
    c.in = {cells[0].integer(0, kMaxRun)};
    c.weight = cells[1].integer(1, kMaxScaledWeight);
    c.expected = {cells[2].integer(0, kFileResultMax)};
    cases.push_back(std::move(c));
  }
  return cases;
}

void check_pelt_primitives(const JsonReader& file, ConformFile& result) {
  compare(result, decay_cases(file));
  compare(result, segments_cases(file));
  for (const std::string& key : file.keys()) {
    if (key == "decay" || key == "segments") continue;
    if (key == "calc_delta_fair") {
      compare(result, delta_fair_cases(file));
    } else if (key == "inv_table") {
      compare(result, table_cases(file, key, kDecayFactor));
    } else if (key == "weights") {
      compare(result, table_cases(file, key, kNiceWeights));
    } else if (key == "wmult_precomputed") {
      compare(result, table_cases(file, key, kNiceInverses));
    } else {
      const auto rows = static_cast<std::int64_t>(file.at(key).size());
      skip_rows(result, rows, key + " (" + std::to_string(rows) + " rows): unknown table");
    }
  }
}

}  // namespace schedcheck
