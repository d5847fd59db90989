// SPDX-License-Identifier: Apache-2.0
/// \file Documents that are a table: `columns`, a list of names, and `rows` of whole numbers.
#pragma once

#include "counterexamples/conform/json_reader.hpp"

namespace schedcheck {

class JsonTable {
 public:
  explicit JsonTable(const JsonReader& file);

  /// Each as long as the list of names.
  [[nodiscard]] std::vector<JsonReader> rows() const;
  [[nodiscard]] std::int64_t cell(const JsonReader& row, const std::string& column, std::int64_t lo,
                                  std::int64_t hi) const;

 private:
  JsonReader file_;
  std::vector<std::string> columns_;
};

}  // namespace schedcheck
