// SPDX-License-Identifier: Apache-2.0
/// \file Words and plan of exported workloads.
#include "counterexamples/export/workload_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "model/fair/nice_weight.hpp"
#include "model/input_error.hpp"
#include "model/kernel_switches.hpp"

namespace schedcheck {
namespace {

std::string cpu_list(CpuMask cpus, int nr_cpus) {
  std::string list;
  for (int cpu = 0; cpu < nr_cpus; ++cpu)
    if ((cpus >> cpu & 1) != 0) list += (list.empty() ? "" : ",") + std::to_string(cpu);
  return list.empty() ? "0" : list;
}

/// Column OTHER of an event. A new kind is a case here and a row in the C program's table.
int plan_argument(const PlannedEvent& planned) {
  switch (planned.event.kind) {
    case EventKind::kFork:
      return planned.child;
    case EventKind::kExit:
      return planned.event.wakes;
    case EventKind::kRun:
    case EventKind::kBlock:
    case EventKind::kWake:
    case EventKind::kSetAffinity:
    case EventKind::kUpdateBlocked:
    case EventKind::kYield:
    case EventKind::kSetsid:
      return -1;
    case EventKind::kSetNice:
    case EventKind::kSetPolicy:
      return static_cast<int>(planned.event.amount);
    case EventKind::kMoveGroup:
    case EventKind::kSetWeight:
      break;
  }
  refuse_event("c", planned.label, planned.event, "the C program has no cgroups", "json");
}

std::string plan_line(const PlannedEvent& planned, int nr_cpus) {
  const Event& event = planned.event;
  if (!planned.enabled)
    return fmt::format("# event {} is left out: {} is not enabled in the model\n", planned.label,
                       describe(event));
  return fmt::format("event {} {} {} {} {} {} {}\n", planned.label, planned.at_ns,
                     event_name(event.kind), event.task, plan_argument(planned), planned.child_cpu,
                     cpu_list(event.cpus, nr_cpus));
}

/// The seed threads' commands by what the property's name is about; the first match counts.
struct Published {
  std::string_view word, command;
};
constexpr std::array<Published, 5> kPublished = {{
    {"burst", "sysbench threads --threads={} run"},
    {"tie", "sysbench threads --threads={} run"},
    {"exit", "./Run -c {} spawn    (UnixBench)"},
    {"spawn", "./Run -c {} spawn    (UnixBench)"},
    {"ghost", "./Run -c {} spawn    (UnixBench)"},
}};

}  // namespace

std::string harmless(std::string_view text) {
  std::string safe;
  for (const char c : text.substr(0, 200))
    safe += c < 0x20 || c == 0x7f || c == '\'' || c == '\\' || c == '`' || c == '$' || c == '?'
                ? '_'
                : c;
  return safe;
}

std::string published_command(const Schedule& schedule) {
  const std::string property = schedule.finding ? schedule.finding->property : "";
  const bool exits = std::any_of(schedule.events.begin(), schedule.events.end(),
                                 [](const Event& e) { return e.kind == EventKind::kExit; });
  std::string_view command = kPublished[exits ? 2 : 0].command;
  for (const Published& row : kPublished) {
    if (property.find(row.word) == std::string::npos) continue;
    command = row.command;
    break;
  }
  return fmt::format(fmt::runtime(command), make_model(schedule).topology.nr_cpus);
}

std::string about_schedule(const Schedule& schedule) {
  std::string text = "# What it shows\n";
  if (schedule.finding) {
    const Finding& found = *schedule.finding;
    text += fmt::format("#   property   {}, violated at event {}\n", harmless(found.property),
                        found.event);
    for (const auto& [name, value] : found.numbers)
      text += fmt::format("#   number     {} = {}\n", harmless(name), value);
    text += fmt::format("#   found by   {}, seed {}{}{}\n", harmless(found.engine), found.seed,
                        found.minimality.empty() ? "" : "; ", harmless(found.minimality));
  } else {
    text += "#   no property: the schedule is no counterexample\n";
  }
  text += fmt::format(
      "#   kernel     {} (the model's)\n#   topology   {} (the model's)\n"
      "#   events     {} after a preamble of {}\n#\n",
      parse_kernel(schedule.kernel).name, harmless(schedule.topology), schedule.events.size(),
      schedule.preamble.size());
  return text + fmt::format("# The published benchmark that shows the same\n#   {}\n#\n",
                            published_command(schedule));
}

std::string process_limits(const WorkloadPlan& plan) {
  std::string text = R"(# What it cannot express
#   exact times: events are late by microseconds; events at one model time are 50 us apart,
#     and after a delay of more than 1 ms the rest of the timeline moves
#   ticks: they fall when the machine's timer says
#   initial placement: tasks are pinned to their CPU at first, but how they got there, their
#     averages and the clocks of idle CPUs are the machine's
#   topology: model CPU i is the i-th CPU allowed here, whatever it shares with the others
#   the waker: `wake` and `set_affinity` come from a driver process, not from a task
#   a child that was placed but moved before it first ran: only a trace shows that
)";
  const auto events_with = [&](const auto& has) {
    return std::count_if(plan.events.begin(), plan.events.end(), has);
  };
  const auto tasks_with = [&](const auto& has) {
    return std::any_of(plan.tasks.begin(), plan.tasks.end(), has);
  };
  if (const auto n = events_with([](const PlannedEvent& p) {
        return p.enabled && p.event.kind == EventKind::kUpdateBlocked;
      }))
    text += fmt::format("#   update_blocked: {} left out, the kernel does it by itself\n", n);
  if (events_with([](const PlannedEvent& p) {
        return p.event.kind == EventKind::kExit && p.event.duration_ns > 0;
      }) > 0)
    text += "#   exit's after-move time: a task dies as soon as the kernel lets it\n";
  if (tasks_with([](const InitialTask& t) { return t.util_avg >= 0; }))
    text += "#   explicit averages: such tasks run and sleep for 200 ms to come near them\n";
  if (tasks_with([](const InitialTask& t) { return !nice_of_weight(t.weight); }))
    text += "#   weights that no nice value has: the nearest nice value is used\n";
  if (events_with([](const PlannedEvent& p) { return !p.enabled; }) > 0)
    text += "#   events that are not enabled in the model: left out, see the plan\n";
  return text;
}

