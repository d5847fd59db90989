// SPDX-License-Identifier: Apache-2.0
/// \file The command `run`.
#pragma once

#include <CLI/CLI.hpp>

namespace schedcheck::cli {

/// Adds `run FILE`; its callback sets `status`.
void add_run_command(CLI::App& app, int& status);

}  // namespace schedcheck::cli
