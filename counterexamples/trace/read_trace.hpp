// SPDX-License-Identifier: Apache-2.0
/// \file Reads a trace as a stream: lines to events, put into the order of time within a window.
#pragma once

#include <functional>
#include <string>

#include "counterexamples/trace/trace_event.hpp"
#include "counterexamples/trace/trace_report.hpp"

namespace schedcheck {

/// What the reader tells beside the event.
struct TraceContext {
  int cpus = 0;              ///< CPUs of the machine if a header says so; else 0.
  bool current_told = true;  ///< TraceEvent::current is the thread (not its process).
};

using TraceSink = std::function<void(const TraceEvent&, const TraceContext&)>;

/// Counts into `report` and gives every scheduler event and every loss to `sink`. "-": standard
/// input. Memory does not grow with the file. Throws InputError when the file cannot be read, is
/// not text or has no scheduler event.
void read_trace(const std::string& path, TraceReport& report, const TraceSink& sink);

}  // namespace schedcheck
