// SPDX-License-Identifier: Apache-2.0
/// \file Tables of numbers with a header line: the kernel records.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedcheck {

/// A parsed file: comma separated, no quotes, lines end in LF or CRLF.
struct CsvTable {
  std::string file;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< Each as long as the header; row i is line i + 2.

  [[nodiscard]] bool has(std::string_view column) const;
  /// Throws InputError when the column is missing.
  [[nodiscard]] std::size_t column(std::string_view name) const;
  /// Throws InputError naming line and column unless the cell is a whole number in [lo, hi].
  [[nodiscard]] std::int64_t number(std::size_t row, std::string_view name, std::int64_t lo,
                                    std::int64_t hi) const;
  /// The same for a column whose value nobody needs.
  void require_number(std::size_t row, std::string_view name, std::int64_t lo,
                      std::int64_t hi) const {
    static_cast<void>(number(row, name, lo, hi));
  }
  [[nodiscard]] const std::string& text(std::size_t row, std::string_view name) const;
  [[noreturn]] void fail(std::size_t row, const std::string& what) const;
  /// "row 12 (line 14)", rows from 0.
  [[nodiscard]] static std::string row_name(std::size_t row);
};

/// Throws InputError for an empty file, no rows, or a row with too many or too few columns.
CsvTable parse_csv(const std::string& file, std::string_view text);

}  // namespace schedcheck
