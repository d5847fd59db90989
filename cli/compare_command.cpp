// SPDX-License-Identifier: Apache-2.0
/// \file compare: a schedule on which two kernels differ.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/compare_search.hpp"
#include "cli/decision_json.hpp"
#include "cli/output.hpp"
#include "cli/pair_commands.hpp"
#include "cli/pair_text.hpp"
#include "counterexamples/explain.hpp"
#include "counterexamples/schedule_json.hpp"
#include "counterexamples/topology_json.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// What is asked for, and what was found on which machine.
struct Comparison {
  CompareSearch search;
  std::string property;
  std::vector<std::string> machines;   ///< To look at, in order,
  std::vector<std::string> looked_at;  ///< and those that were.
  CompareResult result;
  std::uint64_t cases = 0;
  std::optional<int> too_long;  ///< On any machine.
  std::optional<Divergence> divergence;
  std::string file;
};

std::string judged(const Comparison& c) {
  switch (c.search.what) {
    case Difference::kPlacement:
      return "the first placement (fork or wakeup) that differs";
    case Difference::kProperty:
      return fmt::format("{} violated on {} and not on {}", c.property, c.search.kernel_a,
                         c.search.kernel_b);
    case Difference::kWarmSpawn:
      break;
  }
  return "the decision that spawn-stays-local is about (a fork of a spawn loop leaves its CPU), "
         "from a warm state; from boot it takes hundreds of forks";
}

/// The violation on A becomes the schedule's finding.
void add_finding(Comparison& c) {
  Schedule& s = c.result.found->schedule;
  const std::size_t p = c.search.property;
  const RunResult run = run_schedule(make_model(s), s, PropertySet{1} << p, p);
  const Violation* violation = run.of(p);
  s.finding = Finding{c.property, violation->event, violation->numbers,
                      "compare",  c.search.seed,    c.result.found->minimality};
}

