// SPDX-License-Identifier: Apache-2.0
/// \file prove: induction over single events, and over the groups of a fork for any CPU count.
#include <bit>
#include <map>

#include "cli/output.hpp"
#include "cli/solver_setup.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"
#include "properties/run_schedule.hpp"
#include "solver/group_fold.hpp"
#include "solver/induction.hpp"
#include "solver/time_budget.hpp"
#include "solver/well_formed.hpp"

namespace schedcheck::cli {
namespace {

using Clock = std::chrono::steady_clock;

class Prove {
 public:
  explicit Prove(const ProveOptions& options);
  int run();

 private:
  void prove_set(PropertySet set, bool invariants_known);
  void conclude(std::size_t property, const Proof& proof, const Induction& induction);
  void check_proof(SolverVerdict& verdict);
  void explain_failure(SolverVerdict& verdict, const std::string& because);
  void any_cpu_count(SolverVerdict& verdict);
  [[nodiscard]] BoundedQuery one_event(std::size_t property);
  int finish();

  const ProveOptions& options_;
  Schedule schedule_;
  PropertySet wanted_;
  QueryLog log_;
  bool invariants_hold_ = false;
  std::map<std::size_t, SolverVerdict> verdicts_;
  TimeBudget time_;
};

Prove::Prove(const ProveOptions& options)
    : options_(options),
      schedule_(solver_schedule(options)),
      wanted_(parse_properties(options.property)),
      log_(!options.smt2.empty(), options.cross_check),
      time_(parse_duration(options.timeout, "--timeout")) {
  if (options.property == "all") {
    wanted_ &= judged_symbolically();
    for (std::size_t p = 0; p < kPropertyCount; ++p)
      if (needs_balances(p) || needs_averages(p)) wanted_ &= ~(PropertySet{1} << p);
  }
  for (std::size_t p = 0; p < kPropertyCount; ++p) {
    if ((wanted_ >> p & 1) == 0) continue;
    require_judged(p);
    if (needs_balances(p))
      throw InputError(fmt::format(
          "{}: free states have no ledger balances, so it cannot be proved; use check or solve",
          property_catalogue()[p].name));
  }
}

BoundedQuery Prove::one_event(std::size_t property) {
  BoundedQuery query;
  query.model = solver_model(schedule_, property);
  query.property = property;
  query.depth = options_.k;
  query.only_last = options_.k > 1;
  query.start = StartKind::kAny;
  query.universe = solver_universe(options_);
  query.time = time_.left();
  query.stop = interrupted;
  if (log_.wanted())
    query.dump = [this](const std::string& text, Answer answer) { log_.add(text, answer); };
  return query;
}

void Prove::prove_set(PropertySet set, bool invariants_known) {
  if (set == 0) return;
  InductionOptions options;
  options.time = time_.left();
  options.stop = interrupted;
  options.invariants_known = invariants_known;
  if (log_.wanted())
    options.observe = [this](const std::string&, const std::string& text, Answer answer) {
      log_.add(text, answer);
    };
  const auto first = static_cast<std::size_t>(std::countr_zero(set));
  const auto start = Clock::now();
  const Induction induction = prove_by_induction(solver_model(schedule_, first), set, options);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!invariants_known) invariants_hold_ = induction.invariants.outcome == Proof::Outcome::kProved;
  for (const auto& [property, proof] : induction.properties) {
    verdicts_[property].seconds = seconds;
    conclude(property, proof, induction);
  }
}

void Prove::conclude(std::size_t property, const Proof& proof, const Induction& induction) {
  SolverVerdict& verdict = verdicts_[property];
  verdict.property = property;
  verdict.engine = "induction (Z3)";
  verdict.documented = (documented_failures(make_model(schedule_)) >> property & 1) != 0;
  const auto start = Clock::now();
  if (proof.outcome == Proof::Outcome::kProved) {
    verdict.verdict = "proved";
    verdict.why =
        fmt::format("{} queries: boot and every event on every CPU", induction.steps.size());
    verdict.conditions = induction.conditions;
    check_proof(verdict);
  } else {
    explain_failure(verdict, proof.because);
  }
  any_cpu_count(verdict);
  verdict.seconds += std::chrono::duration<double>(Clock::now() - start).count();
}

/// A proof counts when its antecedent can be true and a fault makes it fail.
void Prove::check_proof(SolverVerdict& verdict) {
  BoundedQuery query = one_event(verdict.property);
  query.depth = 1;
  query.only_last = false;
  query.dump = nullptr;
  const BoundedResult result = check_bounded(query);
  if (!result.cover) {
    verdict.verdict = "vacuous";
    verdict.why = "no event from any state makes the antecedent true";
    return;
  }
  verdict.cover = "the antecedent is true after: " + events_text(result.cover->events);
  if (needs_strengthening(verdict.property)) {
    // The invariant excludes the state that one event would need.
    query.start = StartKind::kGiven;
    query.given = start_machine(query.model, schedule_);
    query.depth = 3;
  }
  std::string missing;
  verdict.canary = canary_text(query, missing);
  if (verdict.canary) return;
  verdict.verdict = "undecided";
  verdict.why = "proved, but " + missing;
}

/// Asks without forgetting the averages: a counterexample to induction, or at least every state of
/// the universe.
void Prove::explain_failure(SolverVerdict& verdict, const std::string& because) {
  const BoundedQuery query = one_event(verdict.property);
  const BoundedResult result = check_bounded(query);
  verdict.verdict = "undecided";
  verdict.why = because;
  verdict.engine = "bounded model checking (Z3)";
  if (result.outcome == BoundedResult::Outcome::kViolated) {
    if (!confirmed_natively(query.model, verdict.property, *result.witness))
      throw std::logic_error("the native model does not confirm the counterexample to induction");
    verdict.why =
        "not proved: counterexample to induction: " + events_text(result.witness->events) +
        " from a state that is not shown reachable";
    verdict.state = state_text(query.model, result.witness->start);
  } else if (result.outcome == BoundedResult::Outcome::kHolds && options_.k == 1) {
    std::string missing;
    verdict.canary = canary_text(query, missing);
    if (!verdict.canary || !result.cover) return;
    verdict.cover = "the antecedent is true after: " + events_text(result.cover->events);
    verdict.verdict = "holds from every state satisfying I";
    verdict.depth = options_.k;
    verdict.why =
        "one event from any state whose averages are at most 4 windows old; whether "
        "their ranges are kept is not proved";
  } else if (result.outcome == BoundedResult::Outcome::kUndecided) {
    verdict.why += "; " + result.undecided_because;
  } else if (options_.k > 1) {
    verdict.why = fmt::format(
        "{} events keep it from every state of the universe ({}-induction step); the base is solve "
        "--from boot --depth {}",
        options_.k, options_.k, options_.k - 1);
  }
}

void Prove::any_cpu_count(SolverVerdict& verdict) {
  const auto fold = prove_for_any_cpu_count(make_model(schedule_).kernel, verdict.property);
  if (!fold) return;
  if (log_.wanted())
    for (const ObligationResult& one : fold->obligations)
      if (one.verdict == ObligationVerdict::kProved) log_.add(one.smt2, Answer::kUnsatisfiable);
  verdict.more["any_cpu_count"] = {{"proved", fold->proved},
                                   {"obligations", fold->obligations.size()},
                                   {"counterexample", fold->counterexample}};
  if (fold->proved)
    verdict.conditions.push_back(
        fmt::format("the choice of the group is proved for any number of CPUs too ({} obligations)",
                    fold->obligations.size()));
}

int Prove::run() {
  if (!options_.json)
    note("proving on {} {}: {} tasks, any number of events\n", schedule_.kernel, schedule_.topology,
         schedule_.max_tasks);
  PropertySet together = 0;
  for (std::size_t p = 0; p < kPropertyCount; ++p)
    if (!needs_strengthening(p) && !needs_averages(p)) together |= wanted_ & PropertySet{1} << p;
  prove_set(together, false);
  for (std::size_t p = 0; p < kPropertyCount; ++p)
    if (needs_averages(p) && (wanted_ >> p & 1) != 0)
      conclude(p, {Proof::Outcome::kUndecided, "it is about averages, which the proof forgets"},
               {});
  for (std::size_t p = 0; p < kPropertyCount; ++p)
    if (needs_strengthening(p)) prove_set(wanted_ & PropertySet{1} << p, invariants_hold_);
  return finish();
}

int Prove::finish() {
  if (!options_.smt2.empty()) write_file(options_.smt2, log_.text());
  bool all = true;
  Json out = verdicts_json(schedule_);
  Json universe = universe_json(options_, schedule_, "boot, any number of events");
  universe["duration_ns_max"] = nullptr;
  universe["grid_ns"] = kNsPerUnit;
  if (log_.cross_checks())
    out["second_solver"] = {{"agree", log_.result().agree}, {"undecided", log_.result().undecided}};
  for (const auto& [property, verdict] : verdicts_) {
    all = all && verdict.verdict == "proved";
    if (options_.json) {
      out["verdicts"].push_back(verdict_json(verdict, universe));
    } else {
      print_verdict(verdict);
    }
  }
  if (options_.json) {
    put(out.dump(2) + "\n");
  } else if (log_.cross_checks()) {
    print("cvc5 agrees on {} queries, gave up on {}\n", log_.result().agree,
          log_.result().undecided);
  }
  return all ? kHolds : kUndecided;
}

}  // namespace

int run_prove(const ProveOptions& options) {
  catch_interrupts();
  return Prove(options).run();
}

}  // namespace schedcheck::cli
