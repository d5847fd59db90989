// SPDX-License-Identifier: Apache-2.0
/// \file Kind `groups`: group statistics at fork decisions of a kernel.
#include "counterexamples/conform/csv_table.hpp"
#include "counterexamples/conform/group_cases.hpp"

namespace schedcheck {

std::vector<std::int64_t> group_columns(const CsvTable& table, std::size_t row) {
  const auto number = [&](const char* name, std::int64_t lo) {
    return table.number(row, name, lo, kFileGroupMax);
  };
  return {number("group_load", 0),     number("group_capacity", 1),
          number("group_util", 0),     number("group_runnable", 0),
          number("sum_nr_running", 0), number("sum_h_nr_running", 0),
          number("idle_cpus", 0),      table.number(row, "group_weight", 1, kMaxCpus)};
}

bool group_was_imbalanced(const CsvTable& table, std::size_t row) {
  return table.number(row, "group_type", 0, kFileGroupMax) == kImbalanced &&
         table.number(row, "group_weight", 1, kMaxCpus) > 1;
}

std::vector<GroupCase> groups_cases(const CsvTable& table) {
  static const FieldNames kFields = {"group_type", "avg_load"};
  std::vector<GroupCase> cases;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    GroupCase c;
    c.row = CsvTable::row_name(row);
    c.fields = &kFields;
    c.pct = table.number(row, "imbalance_pct", 100, 1000);
    c.imbalanced = group_was_imbalanced(table, row);
    c.in = group_columns(table, row);
    c.expected = {table.number(row, "group_type", 0, kFileGroupMax),
                  table.number(row, "avg_load", 0, kFileGroupMax)};
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace schedcheck
