// SPDX-License-Identifier: Apache-2.0
/// \file Kind `pelt_primitives`.
#include "counterexamples/conform/pelt_primitives.hpp"

#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"

namespace schedcheck {
namespace {

constexpr int kWindowsMax = 1 << 30;
constexpr std::int64_t kValueMax = std::int64_t{1} << 61;

/// The decay factors are constants of the model.
struct TableCase : ConformCase {
  std::int64_t value = 0;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> /*x*/) const {
    return {IntOf<D>(value)};
  }
};

std::vector<TableCase> table_cases(const JsonReader& table) {
  static const FieldNames kFields = {"factor"};
  std::vector<TableCase> cases;
  const auto entries = table.elements(kDecayFactor.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    TableCase c;
    c.row = "inv_table[" + std::to_string(i) + "]";
    c.fields = &kFields;
    c.value = kDecayFactor[i];
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

void check_pelt_primitives(const JsonReader& file, ConformFile& result) {
  compare(result, decay_cases(file));
  compare(result, segments_cases(file));
  if (file.has("inv_table")) compare(result, table_cases(file.at("inv_table")));
  for (const std::string& key : file.keys()) {
    if (key == "decay" || key == "segments" || key == "inv_table") continue;
    const auto rows = static_cast<std::int64_t>(file.at(key).size());
    skip_rows(result, rows,
              key + " (" + std::to_string(rows) + " rows): not covered by this version");
  }
}

}  // namespace schedcheck
