// SPDX-License-Identifier: Apache-2.0
/// \file Cells by the names of their columns.
#include "counterexamples/conform/json_table.hpp"

#include <algorithm>

namespace schedcheck {

JsonTable::JsonTable(const JsonReader& file) : file_(file) {
  for (const JsonReader& column : file.at("columns").elements()) columns_.push_back(column.text());
}

std::vector<JsonReader> JsonTable::rows() const {
  auto rows = file_.at("rows").elements();
  for (const JsonReader& row : rows)
    if (row.size() != columns_.size())
      row.fail("a list of " + std::to_string(columns_.size()) + " values is expected");
  return rows;
}

std::int64_t JsonTable::cell(const JsonReader& row, const std::string& column, std::int64_t lo,
                             std::int64_t hi) const {
  const auto at = std::find(columns_.begin(), columns_.end(), column);
  if (at == columns_.end()) file_.at("columns").fail("column '" + column + "' is missing");
  return row.at(static_cast<std::size_t>(at - columns_.begin())).integer(lo, hi);
}

}  // namespace schedcheck
