// SPDX-License-Identifier: Apache-2.0
/// \file Checks a recorded trace against the properties that a trace can decide.
#pragma once

#include <string>

#include "counterexamples/trace/trace_machine.hpp"

namespace schedcheck {

/// One pass; memory does not grow with the file. "-": standard input. Throws InputError when the
/// file cannot be read or is not a trace with scheduler events.
TraceReport check_trace(const std::string& path, const TraceOptions& options);

}  // namespace schedcheck
