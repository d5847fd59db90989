// SPDX-License-Identifier: Apache-2.0
/// \file A recorded trace drives the model: what the environment did is taken from the trace, and
/// at each fork the model is asked where it would have put the child.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "counterexamples/trace/trace_report.hpp"
#include "model/topology/machine_description.hpp"

namespace schedcheck {

struct TraceReplayOptions {
  std::string kernel, topology;
  std::map<int, std::vector<bool>> affinity;  ///< By task number of the trace; its children too.
};

/// A placement that the model would have made otherwise.
struct PlacementMismatch {
  std::uint64_t line = 0;
  int child = 0, parent = 0;  ///< Numbers of the trace.
  int kernel_cpu = 0, model_cpu = 0;
  std::string model_numbers;  ///< Groups and reason of each level.
  std::string kernel_cpus;    ///< Who ran where, by the trace.
};

struct TraceReplay {
  TraceReport trace;
  std::uint64_t compared = 0;
  FirstOf<PlacementMismatch> mismatches;
  std::uint64_t skipped = 0;  ///< Placements that could not be put to the model.
  /// What had to be assumed, with how often; 0: throughout.
  std::vector<std::pair<std::string, std::uint64_t>> assumptions;
};

/// One pass over `path` ("-": standard input). Throws InputError for a bad trace, kernel or
/// topology, and for a trace that shows CPUs which the topology lacks.
TraceReplay replay_trace(const std::string& path, const TraceReplayOptions& options);

}  // namespace schedcheck
