// SPDX-License-Identifier: Apache-2.0
/// \file The spawn loop of kind `exit_path`: what a parent's forks see, hundreds of times in a row.
#pragma once

#include <string>

#include "counterexamples/conform/conform.hpp"

namespace schedcheck {

class JsonReader;

/// Plays the loop for each result of the root group. Each sample, the first fork at the threshold
/// and the mean count as a row.
void check_spawn_loop(const std::string& name, const JsonReader& loop, ConformFile& result);

}  // namespace schedcheck
