// SPDX-License-Identifier: Apache-2.0
/// \file Kind `group_classify`.
#include <algorithm>

#include "counterexamples/conform/group_cases.hpp"
#include "counterexamples/conform/json_reader.hpp"

namespace schedcheck {

std::vector<GroupCase> group_classify_cases(const JsonReader& file) {
  static const FieldNames kFields = {"type"};
  std::vector<std::string> columns;
  for (const JsonReader& column : file.at("columns").elements()) columns.push_back(column.text());
  const auto cell = [&](const JsonReader& row, const std::string& name, std::int64_t lo) {
    const auto at = std::find(columns.begin(), columns.end(), name);
    if (at == columns.end()) file.at("columns").fail("column '" + name + "' is missing");
    return row.at(static_cast<std::size_t>(at - columns.begin())).integer(lo, kFileGroupMax);
  };
  std::vector<GroupCase> cases;
  for (const JsonReader& row : file.at("rows").elements()) {
    if (row.size() != columns.size())
      row.fail("a list of " + std::to_string(columns.size()) + " values is expected");
    GroupCase c;
    c.row = "row " + std::to_string(cases.size());
    c.fields = &kFields;
    c.pct = cell(row, "imbalance_pct", 100);
    if (c.pct > 1000) row.fail("an imbalance_pct from 100 to 1000 is expected");
    c.in = {0,
            cell(row, "group_capacity", 1),
            cell(row, "group_util", 0),
            cell(row, "group_runnable", 0),
            cell(row, "sum_nr_running", 0),
            0,
            0,
            cell(row, "group_weight", 1)};
    c.expected = {cell(row, "type", 0)};
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace schedcheck
