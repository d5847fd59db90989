// SPDX-License-Identifier: Apache-2.0
/// \file Export format `sh`: a self-contained script that runs the schedule with real processes.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "counterexamples/export/export.hpp"
#include "counterexamples/export/sh_plan.hpp"
#include "counterexamples/export/sh_sections.hpp"
#include "model/fair/nice_weight.hpp"
#include "model/kernel_switches.hpp"

namespace schedcheck {
namespace {

/// Text from a file for a comment or a quoted word: what could end either is replaced.
std::string harmless(std::string_view text) {
  std::string safe;
  for (const char c : text.substr(0, 200))
    safe += c < 0x20 || c == 0x7f || c == '\'' || c == '\\' || c == '`' || c == '$' ? '_' : c;
  return safe;
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

int count(const ShPlan& plan, EventKind kind) {
  return static_cast<int>(
      std::count_if(plan.events.begin(), plan.events.end(),
                    [&](const PlannedEvent& p) { return p.enabled && p.event.kind == kind; }));
}

std::string header_section(const Schedule& schedule) {
  std::string text =
      "#!/bin/sh\n"
      "# Runs a schedule found by schedcheck with real processes on the machine it is started on.\n"
      "#\n"
      "# What it shows\n";
  if (schedule.finding) {
    const Finding& found = *schedule.finding;
    text += "#   property   " + harmless(found.property) + ", violated at event " +
            std::to_string(found.event) + "\n";
    for (const auto& [name, value] : found.numbers)
      text += "#   number     " + harmless(name) + " = " + std::to_string(value) + "\n";
    text += "#   found by   " + harmless(found.engine) + ", seed " + std::to_string(found.seed) +
            (found.minimality.empty() ? "" : "; " + harmless(found.minimality)) + "\n";
  } else {
    text += "#   no property: the schedule is no counterexample\n";
  }
  text += "#   kernel     " + parse_kernel(schedule.kernel).name + " (the model's)\n";
  text += "#   topology   " + harmless(schedule.topology) + " (the model's)\n";
  return text + "#   events     " + std::to_string(schedule.events.size()) +
         " after a preamble of " + std::to_string(schedule.preamble.size()) + "\n#\n";
}

/// The published benchmark whose result the property is about.
std::string benchmark(const Schedule& schedule, const ShPlan& plan) {
  const std::string cpus = std::to_string(plan.nr_cpus);
  std::string spawn = "#   UnixBench: ./Run -c " + cpus + " spawn\n";
  std::string threads = "#   sysbench threads --threads=" + cpus + " run\n";
  const std::string property = schedule.finding ? schedule.finding->property : "";
  if (property.find("burst") != std::string::npos) return threads;
  if (property.find("exit") != std::string::npos || property.find("spawn") != std::string::npos)
    return spawn;
  return count(plan, EventKind::kExit) > 0 ? spawn : threads;
}

std::string usage_section(const Schedule& schedule, const ShPlan& plan) {
  return "# How to run\n"
         "#   sh SCRIPT [--help]; best as root on an idle machine or virtual machine with "
         "exactly " +
         std::to_string(plan.nr_cpus) +
         " CPUs\n"
         "#   and the kernel above. A C compiler gives microseconds, without one sleeps are used.\n"
         "#\n"
         "# What to look at\n"
         "#   The line `outcome:` is `as in the model` if every child first ran where the model "
         "put "
         "it,\n"
         "#   and `not comparable` on a machine with fewer CPUs than the model.\n"
         "#   In tracefs (--trace): target_cpu of sched_wakeup_new is the kernel's choice for a "
         "child;\n"
         "#   sched_process_fork and sched_process_exit frame it, sched_switch shows who ran.\n"
         "#\n"
         "# The published benchmark that shows the same\n" +
         benchmark(schedule, plan) + "#\n";
}

std::string limits_section(const ShPlan& plan) {
  std::string text =
      "# What this script cannot express\n"
      "#   exact times: events are late by microseconds; events at one model time are 50 us "
      "apart,\n"
      "#     and after a delay of more than 1 ms the rest of the timeline moves\n"
      "#   ticks: they fall when the machine's timer says\n"
      "#   initial placement: tasks are pinned to their CPU at first, but how they got there, "
      "their\n"
      "#     averages and the clocks of idle CPUs are the machine's\n"
      "#   topology: model CPU i is the i-th CPU allowed here, whatever it shares with the others\n"
      "#   the waker: `wake` and `set_affinity` come from a driver process, not from a task\n"
      "#   a child that was placed but moved before it first ran: only the trace shows that\n";
  if (const int n = count(plan, EventKind::kUpdateBlocked); n > 0)
    text +=
        "#   update_blocked: " + std::to_string(n) + " left out, the kernel does it by itself\n";
  if (std::any_of(plan.events.begin(), plan.events.end(), [](const PlannedEvent& p) {
        return p.event.kind == EventKind::kExit && p.event.duration_ns > 0;
      }))
    text += "#   exit's after-move time: a task dies as soon as the kernel lets it\n";
  if (std::any_of(plan.tasks.begin(), plan.tasks.end(),
                  [](const InitialTask& t) { return t.util_avg >= 0; }))
    text += "#   explicit averages: such tasks run and sleep for 200 ms to come near them\n";
  if (std::any_of(plan.tasks.begin(), plan.tasks.end(),
                  [](const InitialTask& t) { return !nice_of_weight(t.weight); }))
    text += "#   weights that no nice value has: the nearest nice value is used\n";
  if (std::any_of(plan.events.begin(), plan.events.end(),
                  [](const PlannedEvent& p) { return !p.enabled; }))
    text += "#   events that are not enabled in the model: left out, see the plan\n";
  return text;
}

std::string settings_section(const Schedule& schedule, const ShPlan& plan) {
  return "set -u\n\nnr_cpus=" + std::to_string(plan.nr_cpus) +
         "\nscale=" + number(default_scale(plan)) + "\nmodel_kernel='" +
         harmless(parse_kernel(schedule.kernel).name) + "'\nmodel_topology='" +
         harmless(schedule.topology) + "'\n";
}

int nearest_nice(std::int64_t weight) {
  const auto* nearest = std::min_element(kNiceWeights.begin(), kNiceWeights.end(),
                                         [&](std::int64_t a, std::int64_t b) {
                                           return std::llabs(a - weight) < std::llabs(b - weight);
                                         });
  return *nice_of_weight(*nearest);
}

std::string cpu_list(CpuMask cpus, int nr_cpus) {
  std::string list;
  for (int cpu = 0; cpu < nr_cpus; ++cpu)
    if ((cpus >> cpu & 1) != 0) list += (list.empty() ? "" : ",") + std::to_string(cpu);
  return list.empty() ? "0" : list;
}

std::string plan_line(const PlannedEvent& planned, int nr_cpus) {
  const Event& event = planned.event;
  if (!planned.enabled)
    return "# event " + planned.label + " is left out: " + describe(event) +
           " is not enabled in the model\n";
  const int other = event.kind == EventKind::kFork   ? planned.child
                    : event.kind == EventKind::kExit ? event.wakes
                                                     : -1;
  return "event " + planned.label + " " + std::to_string(planned.at_ns) + " " +
         std::string(event_name(event.kind)) + " " + std::to_string(event.task) + " " +
         std::to_string(other) + " " + std::to_string(planned.child_cpu) + " " +
         cpu_list(event.cpus, nr_cpus) + "\n";
}

std::string plan_section(const ShPlan& plan) {
  int nr_tasks = static_cast<int>(plan.tasks.size());
  int nr_events = 0;
  std::string lines;
  for (const InitialTask& task : plan.tasks)
    lines += "task " + std::to_string(task.cpu) + " " + std::to_string(nearest_nice(task.weight)) +
             " " + (task.blocked ? "1 " : "0 ") + std::to_string(task.util_avg) + " " +
             cpu_list(task.cpus, plan.nr_cpus) + "\n";
  for (const PlannedEvent& planned : plan.events) {
    lines += plan_line(planned, plan.nr_cpus);
    nr_events += planned.enabled ? 1 : 0;
    nr_tasks = std::max(nr_tasks, planned.child + 1);
  }
  return "\n# --- the schedule "
         "----------------------------------------------------------------------------\n"
         "# machine CPUS TASKS EVENTS END_NS\n"
         "# task CPU NICE BLOCKED UTIL_AVG CPUS                      (UTIL_AVG -1: a fresh task)\n"
         "# event LABEL AT_NS WHAT TASK OTHER CPU CPUS    (OTHER: the child, and CPU where the "
         "model\n"
         "#   places it, or the task that an exit wakes; CPUS: for set_affinity)\n"
         "model_plan() {\n  cat <<'PLAN'\nmachine " +
         std::to_string(plan.nr_cpus) + " " + std::to_string(nr_tasks) + " " +
         std::to_string(nr_events) + " " + std::to_string(plan.end_ns) + "\n" + lines + "PLAN\n}\n";
}

std::string helper_section() {
  return "\n# --- the helper "
         "------------------------------------------------------------------------------\n\n"
         "helper_source() {\n  cat <<'HELPER_C'\n" +
         std::string(kHelperTasksC) + std::string(kHelperDriverC) + "HELPER_C\n}\n";
}

}  // namespace

std::string export_sh(const Schedule& schedule) {
  const ShPlan plan = plan_script(schedule);
  std::string script = header_section(schedule) + usage_section(schedule, plan) +
                       limits_section(plan) + settings_section(schedule, plan);
  script += std::string(kShOptions) + std::string(kShCleanup) + plan_section(plan) +
            std::string(kShRealPlan) + std::string(kShCgroup) + std::string(kShTrace) +
            helper_section() + std::string(kShHelperRun) + std::string(kShFallback) +
            std::string(kShReport) + std::string(kShMain);
  return script;
}

}  // namespace schedcheck
