// SPDX-License-Identifier: Apache-2.0
/// \file simulate: a whole workload on one kernel, or on two side by side.
#include "cli/simulate_command.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "model/input_error.hpp"
#include "model/kernel_switches.hpp"
#include "properties/workload/simulation.hpp"

namespace schedcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

struct SimulateOptions {
  std::string workload;
  std::string kernel = "host";
  std::string against;
  std::string topology = "host";
  std::string seconds = "2s";
  std::uint64_t seed = 1;
  int copies = 0;
  bool cgroups = false;
  std::int64_t tick_ns = 1'000'000;
  bool json = false;
};

const WorkloadInfo& find_workload(const std::string& name) {
  std::string known;
  for (const WorkloadInfo& info : workloads()) {
    if (info.name == name) return info;
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  if (name == "schbench" || name == "short-idle")
    throw InputError("workload '" + name +
                     "' is about newidle balancing, which is not modelled (limit L5); use one of " +
                     known);
  throw InputError("workload '" + printable(name) + "' is unknown; known: " + known);
}

/// Before v6.6 another algorithm picked, so what depends on who runs next says nothing.
bool depends_on_picking(std::string_view metric) {
  return metric == "context_switches" || metric == "slice_end_reschedules" ||
         metric.starts_with("wakeup_latency");
}

struct Side {
  std::string kernel, topology;
  SimulationResult result;
};

Side run_side(const SimulateOptions& o, const WorkloadInfo& info, const std::string& kernel) {
  const Schedule base = empty_schedule(kernel, o.topology, o.tick_ns, 1);
  const Model model = make_model(base);
  const auto workload = info.make({model.topology.nr_cpus, o.copies, o.cgroups});
  SimulationOptions options;
  options.seed = o.seed;
  options.seconds = static_cast<double>(parse_duration(o.seconds, "--seconds").count()) / 1000;
  if (options.seconds <= 0)
    throw InputError("--seconds '" + o.seconds + "': nothing to measure; give e.g. 2s");
  Side side{base.kernel, base.topology,
            simulate(base, *workload, options, [] { return interrupted(); })};
  if (parse_kernel(base.kernel).version < 6'006'000)
    std::erase_if(side.result.metrics, [](const auto& m) { return depends_on_picking(m.first); });
  return side;
}

void print_json(const SimulateOptions& o, const Side& a, const std::optional<Side>& b) {
  Json metrics = Json::object();
  for (const auto& [name, value] : a.result.metrics) {
    metrics[name] = {{"a", value}};
    if (b && b->result.metrics.contains(name)) metrics[name]["b"] = b->result.metrics.at(name);
  }
  Json object = {{"format", "schedcheck/simulation"},
                 {"version", 1},
                 {"workload", o.workload},
                 {"kernel", a.kernel}};
  if (b) object["against"] = b->kernel;
  object["topology"] = a.topology;
  object["seconds"] = a.result.seconds;
  object["seed"] = o.seed;
  object["metrics"] = metrics;
  print("{}\n", object.dump(1, ' ', false, Json::error_handler_t::replace));
}

void print_text(const Side& a, const std::optional<Side>& b) {
  print("{:<28} {:>20}", "", a.kernel);
  if (b) print(" {:>20}", b->kernel);
  print("\n");
  for (const auto& [name, value] : a.result.metrics) {
    print("{:<28} {:>20.1f}", name, value);
    if (b) {
      const auto other = b->result.metrics.find(name);
      if (other != b->result.metrics.end()) print(" {:>20.1f}", other->second);
    }
    print("\n");
  }
  print("{} s measured, {} events; no balancing (L5), lengths are the workload's, not measured\n",
        a.result.seconds, a.result.events + (b ? b->result.events : 0));
}

int run_simulate(const SimulateOptions& o) {
  const WorkloadInfo& info = find_workload(o.workload);
  if (o.cgroups && o.workload != "hackbench")
    throw InputError("--cgroups: only hackbench has groups; leave it out");
  catch_interrupts();
  const Side a = run_side(o, info, o.kernel);
  std::optional<Side> b;
  if (!o.against.empty()) b = run_side(o, info, o.against);
  if (o.json) {
    print_json(o, a, b);
  } else {
    print_text(a, b);
  }
  return interrupted() ? kUndecided : kHolds;
}

}  // namespace

void add_simulate_command(CLI::App& app, int& status) {
  static SimulateOptions o;
  CLI::App* simulate = app.add_subcommand("simulate", "A whole workload on one kernel or two");
  std::string text = "One of:";
  for (const WorkloadInfo& info : workloads()) text += " " + std::string(info.name);
  simulate->add_option("WORKLOAD", o.workload, text)->required();
  simulate->add_option("--kernel", o.kernel, "NAME[,switch=value..]")->capture_default_str();
  simulate->add_option("--against", o.against, "A second kernel, measured in the same way");
  simulate->add_option("--topology", o.topology, "host, smp:N, llc:AxB, smt:CxT, numa:NxC, FILE")
      ->capture_default_str();
  simulate->add_option("--seconds", o.seconds, "Model time to measure, after 0.5 s of warm-up")
      ->capture_default_str();
  simulate->add_option("--seed", o.seed, "Of the lengths, which vary by 10 %")
      ->check(whole(0, INT64_MAX))
      ->capture_default_str();
  simulate->add_option("--copies", o.copies, "Parents, threads or pairs; 0: the workload's default")
      ->check(whole(0, 4000));
  simulate->add_flag("--cgroups", o.cgroups, "hackbench: a cpu cgroup for each pair");
  simulate->add_option("--tick-ns", o.tick_ns, "Tick in ns; 0: none")
      ->check(whole(0, 1'000'000'000))
      ->capture_default_str();
  simulate->add_flag("--json", o.json, "One JSON object on stdout");
  simulate->footer(
      "What the numbers mean: docs/simulate.md.\n"
      "Example: schedcheck simulate unixbench-spawn --topology smp:4 --kernel v6.13 --against "
      "v6.14");
  simulate->callback([&status] { status = run_simulate(o); });
}

}  // namespace schedcheck::cli