Comparison prepare(const CompareOptions& o) {
  Comparison c;
  c.search.kernel_a = parse_kernel(o.kernel).name;
  c.search.kernel_b = parse_kernel(o.against).name;
  c.property = o.property;
  if (!o.property.empty()) {
    c.search.property = property_index(o.property);
    c.search.what =
        o.property == "spawn-stays-local" ? Difference::kWarmSpawn : Difference::kProperty;
  }
  if (o.tick_ns != 0 && o.tick_ns < 100'000)
    throw InputError(
        fmt::format("--tick-ns {}: ticks are 0 (none) or at least 100000 ns", o.tick_ns));
  c.machines = {"smp:2", "smp:3", "smp:4", "llc:2x2", "numa:2x2"};
  if (!o.topology.empty()) c.machines = {canonical_spec(load_topology(o.topology))};
  if (!o.out.empty()) require_writable(o.out);
  c.search.tasks = o.tasks;
  c.search.tasks_fixed = o.tasks_given;
  c.search.depth = o.depth;
  c.search.tick_ns = o.tick_ns;
  c.search.cases = o.cases;
  c.search.seed = o.seed;
  const auto limit = parse_duration(o.time, "--time");
  if (limit.count() > 0) c.search.until = Clock::now() + limit;
  return c;
}

void search_machines(Comparison& c) {
  for (const std::string& machine : c.machines) {
    c.search.topology = machine;
    c.result = search_difference(c.search);
    c.looked_at.push_back(machine);
    c.cases += c.result.cases;
    if (c.result.too_long)
      c.too_long = std::min(c.too_long.value_or(*c.result.too_long), *c.result.too_long);
    if (c.result.found || c.result.truncated) break;
  }
}

std::string file_name(const Comparison& c) {
  std::string name =
      fmt::format("compare-{}-{}-{}{}.json", c.search.kernel_a, c.search.kernel_b,
                  c.property.empty() ? "" : c.property + "-", c.result.found->schedule.topology);
  for (char& ch : name)
    if (ch == ':' || ch == ',' || ch == '=') ch = '_';
  return name;
}

void write_schedule(Comparison& c, const std::string& out) {
  c.file = out;
  if (out.empty()) {
    std::error_code error;
    std::filesystem::create_directories("counterexamples-found", error);
    c.file = (std::filesystem::path("counterexamples-found") / file_name(c)).string();
  }
  write_file(c.file, to_json(c.result.found->schedule));
}

Json divergence_json(const Comparison& c) {
  if (!c.result.found) return nullptr;
  const Schedule& s = c.result.found->schedule;
  if (c.divergence) {
    return {{"event", c.divergence->event},
            {"decision", decision_name(*c.divergence, s)},
            {"a", decision_json(c.divergence->a, c.search.kernel_a)},
            {"b", decision_json(c.divergence->b, c.search.kernel_b)}};
  }
  // No task is placed differently up to the violation: the judgement itself is what differs.
  return {
      {"event", s.finding->event},
      {"decision", "judgement of " + c.property},
      {"a", {{"kernel", c.search.kernel_a}, {"violated", true}, {"numbers", s.finding->numbers}}},
      {"b", {{"kernel", c.search.kernel_b}, {"violated", false}}}};
}

void print_json(const Comparison& c) {
  const bool found = c.result.found.has_value();
  const Json out = {{"format", "schedcheck/compare"},
                    {"version", 1},
                    {"kernel", c.search.kernel_a},
                    {"against", c.search.kernel_b},
                    {"property", c.property.empty() ? Json() : Json(c.property)},
                    {"judged", judged(c)},
                    {"found", found},
                    {"schedule", found ? Json::parse(to_json(c.result.found->schedule)) : Json()},
                    {"first_divergence", divergence_json(c)},
                    {"events", found ? Json(c.result.found->schedule.events.size()) : Json()},
                    {"minimality", found ? Json(c.result.found->minimality) : Json()},
                    {"topologies", c.looked_at},
                    {"cases", c.cases},
                    {"depth", c.search.depth},
                    {"elements_per_case", kCompareElements},
                    {"seed", c.search.seed},
                    {"truncated", c.result.truncated},
                    {"counterexample", c.file.empty() ? Json() : Json(c.file)}};
  put(out.dump(2) + "\n");
}

std::string start_text(const Schedule& s) {
  std::string text;
  for (std::size_t i = 0; i < s.tasks.size(); ++i)
    text += fmt::format(
        "     task {} runs on CPU {}{}\n", i, s.tasks[i].cpu,
        s.tasks[i].util_avg < 0 ? "" : fmt::format(", util {} (warm start)", s.tasks[i].util_avg));
  return text;
}

void print_found(const Comparison& c) {
  const Schedule& s = c.result.found->schedule;
  print(
      "{} and {} differ: {} events on {}{}{}\n", c.search.kernel_a, c.search.kernel_b,
      s.events.size(), s.topology, c.result.found->minimality.empty() ? "" : ", ",
      c.result.found->minimality.empty() ? "" : c.result.found->minimality + " (from this start)");
  print("judged: {}\n", judged(c));
  print("the schedule, on {}:\n{}", c.search.kernel_a, start_text(s));
  for (const ReplayStep& step : replay(s, 0).steps) {
    const std::string text = step_text(step, false);
    print("{}", text.substr(0, text.find('\n') + 1));
  }
  if (c.divergence)
    print("{}", divergence_text(*c.divergence, s, c.search.kernel_a, c.search.kernel_b));
  if (s.finding) {
    print("{} is violated at event {} on {} and not on {}:", s.finding->property, s.finding->event,
          c.search.kernel_a, c.search.kernel_b);
    for (const auto& [name, value] : s.finding->numbers) print(" {} {}", name, value);
    print("\n");
  }
  print("written to {}\nwhich switch: schedcheck blame {} --against {}\n", c.file, c.file,
        c.search.kernel_b);
}

void print_nothing(const Comparison& c) {
  cli::print(
      "no difference found in {} cases on {} (up to {} elements a case, {} tasks, seed {}){}\n",
      c.cases, fmt::join(c.looked_at, ", "), kCompareElements, c.search.tasks, c.search.seed,
      c.result.truncated ? ", truncated by the time limit or Ctrl-C" : "");
  if (c.too_long)
    print("the shortest difference found has {} events, more than --depth {}\n", *c.too_long,
          c.search.depth);
  if (switch_differences(c.search.kernel_a, c.search.kernel_b).empty())
    print("the two have the same value of every switch\n");
}

}  // namespace

int run_compare(const CompareOptions& o) {
  Comparison c = prepare(o);
  note("comparing {} with {}, at most {} cases per machine, seed {}\n{}", c.search.kernel_a,
       c.search.kernel_b, c.search.cases, c.search.seed,
       switch_differences(c.search.kernel_a, c.search.kernel_b));
  search_machines(c);
  if (c.result.found) {
    c.divergence =
        TwoKernels(c.search.kernel_a, c.search.kernel_b).divergence(c.result.found->schedule);
    if (c.search.what == Difference::kProperty) add_finding(c);
    write_schedule(c, o.out);
  }
  if (o.json) {
    print_json(c);
  } else if (c.result.found) {
    print_found(c);
  } else {
    print_nothing(c);
  }
  return c.result.found ? kViolated : kUndecided;
}

}  // namespace schedcheck::cli
