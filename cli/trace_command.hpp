// SPDX-License-Identifier: Apache-2.0
/// \file The command `trace`.
#pragma once

#include <CLI/CLI.hpp>

namespace schedcheck::cli {

/// Adds `trace check FILE`; its callback sets `status`.
void add_trace_command(CLI::App& app, int& status);

}  // namespace schedcheck::cli
