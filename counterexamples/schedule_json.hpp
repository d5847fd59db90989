// SPDX-License-Identifier: Apache-2.0
/// \file The schedule file, `schedcheck/schedule` version 1: docs/schedule-format.md.
#pragma once

#include <string>
#include <string_view>

#include "model/schedule.hpp"

namespace schedcheck {

inline constexpr int kScheduleVersion = 1;
inline constexpr std::size_t kMaxScheduleEvents = 100'000;  ///< In `preamble` and in `events` each.
inline constexpr std::int64_t kMaxEventNs = 1'000'000'000'000'000;  ///< One duration: 11 days.
inline constexpr std::int64_t kMaxScheduleNs = kMaxEventNs * 1000;  ///< All of them together.
/// Work of one replay, about a nanosecond or two per step: docs/schedule-format.md has the formula.
inline constexpr std::int64_t kMaxScheduleWork = 300'000'000;

/// The file that describes `schedule`: stable order of keys, one task or event per line, newline at
/// the end. CPUs that the topology lacks are left out of CPU lists.
/// Throws InputError if the topology or the kernel is unknown.
std::string to_json(const Schedule& schedule);

/// Reads a file's text; `source_name` is how messages name the file.
/// Ensures: every task, CPU and duration is in range; whether an event is enabled when its turn
/// comes is for the replay to say. `at_ns` is turned into `after_ns`, names of tasks are dropped.
/// Throws InputError, one line with a JSON pointer or a line and column.
Schedule schedule_from_json(std::string_view text, const std::string& source_name);

}  // namespace schedcheck
