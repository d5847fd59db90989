// SPDX-License-Identifier: Apache-2.0
/// \file How CSV kinds are recognised and compared.
#include "counterexamples/conform/csv_kinds.hpp"

#include <algorithm>
#include <string_view>

#include "counterexamples/conform/attach_detach.hpp"
#include "counterexamples/conform/csv_table.hpp"
#include "counterexamples/conform/group_cases.hpp"
#include "counterexamples/conform/new_task_util.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "counterexamples/conform/placements.hpp"
#include "counterexamples/read_text_file.hpp"
#include "model/input_error.hpp"

namespace schedcheck {
namespace {

using Folder = std::filesystem::path;
using Check = void (*)(const CsvTable&, const Folder&, ConformFile&);

template <auto kCases>
void check_cases(const CsvTable& table, const Folder& /*folder*/, ConformFile& result) {
  compare(result, kCases(table));
}

void check_placements(const CsvTable& table, const Folder& folder, ConformFile& result) {
  const Folder beside = folder / "groups.csv";
  if (!std::filesystem::exists(beside))
    throw InputError(table.file + ": the groups.csv with its decisions is missing beside it; put " +
                     beside.string() + " there");
  const CsvTable groups = parse_csv(beside.string(), read_text_file(beside.string()));
  std::vector<std::string> skipped;
  compare(result, placements_cases(table, groups, skipped));
  for (const std::string& row : skipped) skip_rows(result, 1, row);
}

/// Columns that only this kind has; the first kind that fits is taken.
struct CsvKind {
  const char* name;
  std::vector<std::string_view> columns;
  Check check;
};

const std::vector<CsvKind>& kinds() {
  static const std::vector<CsvKind> kAll = {
      {"placements", {"idlest_first_cpu", "target_cpu"}, check_placements},
      {"groups", {"first_cpu", "group_type"}, check_cases<groups_cases>},
      {"attach", {"c_util_sum0", "s_util_sum1"}, check_cases<attach_cases>},
      {"detach", {"c_util_sum0", "s_util_sum0"}, check_cases<detach_cases>},
      {"postinit", {"cfs_util", "util_out"}, check_cases<postinit_cases>},
      {"pelt", {"lut0", "lut1", "decayed"}, check_cases<pelt_cases>},
  };
  return kAll;
}

}  // namespace

void check_csv(const CsvTable& table, const std::filesystem::path& folder, ConformFile& result) {
  for (const CsvKind& kind : kinds()) {
    if (!std::all_of(kind.columns.begin(), kind.columns.end(),
                     [&](std::string_view column) { return table.has(column); }))
      continue;
    result.kind = kind.name;
    return kind.check(table, folder, result);
  }
  throw InputError(table.file +
                   ":1: no known kind of records has this header line; leave the file out, or "
                   "correct the header");
}

}  // namespace schedcheck
