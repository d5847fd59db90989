// SPDX-License-Identifier: Apache-2.0
/// \file Conformance: test vectors and kernel records against the model's own functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace schedcheck {

/// What comparing one file gave. A row is the file's unit: a line of a CSV file, an element of a
/// JSON array, a step of a sequence.
struct ConformFile {
  std::string file, kind;
  std::int64_t compared = 0, differing = 0, skipped = 0;
  std::string first_difference;           ///< Row, field and both values; empty: none.
  std::vector<std::string> skipped_rows;  ///< Which rows were skipped, and why.
};

/// Compares files and directories (recursively; only .json, .csv and .txt count, README* and
/// machines.json do not). The kind of a file is recognised from its content, never its name.
/// Throws InputError for a path that does not exist, a directory without such files, and a file
/// that is malformed or of no known kind.
std::vector<ConformFile> conform(const std::vector<std::filesystem::path>& paths);

}  // namespace schedcheck
