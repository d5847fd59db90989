// SPDX-License-Identifier: Apache-2.0
/// \file The parts of an exported script that are the same for every schedule, in order of use.
#pragma once

#include <string_view>

namespace schedcheck {

extern const std::string_view kShOptions;    ///< Usage and options.
extern const std::string_view kShCleanup;    ///< Traps; nothing is left behind.
extern const std::string_view kShRealPlan;   ///< Model CPUs and times to the machine's.
extern const std::string_view kShCgroup;     ///< A cgroup of its own.
extern const std::string_view kShTrace;      ///< A private tracefs instance.
extern const std::string_view kShHelperRun;  ///< Compiles and runs the C program.
extern const std::string_view kShFallback;   ///< The same with shell processes.
extern const std::string_view kShReport;     ///< The table and the outcome.
extern const std::string_view kShMain;       ///< Calls the others.

}  // namespace schedcheck
