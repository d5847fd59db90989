// SPDX-License-Identifier: Apache-2.0
/// \file Kind `slice_end_resched`.
#include "counterexamples/conform/slice_end_resched.hpp"

#include "counterexamples/conform/json_table.hpp"

namespace schedcheck {

std::vector<SliceEndCase> slice_end_cases(const JsonReader& file) {
  // In the order of SliceEndCase::kRules.
  static const FieldNames kFields = {"resched_v6_6_to_6_11", "resched_85e511df3cec",
                                     "resched_fixed_d4ac164bde7a", "resched_v6_17"};
  const JsonTable table(file);
  std::vector<SliceEndCase> cases;
  for (const JsonReader& row : table.rows()) {
    SliceEndCase c;
    c.row = "row " + std::to_string(cases.size());
    c.fields = &kFields;
    for (const char* flag : {"slice_expired", "curr_slice_protected", "curr_eligible"})
      c.in.push_back(table.cell(row, flag, 0, 1));
    for (const char* count : {"cfs_rq_nr", "rq_nr_running"})
      c.in.push_back(table.cell(row, count, 1, kMaxTasks));
    for (const std::string& rule : kFields) c.expected.push_back(table.cell(row, rule, 0, 1));
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace schedcheck
