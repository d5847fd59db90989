// SPDX-License-Identifier: Apache-2.0
/// \file Kind `pelt`: PELT update steps recorded in a kernel.
#include "counterexamples/conform/csv_table.hpp"
#include "counterexamples/conform/pelt_step.hpp"

namespace schedcheck {

FieldNames signal_names(const std::string& prefix, const std::string& suffix) {
  FieldNames names;
  for (const char* field :
       {"load_sum", "runnable_sum", "util_sum", "contrib", "load_avg", "runnable_avg", "util_avg"})
    names.push_back(std::string(prefix).append(field).append(suffix));
  return names;
}

std::vector<std::int64_t> signal_before(const CsvTable& table, std::size_t row,
                                        const std::string& prefix) {
  const std::array<std::int64_t, 7> limits = {kFileSumMax, kFileSumMax, kU32Max, 1023,
                                              kU32Max,     kU32Max,     kU32Max};
  std::vector<std::int64_t> values;
  for (const std::string& name : signal_names(prefix, "0"))
    values.push_back(table.number(row, name, 0, limits[values.size()]));
  return values;
}

std::vector<std::int64_t> signal_after(const CsvTable& table, std::size_t row,
                                       const std::string& prefix) {
  std::vector<std::int64_t> values;
  for (const std::string& name : signal_names(prefix, "1"))
    values.push_back(table.number(row, name, 0, kFileResultMax));
  return values;
}

std::vector<PeltStepCase> pelt_cases(const CsvTable& table) {
  static const FieldNames kFields = [] {
    FieldNames names{"lut1"};
    for (std::string& name : signal_names("", "1")) names.push_back(std::move(name));
    names.emplace_back("decayed");
    return names;
  }();
  std::vector<PeltStepCase> cases;
  cases.reserve(table.rows.size());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& kind = table.text(row, "kind");
    if (kind != "se" && kind != "cfs" && kind != "bse")
      table.fail(row, "column 'kind': se, cfs or bse is expected, not '" + kind + "'");
    PeltStepCase step;
    step.row = CsvTable::row_name(row) + " " + kind;
    step.fields = &kFields;
    step.weight = table.number(row, "weight", 1, kFileWeightMax);
    step.in = {table.number(row, "now", 0, kFileTimeMax),
               table.number(row, "load", 0, kFileLoadMax),
               table.number(row, "runnable", 0, kFileLoadMax), table.number(row, "running", 0, 1),
               table.number(row, "lut0", 0, kFileTimeMax)};
    const auto before = signal_before(table, row, "");
    step.in.insert(step.in.end(), before.begin(), before.end());
    step.expected = {table.number(row, "lut1", 0, kFileResultMax)};
    const auto after = signal_after(table, row, "");
    step.expected.insert(step.expected.end(), after.begin(), after.end());
    step.expected.push_back(table.number(row, "decayed", 0, kFileResultMax));
    cases.push_back(std::move(step));
  }
  return cases;
}

}  // namespace schedcheck
