// SPDX-License-Identifier: Apache-2.0
/// \file What stands in front of an event's fields: task, CPU, time and name, in two families.
#pragma once

#include <string_view>

#include "counterexamples/trace/trace_event.hpp"

namespace schedcheck {

struct LineHeader {
  std::string_view name;  ///< Without the system: sched_switch.
  std::string_view body;  ///< What follows the name.
};

/// A line of ftrace text, `trace-cmd report` or `perf script` with a CPU in brackets:
/// `COMM-PID (TGID) [CPU] FLAGS TIME: NAME: BODY` or `COMM PID/TID [CPU] TIME: SYS:NAME: BODY`.
/// Fills cpu, current and time_ns of `event`.
bool read_bracket_header(std::string_view line, TraceEvent& event, LineHeader& header);

/// The same without brackets: `COMM PID/TID TIME: SYS:NAME: BODY` of `perf script -F` and the
/// latency format of ftrace, `COMM-PID CPUFLAGS TIME: NAME: BODY`.
bool read_plain_header(std::string_view line, TraceEvent& event, LineHeader& header);

}  // namespace schedcheck
