// SPDX-License-Identifier: Apache-2.0
/// \file prove: induction over single events, and over the groups of a fork for any CPU count.
#include <bit>
#include <map>

#include "cli/any_cpu_count.hpp"
#include "cli/output.hpp"
#include "cli/solver_setup.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"
#include "properties/run_schedule.hpp"
#include "solver/k_induction.hpp"
#include "solver/time_budget.hpp"
#include "solver/well_formed.hpp"

namespace schedcheck::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kInduction = "induction (Z3)";

class Prove {
 public:
  explicit Prove(const ProveOptions& options);
  int run();

 private:
  void prove_set(PropertySet set, bool invariants_known);
  void conclude(std::size_t property, const Proof& proof, const Induction& induction);
  void check_proof(SolverVerdict& verdict);
  void explain_failure(SolverVerdict& verdict, const std::string& because);
  static void counterexample_to_induction(SolverVerdict& verdict, const BoundedQuery& query,
                                          const Witness& witness);
  void k_induction(SolverVerdict& verdict);
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
  if (wanted_ == kEveryProperty) {
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
  verdict.engine = kInduction;
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
  add_any_cpu_count(verdict, make_model(schedule_).kernel, log_, time_.left());
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
  verdict.verdict = "undecided";
  verdict.why = because;
  verdict.engine = "bounded model checking (Z3)";
  if (options_.k > 1) return k_induction(verdict);
  BoundedQuery query = one_event(verdict.property);
  const bool by_position = decided_by_position(verdict.property);
  const BoundedResult result = by_position ? check_each_position(query) : check_bounded(query);
  if (result.outcome == BoundedResult::Outcome::kViolated)
    return counterexample_to_induction(verdict, query, *result.witness);
  if (result.outcome == BoundedResult::Outcome::kUndecided) {
    verdict.why += "; " + result.undecided_because;
    return;
  }
  if (by_position) {
    query.theory = Theory::kInteger;
    query.universe.state.updated_at = 0;
  }
  std::string missing;
  verdict.canary = canary_text(query, missing);
  if (!verdict.canary || !result.cover) return;
  verdict.cover = "the antecedent is true after: " + events_text(result.cover->events);
  verdict.verdict = "holds from every state satisfying I";
  verdict.depth = 1;
  verdict.why = by_position
                    ? fmt::format(
                          "one event from any state, {} queries, one at least for each of {} "
                          "positions in a window; whether the ranges of averages are kept is not "
                          "proved",
                          result.queries, kWindowUnits / options_.grid_units)
                    : "one event from any state whose averages are at most 4 windows old; whether "
                      "their ranges are kept is not proved";
}

void Prove::counterexample_to_induction(SolverVerdict& verdict, const BoundedQuery& query,
                                        const Witness& witness) {
  if (!confirmed_natively(query.model, verdict.property, witness))
    throw std::logic_error("the native model does not confirm the counterexample to induction");
  verdict.why = "not proved: counterexample to induction: " + events_text(witness.events) +
                " from a state that is not shown reachable";
  verdict.state = state_text(query.model, witness.start);
}

/// Step and base with exact numbers; a violation from boot is one.
void Prove::k_induction(SolverVerdict& verdict) {
  BoundedQuery query = one_event(verdict.property);
  const BoundedQuery step = query;
  query.start = StartKind::kGiven;
  query.only_last = false;
  query.given = start_machine(query.model, schedule_);
  const KInduction result = prove_by_k_induction(query);
  verdict.engine = "k-induction (Z3)";
  if (result.proof.outcome != Proof::Outcome::kProved) verdict.why = result.proof.because;
  if (result.step.witness) return counterexample_to_induction(verdict, step, *result.step.witness);
  if (result.base.witness) {
    if (!confirmed_natively(query.model, verdict.property, *result.base.witness))
      throw std::logic_error("the native model does not confirm the solver's witness");
    verdict.verdict = "violated";
    verdict.depth = result.base.depth;
    verdict.why += ": " + events_text(result.base.witness->events);
  }
  if (result.proof.outcome != Proof::Outcome::kProved) return;
  const std::optional<Witness>& cover = result.base.cover ? result.base.cover : result.step.cover;
  std::string missing = "no event makes the antecedent true";
  if (cover) {
    verdict.cover = "the antecedent is true after: " + events_text(cover->events);
    verdict.canary = canary_text(step, missing);
  }
  verdict.why = fmt::format(
      "the first {} events from the start ({} queries), any {} in a row from any state ({} "
      "queries)",
      options_.k, result.base.queries, options_.k, result.step.queries);
  if (!verdict.canary) {
    if (!cover) verdict.verdict = "vacuous";
    verdict.why += ", but " + missing;
    return;
  }
  verdict.verdict = "proved";
  verdict.conditions = {
      fmt::format("times on a grid of {} ns, runs of at most {} windows, weights of {}",
                  options_.grid_units * kNsPerUnit, options_.windows, kNice0Weight),
      "as long as averages are at most 4 windows old and in the ranges of free states; that they "
      "stay so is not proved",
      "L-ATOMIC: an event ends before the next begins"};
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
  bool violated = false;
  Json out = verdicts_json(schedule_);
  const Json bounded = universe_json(options_, schedule_, "every state satisfying I");
  Json unbounded = universe_json(options_, schedule_, "boot, any number of events");
  unbounded["duration_ns_max"] = nullptr;
  unbounded["grid_ns"] = kNsPerUnit;
  if (log_.cross_checks())
    out["second_solver"] = {{"agree", log_.result().agree}, {"undecided", log_.result().undecided}};
  for (const auto& [property, verdict] : verdicts_) {
    all = all && verdict.verdict == "proved";
    violated = violated || verdict.verdict == "violated";
    if (options_.json) {
      out["verdicts"].push_back(
          verdict_json(verdict, verdict.engine == kInduction ? unbounded : bounded));
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
  if (violated) return kViolated;
  return all ? kHolds : kUndecided;
}

}  // namespace

int run_prove(const ProveOptions& options) {
  catch_interrupts();
  return Prove(options).run();
}

}  // namespace schedcheck::cli
