// SPDX-License-Identifier: Apache-2.0
/// \file explore: options, verdicts, counterexamples.
#include "cli/explore_command.hpp"

#include <unistd.h>

#include <sstream>
#include <thread>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/solver_setup.hpp"
#include "counterexamples/replay.hpp"
#include "counterexamples/schedule_json.hpp"
#include "model/input_error.hpp"
#include "model/limits.hpp"
#include "properties/catalogue.hpp"
#include "properties/run_schedule.hpp"
#include "solver/explore/event_universe.hpp"
#include "solver/explore/explore.hpp"
#include "solver/explore/fingerprint_set.hpp"
#include "solver/time_budget.hpp"

namespace schedcheck::cli {
namespace {

constexpr const char* kFolder = "counterexamples-found";

std::int64_t whole_number(std::string_view text, const std::string& message) {
  const std::optional<std::int64_t> value = parse_whole(text);
  if (!value || *value < 1) throw InputError(message);
  return *value;
}

/// "4G", "500M" or bytes.
std::uint64_t parse_memory(const std::string& text) {
  const std::string message =
      "--memory '" + text + "': give bytes, or a whole number with K, M or G, from 1M to 1024G";
  if (text.empty()) throw InputError(message);
  const std::string units = "KMG";
  const std::size_t unit = units.find(text.back());
  std::string_view digits = text;
  if (unit != std::string::npos) digits.remove_suffix(1);
  const auto value = static_cast<std::uint64_t>(whole_number(digits, message));
  const unsigned shift = unit == std::string::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
  if (value > (std::uint64_t{1} << 40) >> shift || value << shift < 1 << 20)
    throw InputError(message);
  return value << shift;
}

std::vector<std::string> parts(const std::string& list) {
  std::vector<std::string> result;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) result.push_back(part);
  return result;
}

EventUniverse parse_universe(const ExploreOptions& o) {
  EventUniverse universe;
  for (const std::string& name : parts(o.events)) {
    const auto* const last = kEventNames.begin() + kQueryEventKinds;
    const auto* const at = std::find(kEventNames.begin(), last, name);
    if (at == last)
      throw InputError("--events '" + name +
                       "': take of fork, exit, block, wake, set_affinity, update_blocked, run");
    const auto kind = static_cast<EventKind>(at - kEventNames.begin());
    if (std::find(universe.kinds.begin(), universe.kinds.end(), kind) == universe.kinds.end())
      universe.kinds.push_back(kind);
  }
  if (universe.kinds.empty()) throw InputError("--events '': give at least one kind of event");
  if (o.durations.empty()) return universe;
  universe.durations_ns.clear();
  constexpr std::int64_t kLongest = 1'000'000'000;
  for (const std::string& text : parts(o.durations)) {
    const std::string message = "--durations '" + text + "': give ns, 1..1000000000";
    universe.durations_ns.push_back(whole_number(text, message));
    if (universe.durations_ns.back() > kLongest) throw InputError(message);
  }
  return universe;
}

class Explore {
 public:
  explicit Explore(const ExploreOptions& options);
  int run();

 private:
  void start_from_file();
  void judge(std::size_t property, const ExploreOutcome& outcome);
  void report_violation(SolverVerdict& verdict, const std::vector<Event>& events);
  void require_cover_and_canary(SolverVerdict& verdict, const ExploreOutcome& outcome);
  void add_counts(SolverVerdict& verdict, const ExploreOutcome& outcome) const;
  [[nodiscard]] Json universe() const;
  int finish();

