// SPDX-License-Identifier: Apache-2.0
/// \file What every command shares at its border: exit statuses, durations in words, files, Ctrl-C.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "model/schedule.hpp"

namespace schedcheck::cli {

/// Exit statuses, the same for all commands.
enum ExitStatus : int { kHolds = 0, kViolated = 1, kUsage = 2, kUndecided = 3, kInternal = 4 };

/// "60s", "500ms", "2m" or plain seconds; at most a day. Throws InputError naming `option`.
std::chrono::milliseconds parse_duration(const std::string& text, std::string_view option);

/// The whole file, or standard input for "-". Throws InputError when it cannot be read.
std::string read_file(const std::string& path);

/// Writes through a temporary file beside it, so that nothing half-written stays. Throws
/// InputError.
void write_file(const std::filesystem::path& path, const std::string& text);

/// A schedule file. `kernel`: overrides the file's unless empty; then a finding is dropped.
Schedule load_schedule(const std::string& path, const std::string& kernel = "");

/// Ctrl-C was pressed: finish with what is known.
bool interrupted();
void catch_interrupts();

/// Bold or colour on a terminal, plain text elsewhere.
std::string paint(std::string_view text, std::string_view colour);

}  // namespace schedcheck::cli
