// SPDX-License-Identifier: Apache-2.0
/// \file The command `conform`: vectors, kernel records and domain dumps against the model.
#pragma once

#include <string>
#include <vector>

namespace schedcheck {

/// Compares files and folders and prints a table, or one JSON object. Yields 0 when nothing
/// differs (skipped rows are named), 1 otherwise. Throws InputError for files that cannot be
/// compared.
int run_conform(const std::vector<std::string>& paths, bool json);

}  // namespace schedcheck
