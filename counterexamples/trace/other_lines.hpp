// SPDX-License-Identifier: Apache-2.0
/// \file Lines that are not events: headers, comments, call chains, notes of lost events, banners.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace schedcheck {

struct LostNote {
  int cpu = -1;             ///< -1: of no CPU in particular.
  std::uint64_t count = 0;  ///< 0: not told.
};

/// `CPU:1 [LOST 3271 EVENTS]` of ftrace, `CPU:4 [1284 EVENTS DROPPED]` and `[EVENTS DROPPED]` of
/// trace-cmd, `...` where somebody left lines out.
std::optional<LostNote> lost_note(std::string_view line);

/// What a header tells about the whole trace.
struct TraceHeader {
  int cpus = 0;                   ///< `#P:4`, `cpus=4`, `# nrcpus online : 4`; 0: not told.
  std::uint64_t overwritten = 0;  ///< Written to the buffer and no longer in it.
};

/// Comments, headers, stacks and banners of the three tools; reads what `header` wants.
bool explained_line(std::string_view line, TraceHeader& header);

/// The name of a dump that is not a trace, if a line of it says so; else empty.
std::string_view dump_of_line(std::string_view line);

}  // namespace schedcheck
