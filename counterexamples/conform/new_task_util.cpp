// SPDX-License-Identifier: Apache-2.0
/// \file Kind `new_task_util`.
#include "counterexamples/conform/new_task_util.hpp"

#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"

namespace schedcheck {

std::vector<NewTaskUtilCase> new_task_util_cases(const JsonReader& file) {
  static const FieldNames kFields = {"init_util_v6_10", "init_util_before"};
  std::vector<NewTaskUtilCase> cases;
  for (const JsonReader& row : file.elements()) {
    NewTaskUtilCase c;
    c.row = "row " + std::to_string(cases.size());
    c.fields = &kFields;
    c.weight = row.integer("weight", 1, kFileWeightMax);
    c.in = {row.integer("cfs_util", 0, kU32Max), row.integer("cfs_load", 0, kU32Max)};
    for (const std::string& name : kFields)
      c.expected.push_back(row.integer(name, 0, kFileResultMax));
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace schedcheck