  const ExploreOptions& options_;
  EventUniverse events_;
  ExploreQuery query_;
  ExploreResult result_;
  std::vector<SolverVerdict> verdicts_;
  TimeBudget time_;
};

Explore::Explore(const ExploreOptions& o)
    : options_(o), events_(parse_universe(o)), time_(parse_duration(o.timeout, "--timeout")) {
  query_.memory = parse_memory(o.memory);
  query_.start = empty_schedule(o.kernel, o.topology, o.tick_ns, o.tasks);
  query_.start.round_robin = !o.eevdf;
  if (!o.from.empty()) start_from_file();
  const Model model = make_model(query_.start);
  query_.properties = judged_on(parse_properties(o.property), o.property,
                                parse_kernel(query_.start.kernel).version);
  if (!model.eevdf) {
    const PropertySet cannot = query_.properties & (kEevdfProperties | kGroupProperties);
    if (cannot != 0 && o.property != "all")
      throw InputError(fmt::format(
          "{}: needs virtual time or groups; add --eevdf, or --from a file that has them",
          property_catalogue()[static_cast<std::size_t>(std::countr_zero(cannot))].name));
    query_.properties &= ~cannot;
  }
  query_.alphabet = explore_alphabet(query_.start, events_);
  constexpr std::size_t kMostEvents = 60'000;
  if (query_.alphabet.size() > kMostEvents)
    throw InputError(fmt::format("{} events in the alphabet, at most {}; take fewer --tasks",
                                 query_.alphabet.size(), kMostEvents));
  query_.depth = o.depth;
  query_.jobs = o.jobs > 0 ? o.jobs : static_cast<int>(std::thread::hardware_concurrency());
  query_.symmetry = !o.no_symmetry;
  query_.count_last = o.count_last;
  query_.time = time_.left();
  query_.stop = interrupted;
  if (!o.out.empty()) require_folder(o.out);
}

void Explore::start_from_file() {
  Schedule warm = load_schedule(options_.from);
  require_enabled(replay(warm, 0), warm, options_.from);
  warm.preamble.insert(warm.preamble.end(), warm.events.begin(), warm.events.end());
  warm.events.clear();
  warm.finding.reset();
  query_.start = warm;
}

Json Explore::universe() const {
  Json limits = Json::array();
  for (const LimitInfo& limit : limits_in_force(query_.start.round_robin))
    limits.push_back(limit.id);
  Json kinds = Json::array();
  for (const EventKind kind : events_.kinds) kinds.push_back(event_name(kind));
  return {{"cpus", make_model(query_.start).topology.nr_cpus},
          {"tasks", query_.start.max_tasks},
          {"events", kinds},
          {"alphabet", query_.alphabet.size()},
          {"durations_ns", events_.durations_ns},
          {"affinities", "one CPU or all"},
          {"tick_ns", query_.start.tick_ns},
          {"start", options_.from.empty() ? "boot" : options_.from},
          {"limits", limits}};
}

void Explore::add_counts(SolverVerdict& verdict, const ExploreOutcome& outcome) const {
  Json levels = Json::array();
  for (const ExploreLevel& level : result_.levels)
    levels.push_back({{"states", level.states}, {"transitions", level.transitions}});
  verdict.more = {{"antecedent_count", outcome.relevant},
                  {"states", result_.states},
                  {"transitions", result_.transitions},
                  {"levels", levels},
                  {"states_not_expanded", result_.unexpanded},
                  {"collision_probability_below", collision_bound(result_.states)},
                  {"bytes", result_.bytes},
                  {"jobs", query_.jobs},
                  {"cpu_symmetries", result_.symmetries},
                  {"task_symmetry", result_.sorted_tasks   ? "living and dead"
                                    : result_.dropped_dead ? "dead"
                                                           : "none"}};
}

/// The plain run must agree with the search.
void Explore::report_violation(SolverVerdict& verdict, const std::vector<Event>& events) {
  Schedule schedule = query_.start;
  schedule.events = events;
  const RunResult run = run_schedule(make_model(schedule), schedule,
                                     PropertySet{1} << verdict.property, verdict.property);
  const Violation* violation = run.of(verdict.property);
  if (violation == nullptr || run.skipped > 0 ||
      violation->event != static_cast<int>(events.size()))
    throw std::logic_error("the native run does not confirm what explore found");
  verdict.verdict = "violated";
  verdict.why = "found: " + events_text(events);
  verdict.events = violation->event;
  verdict.depth = violation->event;
  const std::string name(property_catalogue()[verdict.property].name);
  schedule.finding =
      Finding{name, violation->event, violation->numbers, "explore", 0, "one-minimal"};
  const std::string folder = options_.out.empty() ? kFolder : options_.out;
  std::error_code error;  // write_file says what is wrong.
  std::filesystem::create_directories(folder, error);
  verdict.counterexample =
      folder + "/" +
      as_file_name(fmt::format("explore-{}-{}-{}.json", name, query_.start.kernel,
                               options_.from.empty() ? query_.start.topology : "from-file"));
  write_file(verdict.counterexample, to_json(schedule));
}

void Explore::require_cover_and_canary(SolverVerdict& verdict, const ExploreOutcome& outcome) {
  if (!outcome.cover) {
    verdict.verdict = "vacuous";
    verdict.why = "no schedule within the bound makes the antecedent true";
    return;
  }
  verdict.cover = "the antecedent is true after: " + events_text(*outcome.cover);
  const std::optional<Canary> canary =
      canary_for(verdict.property, make_model(query_.start).kernel);
  std::string missing = "no fault is known that would break it";
  if (canary) {
    ExploreQuery faulty = query_;
    faulty.properties = PropertySet{1} << verdict.property;
    faulty.mutant = canary->mutant;
    faulty.kernel = canary->kernel;
    faulty.time = time_.left();
    faulty.depth = result_.depth;
    const ExploreResult found = explore(faulty);
    if (const auto& violation = found.properties.begin()->second.violation) {
      verdict.canary = canary_found(*canary, violation->size());
      return;
    }
    missing = found.cut_short.empty() ? canary_not_found(*canary)
                                      : fmt::format("the search for the fault {} was cut short: {}",
                                                    canary->name, found.cut_short);
  }
  verdict.verdict = "undecided";
  verdict.why = fmt::format("no violation up to {} events, but {}", result_.depth, missing);
}

void Explore::judge(std::size_t property, const ExploreOutcome& outcome) {
  SolverVerdict verdict;
  verdict.property = property;
  verdict.engine = "explore";
  verdict.documented = (documented_failures(make_model(query_.start)) >> property & 1) != 0;
  if (outcome.violation) {
    report_violation(verdict, *outcome.violation);
  } else if (!result_.cut_short.empty()) {
    verdict.verdict = "undecided";
    verdict.depth = result_.depth;
    verdict.why = fmt::format(
        "no violation up to {} events; then the {} came: {} of {} states were not gone on from",
        result_.depth, result_.cut_short, result_.unexpanded, result_.states);
    if (outcome.cover)
      verdict.cover = "the antecedent is true after: " + events_text(*outcome.cover);
  } else {
    verdict.verdict = "holds up to bound";
    verdict.depth = result_.closed ? options_.depth : result_.depth;
    verdict.why =
        fmt::format("{} states, {} events between them{}", result_.states, result_.transitions,
                    result_.closed ? "; no more states exist in this universe" : "");
    require_cover_and_canary(verdict, outcome);
  }
  verdict.seconds = time_.used().count();
  add_counts(verdict, outcome);
  verdicts_.push_back(std::move(verdict));
}

int Explore::run() {
  if (!options_.json)
    note("exploring {} {}: up to {} events of {}, {} tasks, {} threads\n", query_.start.kernel,
         query_.start.topology, query_.depth, query_.alphabet.size(), query_.start.max_tasks,
         query_.jobs);
  if (isatty(STDERR_FILENO) != 0 && !options_.json)
    query_.progress = [this](int level, std::uint64_t states, std::uint64_t transitions) {
      const double rate = static_cast<double>(transitions) / std::max(time_.used().count(), 1e-3);
      note("  {} events: {} states, {:.0f} events/s; the next level is about {:.1f} s\n", level,
           states, rate, static_cast<double>(states * query_.alphabet.size()) / 2 / rate);
    };
  result_ = explore(query_);
  for (const auto& [property, outcome] : result_.properties) judge(property, outcome);
  return finish();
}

int Explore::finish() {
  Json out = verdicts_json(query_.start);
  const Json universe_now = universe();
  bool violated = false;
  bool open = verdicts_.empty();
  for (const SolverVerdict& verdict : verdicts_) {
    violated = violated || verdict.verdict == "violated";
    open = open || verdict.verdict == "undecided" || verdict.verdict == "vacuous";
    if (options_.json) {
      out["verdicts"].push_back(verdict_json(verdict, universe_now));
    } else {
      print_verdict(verdict);
    }
  }
  if (options_.json) {
    put(out.dump(2) + "\n");
  } else {
    print("universe: {}\n", universe_now.dump());
    print(
        "{} states, {} events, {} CPU renamings; fingerprints of 64 bits: two states taken for "
        "one with probability < {:.1e}\n",
        result_.states, result_.transitions, result_.symmetries, collision_bound(result_.states));
  }
  return violated ? kViolated : open ? kUndecided : kHolds;
}

}  // namespace

