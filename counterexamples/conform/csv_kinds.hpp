// SPDX-License-Identifier: Apache-2.0
/// \file The kinds of CSV files.
#pragma once

#include <filesystem>

#include "counterexamples/conform/conform.hpp"

namespace schedcheck {

struct CsvTable;

/// Recognises a table by its header line, sets result.kind and compares its rows. `folder` is where
/// a placements file finds its groups.csv. Throws InputError for a header of no known kind.
void check_csv(const CsvTable& table, const std::filesystem::path& folder, ConformFile& result);

}  // namespace schedcheck
