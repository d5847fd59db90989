// SPDX-License-Identifier: Apache-2.0
/// \file trace check: options and output.
#include "cli/trace_command.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "counterexamples/trace/check_trace.hpp"
#include "counterexamples/trace/replay_trace.hpp"
#include "counterexamples/trace/trace_text.hpp"
#include "model/input_error.hpp"
#include "model/topology/machine_description.hpp"

namespace schedcheck::cli {
namespace {

struct TraceCheckOptions {
  std::string file;
  std::vector<std::string> affinity;
  std::string wait_bound = "1s";
  std::string idle_bound = "10ms";
  bool json = false;
};

/// "812=0-3,8": task 812 may use CPUs 0 to 3 and 8.
void add_affinity(const std::string& text, TraceOptions& options) {
  std::string_view rest = text;
  int pid = 0;
  const bool names_task =
      trace_text::take_number(rest, pid) && pid > 0 && trace_text::take(rest, "=");
  const auto cpus = names_task && !rest.empty() ? parse_cpu_list(rest) : std::nullopt;
  if (!cpus || *std::max_element(cpus->begin(), cpus->end()) >= kMaxTraceCpus)
    throw InputError("--affinity '" + text + "': expected TASK=CPUS, e.g. 812=0-3,8");
  std::vector<bool>& mask = options.affinity[pid];
  mask.resize(kMaxTraceCpus);
  for (const int cpu : *cpus) mask[static_cast<std::size_t>(cpu)] = true;
}

const char* verdict(const TraceFinding& finding) {
  return finding.certain ? "certain" : "possible";
}

std::string as_json(const TraceReport& report) {
  using Json = nlohmann::ordered_json;
  Json events = Json::object();
  for (const auto& [name, count] : report.events) events[name] = count;
  Json findings = Json::array();
  for (const TraceFinding& f : report.findings())
    findings.push_back(
        {{"property", f.property}, {"line", f.line}, {"verdict", verdict(f)}, {"text", f.text}});
  Json gaps = Json::array();
  for (const TraceGap& gap : report.gaps.first)
    gaps.push_back({{"line", gap.line}, {"text", gap.text}});
  const Json object = {{"format", "schedcheck/trace"},
                       {"version", 1},
                       {"events", events},
                       {"lines", report.lines},
                       {"unparsed", report.unparsed.first},
                       {"lost", report.lost},
                       {"findings", findings},
                       {"certain", report.certain.total},
                       {"possible", report.possible.total},
                       {"unparsed_lines", report.unparsed.total},
                       {"other_events", report.other_events},
                       {"incomplete", report.incomplete},
                       {"overwritten", report.overwritten},
                       {"gaps", gaps},
                       {"gaps_total", report.gaps.total}};
  return object.dump(1, ' ', false, Json::error_handler_t::replace);
}

void print_text(const TraceReport& report) {
  constexpr std::size_t kShown = 10;
  print("{} lines, {} scheduler events, {} other events, {} lost", report.lines,
        report.sched_events, report.other_events, report.lost);
  if (report.overwritten > 0) print(", {} overwritten before the first", report.overwritten);
  if (report.incomplete > 0) print(", {} incomplete", report.incomplete);
  print("\n");
  for (const auto& [name, count] : report.events) print("  {:<24} {:>9}\n", printable(name), count);
  for (const TraceFinding& f : report.findings())
    print("line {}: {} ({}): {}\n", f.line, f.property, verdict(f), printable(f.text));
  for (std::size_t i = 0; i < std::min(kShown, report.gaps.first.size()); ++i)
    print("gap at line {}: {}\n", report.gaps.first[i].line, printable(report.gaps.first[i].text));
  if (report.gaps.total > kShown) print("and {} more gaps\n", report.gaps.total - kShown);
  if (report.unparsed.total > 0) {
    print("{} lines not understood, the first: {}\n", report.unparsed.total,
          report.unparsed.first.front());
  }
  print("{} certain, {} possible\n", report.certain.total, report.possible.total);
}

int run_trace_check(const TraceCheckOptions& o) {
  TraceOptions options;
  options.wait_bound_ns =
      std::chrono::nanoseconds(parse_duration(o.wait_bound, "--wait-bound")).count();
  options.idle_bound_ns =
      std::chrono::nanoseconds(parse_duration(o.idle_bound, "--idle-bound")).count();
  for (const std::string& text : o.affinity) add_affinity(text, options);
  const TraceReport report = check_trace(o.file, options);
  if (o.json) {
    print("{}\n", as_json(report));
  } else {
    print_text(report);
  }
  if (report.certain.total > 0) return kViolated;
  return report.possible.total > 0 ? kUndecided : kHolds;
}

struct TraceReplayArguments {
  std::string file, kernel = "host", topology = "host";
  std::vector<std::string> affinity;
  bool json = false;
};

std::string replay_json(const TraceReplay& r) {
  using Json = nlohmann::ordered_json;
  Json mismatches = Json::array();
  for (const PlacementMismatch& m : r.mismatches.first)
    mismatches.push_back({{"line", m.line},
                          {"child", m.child},
                          {"parent", m.parent},
                          {"kernel", m.kernel_cpu},
                          {"model", m.model_cpu},
                          {"model_numbers", m.model_numbers},
                          {"kernel_numbers", m.kernel_cpus}});
  Json assumptions = Json::array();
  for (const auto& [text, count] : r.assumptions)
    assumptions.push_back({{"text", text}, {"count", count}});
  const Json object = {{"format", "schedcheck/trace-replay"},
                       {"version", 1},
                       {"compared", r.compared},
                       {"differing", r.mismatches.total},
                       {"skipped", r.skipped},
                       {"first_mismatch", mismatches.empty() ? Json() : mismatches.front()},
                       {"mismatches", mismatches},
                       {"assumptions", assumptions}};
  return object.dump(1, ' ', false, Json::error_handler_t::replace);
}

void print_replay(const TraceReplay& r) {
  print("{} placements of new tasks compared, {} differ ({:.1f} %), {} could not be compared\n",
        r.compared, r.mismatches.total,
        r.compared > 0
            ? 100.0 * static_cast<double>(r.mismatches.total) / static_cast<double>(r.compared)
            : 0.0,
        r.skipped);
  if (!r.mismatches.first.empty()) {
    const PlacementMismatch& m = r.mismatches.first.front();
    print("first mismatch at line {}: child {} of {} went to CPU {}, the model says CPU {}\n",
          m.line, m.child, m.parent, m.kernel_cpu, m.model_cpu);
    print("  model:  {}\n  kernel: {}\n", m.model_numbers, m.kernel_cpus);
  }
  for (const auto& [text, count] : r.assumptions)
    print("assumed: {}{}\n", text, count > 0 ? fmt::format(" ({})", count) : "");
}

int run_trace_replay(const TraceReplayArguments& o) {
  TraceOptions masks;
  for (const std::string& text : o.affinity) add_affinity(text, masks);
  // Both in their canonical spelling.
  const Schedule schedule = empty_schedule(o.kernel, o.topology, 0, 1);
  const TraceReplay result =
      replay_trace(o.file, {schedule.kernel, schedule.topology, masks.affinity});
  if (o.json) {
    print("{}\n", replay_json(result));
  } else {
    print("{} on {}\n", schedule.kernel, printable(schedule.topology));
    print_replay(result);
  }
  if (result.mismatches.total > 0) return kViolated;
  return result.compared > 0 ? kHolds : kUndecided;
}

void add_replay(CLI::App& trace, int& status) {
  static TraceReplayArguments o;
  CLI::App* replay = trace.add_subcommand("replay", "The model's placements beside the trace's");
  replay->add_option("FILE", o.file, "Text of ftrace, trace-cmd report, perf script; - for stdin")
      ->required();
  replay->add_option("--kernel", o.kernel, "NAME[,switch=value..] of the traced machine")
      ->capture_default_str();
  replay->add_option("--topology", o.topology, "host, smp:N, llc:AxB, smt:CxT, numa:NxC, FILE.json")
      ->capture_default_str();
  replay->add_option("--affinity", o.affinity, "TASK=CPUS, e.g. 812=0-3,8; its children too")
      ->allow_extra_args(false);
  replay->add_flag("--json", o.json, "One JSON object on stdout");
  replay->footer(
      "Exit status: 0 the same, 1 placements differ, 3 nothing to compare, 2 not a trace.\n"
      "Example: schedcheck trace replay trace.txt --kernel v6.12 --topology llc:2x4");
  replay->callback([&status] { status = run_trace_replay(o); });
}

}  // namespace

void add_trace_command(CLI::App& app, int& status) {
  static TraceCheckOptions o;
  CLI::App* trace = app.add_subcommand("trace", "Check a trace recorded on a real kernel");
  trace->require_subcommand(1);
  CLI::App* check = trace->add_subcommand("check", "Where tasks were put and how long they waited");
  check->add_option("FILE", o.file, "Text of ftrace, trace-cmd report, perf script; - for stdin")
      ->required();
  check->add_option("--affinity", o.affinity, "TASK=CPUS, e.g. 812=0-3,8; its children too")
      ->allow_extra_args(false);
  check->add_option("--wait-bound", o.wait_bound, "Longest wait for a CPU")->capture_default_str();
  check
      ->add_option("--idle-bound", o.idle_bound, "Longest idle time of a CPU that a task waits for")
      ->capture_default_str();
  check->add_flag("--json", o.json, "One JSON object on stdout");
  check->footer(
      "Exit status: 1 a certain finding, 3 only possible ones, 0 none, 2 not a trace.\n"
      "Example: perf sched record -- make -j4; perf sched script | schedcheck trace check -");
  check->callback([&status] { status = run_trace_check(o); });
  add_replay(*trace, status);
}

}  // namespace schedcheck::cli
