// SPDX-License-Identifier: Apache-2.0
/// \file check: the property suite on random schedules.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "cli/commands.hpp"
#include "counterexamples/explain.hpp"
#include "counterexamples/minimize.hpp"
#include "counterexamples/schedule_json.hpp"
#include "model/input_error.hpp"
#include "model/limits.hpp"
#include "properties/catalogue.hpp"
#include "properties/random/engine.hpp"

namespace schedcheck::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct Verdict {
  std::size_t property = 0;
  std::string word;
  bool documented = false;
  PropertyOutcome outcome;
  std::optional<Schedule> counterexample;
  std::string file;
  double seconds = 0;
};

std::string verdict_word(const PropertyOutcome& outcome) {
  if (outcome.violated) return "violated";
  if (outcome.cases == 0) return "undecided";
  return outcome.relevant == 0 ? "vacuous" : "not violated in N cases";
}

/// Minimizes the case, lets the native run confirm it and writes it down.
void make_counterexample(Verdict& verdict, const CheckOptions& o, const Schedule& base,
                         std::uint64_t seed) {
  const auto start = Clock::now();
  const StillFails fails = violates(verdict.property);
  const std::string_view name = property_catalogue()[verdict.property].name;
  if (fails(verdict.outcome.failing) == 0)
    throw std::logic_error(fmt::format("{}: the failing case does not replay", name));
  Schedule small = minimize(verdict.outcome.failing, fails, {.stop = interrupted});
  const Model model = make_model(small);
  const RunResult run =
      run_schedule(model, small, PropertySet{1} << verdict.property, verdict.property);
  const Violation* violation = run.of(verdict.property);
  small.finding =
      Finding{std::string(name),        violation->event, violation->numbers, "random", seed,
              small.finding->minimality};
  const auto path = std::filesystem::path(o.out) /
                    as_file_name(fmt::format("{}-{}-{}.json", name, base.kernel, base.topology));
  std::error_code error;
  std::filesystem::create_directories(o.out, error);  // write_file says what is wrong.
  write_file(path, to_json(small));
  verdict.file = path.string();
  verdict.counterexample = std::move(small);
  verdict.seconds += std::chrono::duration<double>(Clock::now() - start).count();
}

Json universe(const CheckOptions& o, const CaseSetup& setup) {
  Json limits = Json::array();
  for (const LimitInfo& limit : limits_in_force(false)) limits.push_back(limit.id);
  Json events = Json::array();
  for (const std::string_view name : kEventNames) events.push_back(name);
  return {{"cpus", setup.model.topology.nr_cpus},
          {"tasks", setup.model.max_tasks},
          {"events", events},
          {"elements_per_case", o.events},
          {"tick_ns", o.tick_ns},
          {"start", "boot for the first 8192 cases, then also explicit averages"},
          {"seed", o.seed},
          {"limits", limits}};
}

Json verdict_json(const Verdict& v, const Json& space) {
  return {{"property", property_catalogue()[v.property].name},
          {"verdict", v.word},
          {"documented", v.documented},
          {"events", v.counterexample ? Json(v.counterexample->events.size()) : Json()},
          {"depth", nullptr},
          {"cases", v.outcome.cases},
          {"engine", "random"},
          {"seconds", v.seconds},
          {"antecedent_count", v.outcome.relevant},
          {"universe", space},
          {"cover", nullptr},
          {"canary", nullptr},
          {"minimality", v.counterexample ? Json(v.counterexample->finding->minimality) : Json()},
          {"numbers", v.counterexample ? Json(v.counterexample->finding->numbers) : Json()},
          {"counterexample", v.file.empty() ? Json() : Json(v.file)}};
}

void print_table(const std::vector<Verdict>& verdicts) {
  print("{:<36} {:<34} {:>10}  {}\n", "property", "verdict", "relevant", "");
  for (const Verdict& v : verdicts) {
    std::string text = v.word;
    std::string colour = "32";
    if (v.word == "violated") {
      text = fmt::format("violated at event {}{}", v.counterexample->finding->event,
                         v.documented ? " (documented)" : " (new)");
      colour = v.documented ? "33" : "31";
    } else if (v.word == "not violated in N cases") {
      text = fmt::format("not violated in {} cases", v.outcome.cases);
    } else {
      colour = "33";
    }
    const std::string padded = fmt::format("{:<34}", text);
    print("{:<36} {} {:>10}  {}\n", property_catalogue()[v.property].name, paint(padded, colour),
          v.outcome.relevant, v.file);
  }
}

std::function<bool(std::uint64_t)> progress_bar(std::uint64_t cases, bool quiet) {
  const auto start = Clock::now();
  const bool terminal = !quiet && isatty(STDERR_FILENO) != 0;
  return [=](std::uint64_t done) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    if (terminal && done > 0) {
      const double rate = static_cast<double>(done) / std::max(elapsed, 1e-3);
      note("\r{} of {} cases, {:.0f}/s, {:.0f} s left   ", done, cases, rate,
           static_cast<double>(cases - done) / rate);
      if (done >= cases) note("\n");
    }
    return !interrupted();
  };
}

