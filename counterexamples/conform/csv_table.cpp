// SPDX-License-Identifier: Apache-2.0
/// \file Splitting and reading CSV files.
#include "counterexamples/conform/csv_table.hpp"

#include <algorithm>
#include <charconv>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> cells;
  for (;;) {
    const std::size_t comma = line.find(',');
    cells.emplace_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

/// Takes the first line off `text`, without its line end.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

bool CsvTable::has(std::string_view column) const {
  return std::find(header.begin(), header.end(), column) != header.end();
}

std::size_t CsvTable::column(std::string_view name) const {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end())
    throw InputError(file + ":1: column '" + std::string(name) +
                     "' is missing; correct the header line");
  return static_cast<std::size_t>(found - header.begin());
}

void CsvTable::fail(std::size_t row, const std::string& what) const {
  throw InputError(file + ":" + std::to_string(row + 2) + ": " + what + "; correct the file");
}

std::string CsvTable::row_name(std::size_t row) {
  return "row " + std::to_string(row) + " (line " + std::to_string(row + 2) + ")";
}

std::int64_t CsvTable::number(std::size_t row, std::string_view name, std::int64_t lo,
                              std::int64_t hi) const {
  const std::string& cell = text(row, name);
  std::int64_t x = 0;
  const char* end = cell.data() + cell.size();
  const auto [rest, error] = std::from_chars(cell.data(), end, x);
  if (error != std::errc{} || rest != end || x < lo || x > hi)
    fail(row, "column '" + std::string(name) + "': a whole number from " + std::to_string(lo) +
                  " to " + std::to_string(hi) + " is expected, not '" + cell.substr(0, 40) + "'");
  return x;
}

const std::string& CsvTable::text(std::size_t row, std::string_view name) const {
  return rows[row][column(name)];
}

CsvTable parse_csv(const std::string& file, std::string_view text) {
  CsvTable table;
  table.file = file;
  if (text.empty()) throw InputError(file + ":1: the file is empty; a header line is expected");
  table.header = split(next_line(text));
  for (auto column = table.header.begin(); column != table.header.end(); ++column)
    if (std::find(table.header.begin(), column, *column) != column)
      throw InputError(file + ":1: column '" + *column + "' is given twice; keep one");
  while (!text.empty()) {
    table.rows.push_back(split(next_line(text)));
    if (table.rows.back().size() != table.header.size())
      table.fail(table.rows.size() - 1, std::to_string(table.rows.back().size()) +
                                            " columns instead of " +
                                            std::to_string(table.header.size()));
  }
  if (table.rows.empty())
    throw InputError(file + ":2: there is no row below the header; add rows or leave the file out");
  return table;
}

}  // namespace schedcheck
