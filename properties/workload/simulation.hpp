// SPDX-License-Identifier: Apache-2.0
/// \file A whole workload on the native model: discrete events between ticks, and what it measures.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "model/schedule.hpp"
#include "properties/workload/workload.hpp"

namespace schedcheck {

/// By name, in the order of names. Percentages are of 100, `_ns` are nanoseconds, others are
/// counts: docs/simulate.md has the list.
using Metrics = std::map<std::string, double>;

struct SimulationOptions {
  double seconds = 2;            ///< Measured time,
  double warm_up_seconds = 0.5;  ///< which begins then.
  std::uint64_t seed = 1;
};

struct SimulationResult {
  Metrics metrics;
  std::int64_t events = 0;  ///< Of the model, warm-up included.
  double seconds = 0;       ///< Measured: less than asked if `stop` said so.
};

/// Runs `workload` on the topology, kernel and tick of `base`. Throws InputError if it has more
/// threads than the model has task numbers. `stop`, asked every 10 ms of model time, ends the run.
SimulationResult simulate(const Schedule& base, Workload& workload,
                          const SimulationOptions& options, const std::function<bool()>& stop = {});

}  // namespace schedcheck