int run_explore(const ExploreOptions& options) {
  catch_interrupts();
  return Explore(options).run();
}

void add_explore_command(CLI::App& app, int& status) {
  static ExploreOptions o;
  CLI::App* e = app.add_subcommand("explore", "Try every schedule up to a length, shortest first");
  e->add_option("--property", o.property, "all, or names separated by commas")->required();
  e->add_option("--kernel", o.kernel, "NAME[,switch=value..]; `list kernels`")
      ->capture_default_str();
  e->add_option("--topology", o.topology, "smp:N, llc:AxB, .., FILE.json")->capture_default_str();
  e->add_option("--tasks", o.tasks, "Tasks, initial ones and children")
      ->check(whole(1, 64))
      ->capture_default_str();
  e->add_option("--depth", o.depth, "Events of the longest schedule")
      ->check(whole(1, 64))
      ->capture_default_str();
  e->add_option("--events", o.events, "Kinds of events")->capture_default_str();
  e->add_option("--durations", o.durations,
                "ns of runs; default 1024,48128,524288,1048576,4194304");
  e->add_option("--tick-ns", o.tick_ns, "Tick in ns; 0: none")
      ->check(whole(0, 1'000'000'000))
      ->capture_default_str();
  e->add_flag("--eevdf", o.eevdf, "Pick by virtual time, not in turns (limit L1)");
  CLI::Option* from =
      e->add_option("--from", o.from, "Go on where this schedule file ends")->check(not_empty());
  for (const char* option : {"--kernel", "--topology", "--tasks", "--tick-ns", "--eevdf"})
    from->excludes(e->get_option(option));
  e->add_option("--memory", o.memory, "Of states: 500M, 4G")->capture_default_str();
  e->add_option("--jobs", o.jobs, "Threads; 0: one per CPU")
      ->check(whole(0, 64))
      ->capture_default_str();
  e->add_flag("--no-symmetry", o.no_symmetry, "Tell apart what differs by numbers only");
  e->add_flag("--count-last", o.count_last, "Tell apart the states after the last event too");
  e->add_option("--timeout", o.timeout, "Only truncates: 60s, 2m; 0: none")->capture_default_str();
  e->add_option("--out", o.out, "Folder for counterexamples")->check(not_empty());
  e->add_flag("--json", o.json, "One JSON object on stdout");
  e->footer("Example: schedcheck explore --kernel v5.8 --property fork-burst-spreads --depth 5");
  e->callback([&status] { status = run_explore(o); });
}

}  // namespace schedcheck::cli