int nearest_nice(std::int64_t weight) {
  const auto* nearest = std::min_element(kNiceWeights.begin(), kNiceWeights.end(),
                                         [&](std::int64_t a, std::int64_t b) {
                                           return std::llabs(a - weight) < std::llabs(b - weight);
                                         });
  return *nice_of_weight(*nearest);
}

std::string plan_text(const WorkloadPlan& plan) {
  refuse_groups_and_policies("c", plan);
  int nr_tasks = static_cast<int>(plan.tasks.size());
  int nr_events = 0;
  std::string lines;
  for (const InitialTask& task : plan.tasks)
    lines += fmt::format("task {} {} {} {} {}\n", task.cpu, nearest_nice(task.weight),
                         task.blocked ? 1 : 0, task.util_avg, cpu_list(task.cpus, plan.nr_cpus));
  for (const PlannedEvent& planned : plan.events) {
    lines += plan_line(planned, plan.nr_cpus);
    nr_events += planned.enabled ? 1 : 0;
    nr_tasks = std::max(nr_tasks, planned.child + 1);
  }
  return fmt::format("machine {} {} {} {}\n", plan.nr_cpus, nr_tasks, nr_events, plan.end_ns) +
         lines;
}

void refuse_groups_and_policies(std::string_view format, const WorkloadPlan& plan) {
  for (std::size_t i = 0; i < plan.tasks.size(); ++i)
    if (plan.tasks[i].group != 0 || plan.tasks[i].policy != 0)
      throw InputError(
          fmt::format("export --to {}: task {} cannot be expressed: it starts {}; use --to json",
                      format, i, plan.tasks[i].group != 0 ? "in a group" : "with an RT policy"));
}

void refuse_event(std::string_view format, std::string_view label, const Event& event,
                  std::string_view why, std::string_view instead) {
  throw InputError(fmt::format("export --to {}: event {} ({}) cannot be expressed: {}; use --to {}",
                               format, label, describe(event), why, instead));
}

}  // namespace schedcheck
