// SPDX-License-Identifier: Apache-2.0
/// \file Induction over single events.
#include "solver/induction.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>

#include "model/schedule.hpp"
#include "properties/catalogue.hpp"
#include "solver/canary.hpp"
#include "solver/leaf_pairs.hpp"
#include "solver/time_budget.hpp"
#include "solver/well_formed.hpp"

namespace schedcheck {
namespace {

/// Ages up to nine years, times to a PELT unit. With ticks a run crosses one at most: longer
/// runs are several runs (pass_time is additive).
Universe unlimited(const Model& model) {
  Universe universe;
  universe.state.grid_ns = 1024;
  universe.state.age_windows_max = std::int64_t{1} << 38;
  universe.state.weight_min = 1;
  universe.state.weight_max = kMaxWeight;
  universe.duration_windows_max = model.tick_ns == 0 ? std::int64_t{1} << 38 : 4;
  return universe;
}

class Prover {
 public:
  Prover(const Model& model, PropertySet properties, const InductionOptions& options)
      : model_(model),
        properties_(properties),
        options_(options),
        universe_(unlimited(model)),
        time_(options.time) {
    for (std::size_t i = 0; i < kPropertyCount; ++i) {
      if ((properties >> i & 1) == 0) continue;
      if (needs_averages(i) || needs_balances(i))
        throw std::logic_error("induction forgets the averages that a property is about");
      result_.properties[i] = {};
      if (!needs_strengthening(i)) continue;
      if (std::popcount(properties) > 1)
        throw std::logic_error("a property with a strengthening is proved alone");
      strengthened_ = i;
    }
  }
  Induction run();

 private:
  using Claims = std::vector<StateInvariant>;

  void base();
  void event(EventKind kind, int task, int cpu);
  void events_of_tasks(EventKind kind);
  [[nodiscard]] Claims invariants_of(const SymbolicMachine& m) const;
  Proof ask_all(const std::string& on, const Claims& claims);
  Proof ask(const std::string& what, const Z3Bool& counterexample);
  static void merge(Proof& all, Proof one) {
    if (all.outcome == Proof::Outcome::kProved) all = std::move(one);
  }
  [[nodiscard]] bool some_property_stands() const;
  [[nodiscard]] bool goes_on() const {
    return result_.invariants.outcome == Proof::Outcome::kProved;
  }

