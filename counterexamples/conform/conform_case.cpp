// SPDX-License-Identifier: Apache-2.0
/// \file Counting rows and wording differences.
#include "counterexamples/conform/conform_case.hpp"

#include <algorithm>

namespace schedcheck {

std::string difference(const ConformCase& row, std::span<const std::int64_t> got) {
  const std::size_t common = std::min(row.expected.size(), got.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (row.expected[i] == got[i]) continue;
    return row.row + ": " + row.fields->at(i) + ": " + std::to_string(row.expected[i]) +
           " in the file, " + std::to_string(got[i]) + " in the model";
  }
  return "";
}

void count_row(ConformFile& file, const std::string& difference) {
  ++file.compared;
  if (difference.empty()) return;
  ++file.differing;
  if (file.first_difference.empty()) file.first_difference = difference;
}

void skip_rows(ConformFile& file, std::int64_t rows, const std::string& which_and_why) {
  file.skipped += rows;
  file.skipped_rows.push_back(which_and_why);
}

}  // namespace schedcheck
