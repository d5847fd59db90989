// SPDX-License-Identifier: Apache-2.0
/// \file The one schedule type: what the random engine finds, the solver finds, a person types, the
/// minimizer shrinks and the exporters write.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/event.hpp"
#include "model/machine.hpp"
#include "model/step.hpp"

namespace schedcheck {

/// What a counterexample shows. `event` counts from 1; `numbers` are the property's, by name.
struct Finding {
  std::string property;
  int event = 0;
  std::map<std::string, std::int64_t> numbers;
  std::string engine;
  std::uint64_t seed = 0;
  std::string minimality;  ///< one-minimal, shortest up to bound, certified shortest; empty: none.

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// Number i of `tasks` is initial task i; children follow in order of their forks. Event arguments
/// name tasks by these numbers.
struct Schedule {
  std::string topology = "smp:2";  ///< A spec of topology/machine_description.hpp.
  std::string kernel = "v6.12";    ///< A preset with overrides, canonical (kernel_switches.hpp).
  std::int64_t tick_ns = 4'000'000;
  /// Limits L1 and L4 are in force: what the solver and the spawn loops write.
  bool round_robin = false;
  int max_tasks = 16;  ///< Initial tasks and children; fork is disabled when reached.
  std::vector<InitialTask> tasks = {InitialTask{}};
  std::vector<Event> preamble;  ///< Warm start: run first, neither judged nor counted.
  std::vector<Event> events;
  std::optional<Finding> finding;

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// What of a model follows from the schedule once topology and kernel are there.
void configure(Model& model, const Schedule& schedule);

/// The model a schedule runs on. Throws InputError for an unknown topology or kernel.
Model make_model(const Schedule& schedule);

/// The state before the first event of the preamble. Throws InputError for an initial task off the
/// machine or more initial tasks than max_tasks.
Machine<NativeDomain> initial_machine(const Model& model, const Schedule& schedule, int judgements);

/// "fork task 0" and the like, for messages.
std::string describe(const Event& event);

}  // namespace schedcheck
