// SPDX-License-Identifier: Apache-2.0
/// \file Kinds `attach` and `detach`, recorded in a kernel.
#include "counterexamples/conform/attach_detach.hpp"

#include "counterexamples/conform/csv_table.hpp"

namespace schedcheck {
namespace {

/// What both kinds have in common; `results` are the prefixes of the signals after the step.
template <class Case>
std::vector<Case> read_cases(const CsvTable& table, const FieldNames& fields,
                             const std::vector<std::string>& results) {
  std::vector<Case> cases;
  cases.reserve(table.rows.size());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    Case c;
    c.row = CsvTable::row_name(row);
    c.fields = &fields;
    c.weight = table.number(row, "weight", 1, kFileWeightMax);
    for (const char* prefix : {"c_", "s_"}) {
      const auto before = signal_before(table, row, prefix);
      c.in.insert(c.in.end(), before.begin(), before.end());
    }
    for (const std::string& prefix : results) {
      const auto after = signal_after(table, row, prefix);
      c.expected.insert(c.expected.end(), after.begin(), after.end());
    }
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace

std::vector<AttachCase> attach_cases(const CsvTable& table) {
  static const FieldNames kFields = [] {
    FieldNames names = signal_names("c_", "1");
    for (std::string& name : signal_names("s_", "1")) names.push_back(std::move(name));
    return names;
  }();
  return read_cases<AttachCase>(table, kFields, {"c_", "s_"});
}

std::vector<DetachCase> detach_cases(const CsvTable& table) {
  static const FieldNames kFields = signal_names("c_", "1");
  return read_cases<DetachCase>(table, kFields, {"c_"});
}

}  // namespace schedcheck
