// SPDX-License-Identifier: Apache-2.0
/// \file The trace of a schedule that ran on a kernel: its marks, and what happened to its tasks,
/// in the model's numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "counterexamples/export/timeline.hpp"
#include "counterexamples/trace/trace_event.hpp"

namespace schedcheck {

/// Another process, in place of a task number.
inline constexpr int kForeignTask = -2;

/// One event of the trace; CPUs are the model's numbers, or kUnknownNumber beside them.
struct KernelEvent {
  TraceKind kind = TraceKind::kOther;
  TraceLeaves leaves = TraceLeaves::kUnknown;
  std::uint64_t line = 0;
  std::int64_t ns = 0;
  int mark = -1;             ///< Position in Timeline::events of the mark before it; -1: none.
  int cpu = kUnknownNumber;  ///< Where it was recorded.
  int task = kNoTask;        ///< Placed, moved, exiting, next of a switch; kNoTask: idle.
  int from = kNoTask;        ///< Previous of a switch, parent of a fork.
  int target = kUnknownNumber;
  std::string cpus;  ///< Placements: what the CPUs of the model did then.
};

struct KernelRecord {
  std::vector<KernelEvent> events;
  std::vector<std::uint64_t> own_lines;       ///< Lines about tasks of the schedule, ascending.
  std::map<int, std::vector<bool>> affinity;  ///< By process: what the model's CPUs let it use.
  std::vector<bool> marked;                   ///< By Timeline::events: its mark is there.
  int spare_cpus = 0;         ///< CPUs that the driver could use beside the model's.
  std::uint64_t lost = 0;     ///< Losses that the trace notes.
  std::uint64_t foreign = 0;  ///< Switches from a task of the schedule to another process.
};

/// Reads the trace at `path`, recorded by a program of `export --to c` with --marks, or written by
/// `export --to ftrace`. Throws InputError when it is no trace, has no marks or is of another
/// schedule.
KernelRecord read_kernel_record(const std::string& path, const Timeline& timeline);

}  // namespace schedcheck
