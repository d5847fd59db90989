// SPDX-License-Identifier: Apache-2.0
/// \file Kind `group_shares`.
#include "counterexamples/conform/group_shares.hpp"

#include "counterexamples/conform/json_table.hpp"
#include "counterexamples/conform/pelt_step.hpp"

namespace schedcheck {

std::vector<GroupSharesCase> group_shares_cases(const JsonReader& file) {
  static const FieldNames kFields = {"result_group_se_weight"};
  const JsonTable table(file);
  std::vector<GroupSharesCase> cases;
  for (const JsonReader& row : table.rows()) {
    GroupSharesCase c;
    c.row = "row " + std::to_string(cases.size());
    c.fields = &kFields;
    c.in = {table.cell(row, "tg_shares(scaled<<10)", 2, kMaxScaledWeight),
            table.cell(row, "grq_load_weight(unscaled)", 0, kFileLoadMax),
            table.cell(row, "grq_load_avg", 0, kFileLoadMax),
            table.cell(row, "grq_tg_load_avg_contrib", 0, kFileLoadMax),
            table.cell(row, "tg_load_avg", 0, kFileLoadMax)};
    // The sum over CPUs has the contribution of this one in it.
    if (c.in[3] > c.in[4]) row.fail("grq_tg_load_avg_contrib is more than tg_load_avg");
    c.expected = {table.cell(row, "result_group_se_weight(scaled)", 0, kFileResultMax)};
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace schedcheck
