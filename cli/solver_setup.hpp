// SPDX-License-Identifier: Apache-2.0
/// \file What solve and prove share: the model of the options, the universe of a verdict, and the
/// verdict itself as text and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/second_solver.hpp"
#include "cli/solver_commands.hpp"
#include "model/schedule.hpp"
#include "solver/bounded_model_checking.hpp"
#include "solver/canary.hpp"

namespace schedcheck::cli {

using Json = nlohmann::ordered_json;

/// The schedule without events that the options describe. Throws InputError for machines of more
/// than 8 CPUs, kernels that do not exist and ticks off the grid.
Schedule solver_schedule(const SolverOptions& options);

/// The model for one property: without balances unless the property is about them.
Model solver_model(const Schedule& schedule, std::size_t property);

/// Throws InputError when the symbolic reading does not judge the property.
void require_judged(std::size_t property);

Universe solver_universe(const SolverOptions& options);

/// One verdict of either command.
struct SolverVerdict {
  std::size_t property = 0;
  std::string verdict;  ///< One of the words of the command contract.
  std::string why;      ///< One sentence more.
  bool documented = false;
  std::optional<int> events;  ///< Of the minimized schedule.
  std::optional<int> depth;
  std::string engine;
  double seconds = 0;
  std::vector<std::string> conditions;
  std::optional<std::string> cover, canary;
  std::string counterexample;  ///< A file.
  std::string state;           ///< A start state in words.
  Json more = Json::object();
};

Json verdict_json(const SolverVerdict& verdict, const Json& universe);
/// The object that holds verdicts, none yet.
Json verdicts_json(const Schedule& schedule);
Json universe_json(const SolverOptions& options, const Schedule& schedule,
                   const std::string& start);
void print_verdict(const SolverVerdict& verdict);

/// "run 1 ms, exit task 0" and the like.
std::string events_text(const std::vector<Event>& events);
/// Tasks and queues of a state, for people.
std::string state_text(const Model& model, const Machine<NativeDomain>& m);

/// "NAME is found in N events", and what to say when it is not.
std::string canary_found(const Canary& canary, std::size_t events);
std::string canary_not_found(const Canary& canary);

/// Searches `query` with the property's fault in; yields "NAME found in N events", or nothing.
/// `missing` says why not.
std::optional<std::string> canary_text(const BoundedQuery& query, std::string& missing);

}  // namespace schedcheck::cli
