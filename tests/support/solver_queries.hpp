// SPDX-License-Identifier: Apache-2.0
/// \file Small queries of the solver's tests.
#pragma once

#include <string>

#include "model/schedule.hpp"
#include "properties/catalogue.hpp"
#include "solver/bounded_model_checking.hpp"
#include "solver/canary.hpp"

namespace schedcheck {

/// A machine without ticks that starts at boot.
inline Schedule tickless(const std::string& topology, const std::string& kernel, int max_tasks) {
  Schedule schedule;
  schedule.topology = topology;
  schedule.kernel = kernel;
  schedule.tick_ns = 0;
  schedule.round_robin = true;
  schedule.max_tasks = max_tasks;
  return schedule;
}

inline BoundedQuery bounded_query(const std::string& topology, const std::string& kernel,
                                  const char* property, int depth,
                                  StartKind start = StartKind::kGiven) {
  const Schedule schedule = tickless(topology, kernel, 4);
  BoundedQuery query;
  query.property = property_index(property);
  query.depth = depth;
  query.start = start;
  query.model = make_model(schedule);
  query.model.balances = needs_balances(query.property);
  query.given = initial_machine(query.model, schedule, static_cast<int>(kPropertyCount));
  query.tasks = schedule.tasks;
  return query;
}

}  // namespace schedcheck
