// SPDX-License-Identifier: Apache-2.0
/// \file The command `simulate`.
#pragma once

#include <CLI/CLI.hpp>

namespace schedcheck::cli {

/// Adds `simulate WORKLOAD`; its callback sets `status`.
void add_simulate_command(CLI::App& app, int& status);

}  // namespace schedcheck::cli
