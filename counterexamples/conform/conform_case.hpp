// SPDX-License-Identifier: Apache-2.0
/// \file One comparison: numbers for a function of the model, and the numbers it must give.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "counterexamples/conform/conform.hpp"
#include "model/domain/native_domain.hpp"

namespace schedcheck {

using FieldNames = std::vector<std::string>;

/// A case derives from this and has `template <ValueDomain D> std::vector<IntOf<D>>
/// run(std::span<const IntOf<D>> in) const`, which computes from `in` and from what stays plain in
/// both readings (weights, masks, topology). It never looks at `expected`.
struct ConformCase {
  std::string row;                     ///< Where in the file, "row 3" or "decay[3]".
  std::vector<std::int64_t> in;        ///< What the symbolic reading may leave free.
  std::vector<std::int64_t> expected;  ///< In the order of `fields`.
  const FieldNames* fields = nullptr;  ///< How the file calls the results.
};

/// "row 3: util_avg: 512 in the file, 513 in the model", or empty. Compares as far as `got` goes.
std::string difference(const ConformCase& row, std::span<const std::int64_t> got);

/// Counts a compared row; `difference` is empty when file and model agree.
void count_row(ConformFile& file, const std::string& difference);

/// Counts rows that cannot be compared.
void skip_rows(ConformFile& file, std::int64_t rows, const std::string& which_and_why);

template <class Case>
void compare(ConformFile& file, const std::vector<Case>& cases) {
  for (const Case& row : cases) {
    const auto got = row.template run<NativeDomain>(std::span<const std::int64_t>(row.in));
    count_row(file, difference(row, got));
  }
}

}  // namespace schedcheck
