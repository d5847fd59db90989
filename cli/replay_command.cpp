// SPDX-License-Identifier: Apache-2.0
/// \file replay: a schedule step by step.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/decision_json.hpp"
#include "counterexamples/explain.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

Json step_json(const ReplayStep& step) {
  Json cpus = Json::array();
  for (const CpuSnapshot& c : step.cpus)
    cpus.push_back({{"curr", c.curr},
                    {"nr_running", c.nr_running},
                    {"util_avg", c.util_avg},
                    {"util_sum", c.util_sum},
                    {"runnable_avg", c.runnable_avg},
                    {"load_avg", c.load_avg},
                    {"live_sum", c.live_sum},
                    {"dead_sum", c.dead_sum},
                    {"clamp_sum", c.clamp_sum},
                    {"pending_avg", c.pending_avg},
                    {"busy_sum", c.busy_sum},
                    {"divider", c.divider}});
  Json out = {{"event", step.number},
              {"kind", event_name(step.event.kind)},
              {"happened", step.happened},
              {"now_ns", step.now_ns}};
  if (step.fork) {
    Json levels = Json::array();
    for (const LevelRecord& level : step.fork->levels) levels.push_back(level_json(level));
    out["fork"] = {{"parent", step.fork->parent},
                   {"child", step.fork->child},
                   {"this_cpu", step.fork->this_cpu},
                   {"chosen_cpu", step.fork->chosen_cpu},
                   {"levels", levels}};
  }
  out["cpus"] = cpus;
  Json violations = Json::array();
  for (const Violation& v : step.violations)
    violations.push_back(
        {{"property", property_catalogue()[v.property].name}, {"numbers", v.numbers}});
  out["violations"] = violations;
  return out;
}

/// One step at a time, in the layout that dump(2) gives the whole object: a long schedule on many
/// CPUs would not fit into memory otherwise.
void print_json(const Schedule& schedule) {
  const auto text = [](const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
  };
  print(
      "{{\n  \"format\": \"schedcheck/replay\",\n  \"version\": 1,\n  \"kernel\": {},\n"
      "  \"topology\": {},\n  \"steps\": [",
      text(schedule.kernel), text(schedule.topology));
  bool first = true;
  replay(schedule, kEveryProperty, ReplayDetail::kEveryStep, [&](const ReplayStep& step) {
    std::string lines = first ? "\n    " : ",\n    ";
    first = false;
    for (const char c : text(step_json(step))) {
      lines += c;
      if (c == '\n') lines += "    ";
    }
    put(lines);
  });
  put(first ? "]\n}\n" : "\n  ]\n}\n");
}

void print_summary(const ReplayOptions& o, const Schedule& schedule, const Replay& run) {
  print("{} on {}: {} of {} events\n", schedule.kernel, schedule.topology, run.steps.size(),
        schedule.events.size());
  PropertySet seen = 0;
  for (const Violation& v : run.violations) {
    if ((seen >> v.property & 1) != 0) continue;
    seen |= PropertySet{1} << v.property;
    print("{:<36} violated at event {}\n", property_catalogue()[v.property].name, v.event);
  }
  if (run.violations.empty()) print("nothing is violated\n");
  if (run.not_enabled)
    print("event {} is not enabled on this kernel: the rest does not apply\n", *run.not_enabled);
  if (const auto both = trade_off(schedule)) print("{}\n", trade_off_text(*both));
  if (!schedule.finding || !o.kernel.empty()) return;
  const bool shown =
      std::any_of(run.violations.begin(), run.violations.end(), [&](const Violation& v) {
        return property_catalogue()[v.property].name == schedule.finding->property &&
               v.event == schedule.finding->event;
      });
  print("the file's finding ({} at event {}) is {}\n", schedule.finding->property,
        schedule.finding->event, shown ? "confirmed" : "not confirmed by this version");
}

}  // namespace

int run_replay(const ReplayOptions& o) {
  const Schedule schedule = load_schedule(o.file, o.kernel);
  const bool trace = o.trace && !o.json;
  const Replay run =
      replay(schedule, kEveryProperty, trace ? ReplayDetail::kEveryStep : ReplayDetail::kKeySteps,
             [&](const ReplayStep& step) {
               if (trace) put(step_text(step, true));
             });
  // With --trace the steps before it have been shown.
  if (o.kernel.empty()) require_enabled(run, schedule, o.file);
  if (o.json) {
    print_json(schedule);
  } else {
    print_summary(o, schedule, run);
  }
  if (!run.violations.empty()) return kViolated;
  return run.not_enabled ? kUndecided : kHolds;
}

}  // namespace schedcheck::cli
