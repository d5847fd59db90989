// SPDX-License-Identifier: Apache-2.0
/// \file solve: bounded model checking from boot, from a schedule's end or from any state.
#include <thread>

#include "cli/output.hpp"
#include "cli/solver_setup.hpp"
#include "counterexamples/minimize.hpp"
#include "counterexamples/replay.hpp"
#include "counterexamples/schedule_json.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"
#include "properties/random/engine.hpp"
#include "properties/run_schedule.hpp"
#include "solver/induction.hpp"
#include "solver/time_budget.hpp"

namespace schedcheck::cli {
namespace {

/// Sequences up to this length are searched before a proof is tried: they take seconds.
constexpr int kShallow = 2;
constexpr const char* kDefaultFolder = "counterexamples-found";

class Solve {
 public:
  explicit Solve(const SolveOptions& options);
  int run();

 private:
  void start_from_file();
  void choose_file();
  void search();
  bool proof_covers();
  void report_violation();
  void report_any_state();
  void report_bound(const std::string& how);
  void require_cover_and_canary();
  [[nodiscard]] Schedule as_schedule(const Witness& witness) const;
  void write_counterexample(Schedule schedule, const std::string& engine);
  [[nodiscard]] bool any() const { return options_.from == "any"; }
  int finish();

  const SolveOptions& options_;
  std::size_t property_;
  Schedule base_;
  BoundedQuery query_;
  BoundedResult result_;
  QueryLog log_;
  SolverVerdict verdict_;
  std::string file_;  ///< For the counterexample.
  TimeBudget time_;
};

Solve::Solve(const SolveOptions& options)
    : options_(options),
      property_(property_index(options.property)),
      base_(solver_schedule(options)),
      log_(!options.smt2.empty(), options.cross_check),
      time_(parse_duration(options.timeout, "--timeout")) {
  require_judged(property_);
  choose_file();
  if (options.from != "boot" && options.free_averages)
    throw InputError("--free-averages is about the initial task of boot; leave out --from");
  if (any() && needs_balances(property_))
    throw InputError(
        fmt::format("{}: a free state has no ledger balances; use --from boot", options.property));
  if (!any() && options.from != "boot") start_from_file();
  query_.model = solver_model(base_, property_);
  query_.property = property_;
  query_.depth = options.depth;
  query_.universe = solver_universe(options);
  query_.start = any()                   ? StartKind::kAny
                 : options.free_averages ? StartKind::kFreeAverages
                                         : StartKind::kGiven;
  query_.tasks = base_.tasks;
  query_.given = start_machine(query_.model, base_);
  if (log_.wanted())
    query_.dump = [this](const std::string& text, Answer answer) { log_.add(text, answer); };
  query_.stop = interrupted;
  verdict_.property = property_;
  verdict_.engine = "bounded model checking (Z3)";
  verdict_.documented = (documented_failures(query_.model) >> property_ & 1) != 0;
}

/// Known to be writable before the work; the default folder is made only for a schedule.
void Solve::choose_file() {
  file_ = options_.out;
  std::string probe = file_;
  if (file_.empty()) {
    probe =
        as_file_name(fmt::format("solve-{}-{}-{}.json", options_.property, base_.kernel,
                                 any() || options_.from == "boot" ? base_.topology : "from-file"));
    file_ = std::string(kDefaultFolder) + "/" + probe;
    if (std::filesystem::exists(kDefaultFolder)) probe = file_;
  }
  require_writable(probe);
  if (file_ == options_.smt2) throw InputError("--out and --smt2 name the same file; give two");
}

/// The file's schedule has happened already; its topology, kernel and tick are the query's.
void Solve::start_from_file() {
  const std::int64_t grid_ns = options_.grid_units * kNsPerUnit;
  for (const auto& [given, name] : {std::pair{options_.topology_given, "--topology"},
                                    std::pair{options_.tick_given, "--tick-ns"}})
    if (given)
      throw InputError(fmt::format("{} comes from the file of --from; leave it out", name));
  Schedule warm =
      load_schedule(options_.from, options_.kernel_given ? base_.kernel : std::string());
  require_enabled(replay(warm, 0), warm, options_.from);
  if (make_model(warm).topology.nr_cpus > 8)
    throw InputError(options_.from + ": more than 8 CPUs, the solver takes at most 8");
  warm.preamble.insert(warm.preamble.end(), warm.events.begin(), warm.events.end());
  warm.events.clear();
  warm.finding.reset();
  warm.max_tasks = std::max(options_.tasks, static_cast<int>(warm.tasks.size()));
  for (const Event& event : warm.preamble) {
    if (event.kind == EventKind::kFork && warm.max_tasks < 8) ++warm.max_tasks;
    if (event.duration_ns % grid_ns != 0 || event.after_ns % grid_ns != 0)
      throw InputError(
          fmt::format("{}: '{}' is off the time grid of {} ns; the solver needs times on it",
                      options_.from, describe(event), grid_ns));
  }
  if (warm.tick_ns % grid_ns != 0) {
    if (!options_.json)
      note("{}: ticks of {} ns are off the time grid; solving without ticks\n", options_.from,
           warm.tick_ns);
    warm.tick_ns = 0;
  }
  base_ = warm;
}

/// Shallow first; deeper only if a proof does not make that unnecessary.
void Solve::search() {
  BoundedQuery shallow = query_;
  shallow.depth = std::min(query_.depth, kShallow);
  shallow.time = time_.left();
  result_ = check_bounded(shallow);
  if (result_.outcome == BoundedResult::Outcome::kViolated || query_.depth <= kShallow) return;
  const bool provable = !needs_averages(property_) && !needs_balances(property_);
  if (!any() && provable && proof_covers()) return;
  BoundedQuery deep = query_;
  deep.time = time_.left();
  std::optional<Witness> cover = std::move(result_.cover);
  result_ = check_bounded(deep);
  if (!result_.cover) result_.cover = std::move(cover);
}

/// Whether induction shows the property for any number of events. The property's own step first:
/// it is cheap, and without it the invariants are of no use.
bool Solve::proof_covers() {
  InductionOptions options;
  options.time = time_.left();
  options.start = &query_.given;
  options.stop = interrupted;
  if (log_.wanted())
    options.observe = [this](const std::string&, const std::string& text, Answer answer) {
      log_.add(text, answer);
    };
  const PropertySet alone = PropertySet{1} << property_;
  options.invariants_known = true;
  const Induction step = prove_by_induction(query_.model, alone, options);
  if (step.properties.at(property_).outcome != Proof::Outcome::kProved) return false;
  options.invariants_known = false;
  options.time = time_.left();
  const Induction all = prove_by_induction(query_.model, alone, options);
  if (all.properties.at(property_).outcome != Proof::Outcome::kProved) return false;
  result_.outcome = BoundedResult::Outcome::kHolds;
  result_.depth = query_.depth;
  result_.undecided_because.clear();
  verdict_.engine = "induction (Z3)";
  verdict_.conditions = all.conditions;
  report_bound(fmt::format("covered by a proof: {} queries show it for any number of events",
                           all.steps.size()));
  return true;
}

void Solve::report_bound(const std::string& how) {
  verdict_.verdict = any() ? "holds from every state satisfying I" : "holds up to bound";
  verdict_.why = how;
  verdict_.depth = result_.depth;
}

Schedule Solve::as_schedule(const Witness& witness) const {
  Schedule schedule = base_;
  schedule.events = witness.events;
  for (std::size_t t = 0; t < witness.averages.size(); ++t)
    schedule.tasks[t].util_avg = witness.averages[t];
  return schedule;
}

void Solve::write_counterexample(Schedule schedule, const std::string& engine) {
  const StillFails fails = violates(property_);
  if (fails(schedule) == 0)
    throw std::logic_error("the solver's schedule does not violate the property natively");
  const std::size_t found = schedule.events.size();
  Schedule small = minimize(std::move(schedule), fails, {.stop = interrupted});
  const Model model = make_model(small);
  const RunResult run = run_schedule(model, small, PropertySet{1} << property_, property_);
  const Violation* violation = run.of(property_);
  const bool shortest =
      result_.shortest && engine == "solver" && small.events.size() == found && !any();
  small.finding = Finding{std::string(property_catalogue()[property_].name),
                          violation->event,
                          violation->numbers,
                          engine,
                          0,
                          shortest ? "shortest up to bound" : small.finding->minimality};
  std::error_code error;  // write_file says what is wrong.
  if (options_.out.empty()) std::filesystem::create_directories(kDefaultFolder, error);
  write_file(file_, to_json(small));
  verdict_.counterexample = file_;
  verdict_.events = static_cast<int>(small.events.size());
}

void Solve::report_violation() {
  if (!confirmed_natively(query_.model, property_, *result_.witness))
    throw std::logic_error("the native model does not confirm the solver's witness");
  verdict_.depth = result_.depth;
  if (any()) return report_any_state();
  verdict_.verdict = "violated";
  verdict_.why = "found: " + events_text(result_.witness->events);
  write_counterexample(as_schedule(*result_.witness), "solver");
}

/// A state that satisfies the invariants need not be reachable: a run from boot is looked for.
void Solve::report_any_state() {
  verdict_.state = state_text(query_.model, result_.witness->start);
  const std::string there = "from the state below: " + events_text(result_.witness->events);
  RandomOptions random;
  random.cases = 20'000;
  random.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  random.time = time_.left();
  random.stop = interrupted;
  Schedule base = base_;
  base.max_tasks = 16;
  const RandomReport report =
      check_random(make_setup(base, false), PropertySet{1} << property_, random);
  const PropertyOutcome& outcome = report.properties[property_];
  if (outcome.violated) {
    write_counterexample(outcome.failing, "random");
    verdict_.verdict = "violated";
    verdict_.why = there +
                   "; a violation of the property is reachable: realised from boot in the "
                   "file's schedule";
    return;
  }
  verdict_.verdict = "not shown reachable";
  verdict_.why =
      there + fmt::format("; {} random schedules from boot do not violate it", outcome.cases);
}

void Solve::require_cover_and_canary() {
  if (result_.cover) {
    if (!confirmed_natively(query_.model, property_, *result_.cover, /*relevant=*/true))
      throw std::logic_error("the native model does not confirm the solver's cover witness");
    verdict_.cover =
        fmt::format("the antecedent is true after: {}", events_text(result_.cover->events));
  } else {
    verdict_.verdict = "vacuous";
    verdict_.why = "no schedule within the bound makes the antecedent true";
    return;
  }
  BoundedQuery canary = query_;
  canary.depth = std::min(query_.depth, 4);
  canary.time = time_.left();
  std::string missing;
  verdict_.canary = canary_text(canary, missing);
  if (verdict_.canary) return;
  verdict_.verdict = "undecided";
  verdict_.why = "no violation up to " + std::to_string(result_.depth) + " events, but " + missing;
}

int Solve::run() {
  if (!options_.json)
    note("solving {} on {} {} from {}: up to {} events, {} tasks, times on a grid of {} ns\n",
         options_.property, base_.kernel, base_.topology, options_.from, options_.depth,
         base_.max_tasks, options_.grid_units * kNsPerUnit);
  search();
  if (result_.outcome == BoundedResult::Outcome::kViolated) {
    report_violation();
  } else {
    if (result_.outcome == BoundedResult::Outcome::kUndecided) {
      verdict_.verdict = "undecided";
      verdict_.why = fmt::format("no violation up to {} events; beyond: {}", result_.depth,
                                 result_.undecided_because);
      verdict_.depth = result_.depth;
    } else {
      if (verdict_.verdict.empty())
        report_bound(fmt::format("{} sequences of event kinds, {} queries", result_.sequences,
                                 result_.queries));
      require_cover_and_canary();
    }
  }
  return finish();
}

int Solve::finish() {
  verdict_.seconds = time_.used().count();
  if (!options_.smt2.empty()) write_file(options_.smt2, log_.text());
  const std::string start = any() ? "every state satisfying the state invariants, averages at most "
                                    "4 windows old"
                            : options_.free_averages ? "boot with a free util_avg of task 0"
                                                     : options_.from;
  if (log_.cross_checks())
    verdict_.more["second_solver"] = {{"agree", log_.result().agree},
                                      {"undecided", log_.result().undecided}};
  if (options_.json) {
    Json out = verdicts_json(base_);
    out["verdicts"].push_back(verdict_json(verdict_, universe_json(options_, base_, start)));
    put(out.dump(2) + "\n");
  } else {
    print_verdict(verdict_);
    if (log_.cross_checks())
      print("  cvc5 agrees on {} queries, gave up on {}\n", log_.result().agree,
            log_.result().undecided);
  }
  if (verdict_.verdict == "violated") return kViolated;
  return verdict_.verdict.starts_with("holds") ? kHolds : kUndecided;
}

}  // namespace

int run_solve(const SolveOptions& options) {
  catch_interrupts();
  return Solve(options).run();
}

}  // namespace schedcheck::cli
