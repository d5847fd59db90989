// SPDX-License-Identifier: Apache-2.0
/// \file Kind `postinit`: initial utilisations recorded in a kernel since v6.10.
#include "counterexamples/conform/csv_table.hpp"
#include "counterexamples/conform/new_task_util.hpp"
#include "counterexamples/conform/pelt_step.hpp"

namespace schedcheck {

std::vector<PostinitCase> postinit_cases(const CsvTable& table) {
  static const FieldNames kFields = {"cap", "util_out"};
  std::vector<PostinitCase> cases;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    PostinitCase c;
    c.row = CsvTable::row_name(row);
    c.fields = &kFields;
    c.weight = table.number(row, "weight", 1, kFileWeightMax);
    c.in = {table.number(row, "cfs_util", 0, kU32Max), table.number(row, "cfs_load", 0, kU32Max)};
    c.expected = {table.number(row, "cap", -kFileResultMax, kFileResultMax),
                  table.number(row, "util_out", 0, kFileResultMax)};
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace schedcheck