int exit_status(const std::vector<Verdict>& verdicts, bool new_only) {
  bool open = false;
  for (const Verdict& v : verdicts) {
    if (v.word == "violated" && !(new_only && v.documented)) return kViolated;
    open = open || v.word == "vacuous" || v.word == "undecided";
  }
  return open ? kUndecided : kHolds;
}

std::string time_limit(std::chrono::milliseconds time) {
  if (time.count() == 0) return "";
  if (time.count() < 1000) return fmt::format(", at most {} ms", time.count());
  return fmt::format(", at most {:g} s", static_cast<double>(time.count()) / 1000);
}

/// What will be done, on stderr.
void announce(const CheckOptions& o, const Schedule& base, const CaseSetup& setup,
              const RandomOptions& random) {
  const int cpus = setup.model.topology.nr_cpus;
  note("checking {} on {} ({} CPU{}), {} cases of {} elements, seed {}, {}{}\n", base.kernel,
       base.topology, cpus, cpus == 1 ? "" : "s", o.cases, o.events, o.seed,
       o.tick_ns == 0 ? "no ticks" : fmt::format("ticks every {} ns", o.tick_ns),
       time_limit(random.time));
  const KernelChoice kernel = parse_kernel(o.kernel);
  if (kernel.preset != o.kernel.substr(0, o.kernel.find(',')))
    note("host kernel: preset {} assumed (nearest not newer); distribution kernels may differ\n",
         kernel.preset);
  for (const std::string& limit : kernel.limits) note("limit: {}\n", limit);
}

std::vector<Verdict> make_verdicts(const CheckOptions& o, PropertySet wanted, const Schedule& base,
                                   const CaseSetup& setup, const RandomReport& report,
                                   double seconds) {
  const PropertySet documented = documented_failures(setup.model);
  std::vector<Verdict> verdicts;
  for (std::size_t p = 0; p < kPropertyCount; ++p) {
    if ((wanted >> p & 1) == 0) continue;
    const PropertyOutcome& outcome = report.properties[p];
    Verdict v{p,
              verdict_word(outcome),
              outcome.violated && (documented >> p & 1) != 0,
              outcome,
              {},
              "",
              seconds};
    if (outcome.violated) make_counterexample(v, o, base, o.seed);
    verdicts.push_back(std::move(v));
  }
  return verdicts;
}

void print_json(const CheckOptions& o, const Schedule& base, const CaseSetup& setup,
                const RandomReport& report, const std::vector<Verdict>& verdicts) {
  const Json space = universe(o, setup);
  Json out = {{"format", "schedcheck/verdicts"}, {"version", 1},
              {"kernel", base.kernel},           {"topology", base.topology},
              {"truncated", report.truncated},   {"verdicts", Json::array()}};
  for (const Verdict& v : verdicts) out["verdicts"].push_back(verdict_json(v, space));
  put(out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void print_report(const RandomReport& report, const std::vector<Verdict>& verdicts,
                  double seconds) {
  print_table(verdicts);
  const Verdict* first = nullptr;
  bool both_shown = false;
  for (const Verdict& v : verdicts) {
    if (!v.counterexample) continue;
    if (first == nullptr) first = &v;
    const auto both = both_shown ? std::nullopt : trade_off(*v.counterexample);
    if (!both) continue;
    both_shown = true;
    print("{}\n", trade_off_text(*both));
  }
  print("{} cases in {:.1f} s{}\n", report.cases, seconds,
        report.truncated ? ": truncated by the time limit or Ctrl-C" : "");
  if (first != nullptr) print("to see why: schedcheck explain {}\n", first->file);
}

}  // namespace

int run_check(const CheckOptions& o) {
  const PropertySet wanted =
      judged_on(parse_properties(o.property), o.property, parse_kernel(o.kernel).version);
  if (o.tick_ns != 0 && o.tick_ns < 100'000)
    throw InputError(
        fmt::format("--tick-ns {}: ticks are 0 (none) or at least 100000 ns", o.tick_ns));
  const Schedule base = empty_schedule(o.kernel, o.topology, o.tick_ns, o.tasks);
  const bool spawn = (wanted >> property_index("spawn-stays-local") & 1) != 0;
  const CaseSetup setup = make_setup(base, spawn);
  require_folder(o.out);
  RandomOptions random{o.cases, o.seed, o.events, o.jobs, parse_duration(o.time, "--time")};
  random.stop = interrupted;
  catch_interrupts();
  if (random.jobs == 0)
    random.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  announce(o, base, setup, random);
  const auto start = Clock::now();
  const RandomReport report = check_random(setup, wanted, random, progress_bar(o.cases, o.json));
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const auto verdicts = make_verdicts(o, wanted, base, setup, report, seconds);
  if (o.json) {
    print_json(o, base, setup, report, verdicts);
  } else {
    print_report(report, verdicts, seconds);
  }
  return exit_status(verdicts, o.new_only);
}

}  // namespace schedcheck::cli
