// SPDX-License-Identifier: Apache-2.0
/// \file Kind `group_classify`.
#include "counterexamples/conform/group_cases.hpp"
#include "counterexamples/conform/json_table.hpp"

namespace schedcheck {

std::vector<GroupCase> group_classify_cases(const JsonReader& file) {
  static const FieldNames kFields = {"type"};
  const JsonTable table(file);
  const auto cell = [&](const JsonReader& row, const char* name, std::int64_t lo) {
    return table.cell(row, name, lo, kFileGroupMax);
  };
  std::vector<GroupCase> cases;
  for (const JsonReader& row : table.rows()) {
    GroupCase c;
    c.row = "row " + std::to_string(cases.size());
    c.fields = &kFields;
    c.pct = table.cell(row, "imbalance_pct", 100, 1000);
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
