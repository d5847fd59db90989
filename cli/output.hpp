// SPDX-License-Identifier: Apache-2.0
/// \file What every command shares at its border: exit statuses, durations in words, files, Ctrl-C.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "model/schedule.hpp"

namespace schedcheck::cli {

/// Exit statuses, the same for all commands.
enum ExitStatus : int { kHolds = 0, kViolated = 1, kUsage = 2, kUndecided = 3, kInternal = 4 };

/// "60s", "500ms", "2m" or plain seconds; at most a day. Throws InputError naming `option`.
std::chrono::milliseconds parse_duration(const std::string& text, std::string_view option);

/// Must come first: a closed stdin, stdout or stderr must not become the next file that is opened.
void reserve_standard_streams();

/// Standard output. All results go through here: what cannot be written is an InputError, not a
/// crash and not silence.
void put(std::string_view text);
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  put(fmt::format(format, std::forward<Args>(args)...));
}

/// Standard error: announcements and notes, not errors. Throws InputError like put().
void put_note(std::string_view text);
template <class... Args>
void note(fmt::format_string<Args...> format, Args&&... args) {
  put_note(fmt::format(format, std::forward<Args>(args)...));
}

/// What the buffers still hold; the last chance to see that a disk is full. Throws InputError.
void flush_output();

/// Writes a regular file through a temporary one beside it, so that nothing half-written stays. A
/// link is followed; a folder, device, FIFO or socket is refused: it would be replaced. Throws
/// InputError.
void write_file(const std::filesystem::path& path, const std::string& text,
                bool executable = false);

/// Throws the InputError that write_file() would throw, before the work that leads to the text.
void require_writable(const std::filesystem::path& path);

/// --out can take files, or can be made: better known before the run than after it. Throws
/// InputError.
void require_folder(const std::string& out);

/// A schedule without events; kernel and topology in their canonical spelling. Throws InputError.
Schedule empty_schedule(const std::string& kernel, const std::string& topology,
                        std::int64_t tick_ns, int tasks);

/// `text`, which may hold anything, with '?' for control characters.
std::string printable(std::string text);

/// A file name made of `text`: no separators of specs and paths.
std::string as_file_name(std::string text);

/// A schedule file. `kernel`: overrides the file's unless empty; then a finding is dropped.
Schedule load_schedule(const std::string& path, const std::string& kernel = "");

/// Ctrl-C was pressed: finish with what is known.
bool interrupted();
/// For commands that ask interrupted(); a second Ctrl-C ends the program at once.
void catch_interrupts();

/// Bold or colour on a terminal, plain text elsewhere.
std::string paint(std::string_view text, std::string_view colour);

}  // namespace schedcheck::cli
