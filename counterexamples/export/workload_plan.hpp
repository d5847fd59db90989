// SPDX-License-Identifier: Apache-2.0
/// \file What an exported workload has to do: the schedule with absolute times and with what the
/// model says will happen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/schedule.hpp"

namespace schedcheck {

/// One event of preamble or events, in order.
struct PlannedEvent {
  std::string label;  ///< "3", or "p3" in the preamble; counted from 1.
  Event event;
  std::int64_t at_ns = 0;  ///< Since boot: when it begins.
  bool enabled = true;     ///< In the model; workloads leave out what is not.
  bool current = false;    ///< Its task runs on a CPU at that moment.
  int child = -1;          ///< fork: its number,
  int child_cpu = -1;      ///< and the CPU the model places it on.
};

struct WorkloadPlan {
  int nr_cpus = 0;
  std::vector<InitialTask> tasks;
  std::vector<PlannedEvent> events;
  std::int64_t end_ns = 0;       ///< Model time that passes in all.
  std::int64_t shortest_ns = 0;  ///< Shortest time that passes anywhere; 0: none does.
};

/// Replays `schedule` natively. Throws InputError as make_model and initial_machine do.
WorkloadPlan plan_workload(const Schedule& schedule);

/// The scale that makes the shortest time at least 10 us, but lets the whole take at most 10 s.
double default_scale(const WorkloadPlan& plan);

}  // namespace schedcheck
