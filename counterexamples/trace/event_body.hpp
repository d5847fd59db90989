// SPDX-License-Identifier: Apache-2.0
/// \file The fields of scheduler events: as the kernel prints them, raw, and as plugins print them.
#pragma once

#include <string_view>

#include "counterexamples/trace/trace_event.hpp"

namespace schedcheck {

/// Sets kind and fields of `event` from the event's name and body. Fields that are not there (a
/// line cut short, parts replaced by "...") leave `complete` false.
void read_body(std::string_view name, std::string_view body, TraceEvent& event);

}  // namespace schedcheck