  const Model& model_;
  PropertySet properties_;
  const InductionOptions& options_;
  Universe universe_;
  std::optional<std::size_t> strengthened_;
  Induction result_;
  TimeBudget time_;
};

Proof Prover::ask(const std::string& what, const Z3Bool& counterexample) {
  if (counterexample.is_constant() && !counterexample.constant()) {
    result_.steps.push_back({what, Answer::kUnsatisfiable});
    return {};
  }
  if (time_.spent())
    return {Proof::Outcome::kUndecided, "the time limit ended the proof before: " + what};
  if (options_.stop && options_.stop())
    return {Proof::Outcome::kUndecided, "interrupted before: " + what};
  QueryLimits limits = options_.limits;
  if (time_.limited()) limits.time = time_.left();
  QuerySolver solver(limits);
  std::string text;
  if (options_.observe) text = solver.smt2(std::span(&counterexample, 1), what);
  const Answer answer = solver.check(counterexample);
  result_.steps.push_back({what, answer});
  if (options_.observe) options_.observe(what, text, answer);
  if (answer == Answer::kUnsatisfiable) return {};
  if (answer == Answer::kUnknown)
    return {
        Proof::Outcome::kUndecided,
        (time_.spent() ? "the time limit ended the proof in: " : "the solver gave up on: ") + what};
  return {Proof::Outcome::kFails, "does not hold: " + what};
}

// One query for all claims of an event: they share nearly all of their formula. Only if it fails
// are they asked one by one, to name the culprit.
Proof Prover::ask_all(const std::string& on, const Claims& claims) {
  Z3Bool some_fails = false;
  for (const StateInvariant& claim : claims) some_fails = some_fails || !claim.holds;
  Proof together = ask(on + " keeps the state invariants", some_fails);
  if (together.outcome != Proof::Outcome::kFails) return together;
  for (const StateInvariant& claim : claims) {
    Proof alone = ask(on + ": " + claim.what, !claim.holds);
    if (alone.outcome != Proof::Outcome::kProved) return alone;
  }
  return together;
}

Prover::Claims Prover::invariants_of(const SymbolicMachine& m) const {
  Claims claims;
  if (!options_.invariants_known) claims = well_formed(model_, m);
  if (strengthened_)
    for (StateInvariant& more : strengthening(model_, m, *strengthened_))
      claims.push_back(std::move(more));
  return claims;
}

// The start is concrete, so its invariants are constants.
void Prover::base() {
  const Z3Session session(Theory::kInteger);
  Schedule schedule;
  schedule.max_tasks = model_.max_tasks;
  Machine<NativeDomain> native =
      options_.start != nullptr
          ? *options_.start
          : initial_machine(model_, schedule, static_cast<int>(kPropertyCount));
  const auto start = constants<SymbolicMachine>(native);
  merge(result_.invariants, ask_all("the start", invariants_of(start)));
}

void Prover::event(EventKind kind, int task, int cpu) {
  const Z3Session session(Theory::kInteger, /*abstract=*/true);
  const ScopedMutant mutant(options_.mutant);
  StateUniverse states = universe_.state;
  if (task >= 0) states.place = {task, cpu};
  SymbolicMachine m = free_machine(model_, states, "s.");
  m.judged.resize(kPropertyCount);
  if (strengthened_) assume_strengthening(m, *strengthened_);
  SymbolicEvent event =
      free_event(model_, universe_.state, universe_.duration_windows_max, "e.", kind);
  if (kind == EventKind::kUpdateBlocked) event.cpu = cpu;
  std::string on(event_name(kind));
  if (task >= 0) {
    event.task = task;
    on += " task " + std::to_string(task);
  }
  if (cpu >= 0) on += " on CPU " + std::to_string(cpu);
  const Z3Bool happens = symbolic_step(model_, m, event, properties_);
  Claims claims = cpu > 0 ? Claims{} : invariants_of(m);
  for (StateInvariant& claim : claims) claim.holds = !happens || claim.holds;
  for (const Obligation& obligation : session.obligations())
    if (!options_.invariants_known)
      claims.push_back({"every number stays in its field", Z3Bool::of(obligation.holds)});
  if (!claims.empty()) merge(result_.invariants, ask_all(on, claims));
  for (auto& [property, proof] : result_.properties) {
    const Z3Bool violated = happens && m.judged[property].violated;
    if (proof.outcome == Proof::Outcome::kProved)
      merge(proof, ask(on + " does not violate " + std::string(property_catalogue()[property].name),
                       violated));
  }
}

// One CPU stands for all: an abstract step forgets where the kernel puts a task, so it treats CPUs
// alike, and so do the invariants and what is judged after an event. Only a fork's judgement looks
// at the topology.
void Prover::events_of_tasks(EventKind kind) {
  for (int task = 0; task < model_.max_tasks; ++task)
    for (int cpu = 0; cpu < model_.topology.nr_cpus && goes_on() && some_property_stands(); ++cpu)
      if (cpu == 0 || kind == EventKind::kFork) event(kind, task, cpu);
}

bool Prover::some_property_stands() const {
  if (!options_.invariants_known) return true;
  return std::any_of(result_.properties.begin(), result_.properties.end(), [](const auto& entry) {
    return entry.second.outcome == Proof::Outcome::kProved;
  });
}

Induction Prover::run() {
  base();
  event(EventKind::kRun, -1, -1);
  event(EventKind::kUpdateBlocked, -1, 0);
  for (const EventKind kind : {EventKind::kFork, EventKind::kExit, EventKind::kBlock,
                               EventKind::kWake, EventKind::kSetAffinity})
    events_of_tasks(kind);
  if (!goes_on())
    for (auto& [property, proof] : result_.properties) merge(proof, result_.invariants);
  result_.conditions = {
      "from the start on, any number of events; times are multiples of 1024 ns, ages up to nine "
      "years",
      "averages and sums are forgotten: the claim holds whatever their values",
      "L-ATOMIC: an event ends before the next begins"};
  if (model_.tick_ns > 0)
    result_.conditions.emplace_back(
        "a run lasts at most four windows; longer ones are several runs, since time is additive; "
        "an exit takes at most four windows after its step");
  return std::move(result_);
}

}  // namespace

Induction prove_by_induction(const Model& model, PropertySet properties,
                             const InductionOptions& options) {
  return Prover(model, properties, options).run();
}

}  // namespace schedcheck
