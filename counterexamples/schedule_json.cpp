// SPDX-License-Identifier: Apache-2.0
/// \file Writes the schedule file.
#include "counterexamples/schedule_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "counterexamples/topology_json.hpp"
#include "model/fair/nice_weight.hpp"
#include "model/kernel_switches.hpp"
#include "model/limits.hpp"
#include "model/topology/machine_description.hpp"

namespace schedcheck {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json cpu_list(CpuMask cpus, int nr_cpus) {
  Json list = Json::array();
  for (int cpu = 0; cpu < nr_cpus; ++cpu)
    if ((cpus >> cpu & 1) != 0) list.push_back(cpu);
  return list;
}

Json kernel_object(const std::string& name) {
  const KernelChoice kernel = parse_kernel(name);
  const KernelSwitches preset = parse_kernel(kernel.preset).switches;
  Json overrides = Json::object();
  for (const SwitchInfo& info : switch_catalogue()) {
    const std::string_view value = switch_value(kernel.switches, info.name);
    if (value != switch_value(preset, info.name)) overrides[std::string(info.name)] = value;
  }
  return {{"preset", kernel.preset}, {"switches", overrides}};
}

void add_policy(Json& object, std::int64_t policy) {
  object["policy"] = policy == 0 ? "fair" : policy > kRoundRobinPolicy ? "rr" : "fifo";
  if (policy != 0) object["rt_priority"] = policy % kRoundRobinPolicy;
}

Json task_object(const InitialTask& task, int nr_cpus) {
  Json object = {{"cpu", task.cpu}};
  if (const auto nice = nice_of_weight(task.weight))
    object["nice"] = *nice;
  else
    object["weight"] = task.weight;
  add_policy(object, task.policy);
  if (task.group != 0) object["group"] = task.group;
  if (task.cpus != ~CpuMask{0}) object["affinity"] = cpu_list(task.cpus, nr_cpus);
  if (task.util_avg >= 0) object["util_avg"] = task.util_avg;
  object["state"] = task.blocked ? "blocked" : "running";
  return object;
}

Json group_object(const Group& group) {
  Json object = Json::object();
  if (group.parent != 0) object["parent"] = group.parent;
  object["weight"] = group.weight;
  return object;
}

Json event_object(const Event& event, int nr_cpus) {
  Json object = {{"kind", event_name(event.kind)}};
  if (event.after_ns != 0) object["after_ns"] = event.after_ns;
  switch (event.kind) {
    case EventKind::kRun:
      object["duration_ns"] = event.duration_ns;
      return object;
    case EventKind::kUpdateBlocked:
      object["cpu"] = event.cpu;
      return object;
    case EventKind::kExit:
      object["task"] = event.task;
      if (event.duration_ns != 0) object["after_move_ns"] = event.duration_ns;
      if (event.wakes >= 0) object["wakes"] = event.wakes;
      return object;
    case EventKind::kSetAffinity:
      object["task"] = event.task;
      object["cpus"] = cpu_list(event.cpus, nr_cpus);
      return object;
    case EventKind::kSetNice:
      object["task"] = event.task;
      object["nice"] = event.amount;
      return object;
    case EventKind::kSetPolicy:
      object["task"] = event.task;
      add_policy(object, event.amount);
      return object;
    case EventKind::kMoveGroup:
      object["task"] = event.task;
      object["group"] = event.group;
      return object;
    case EventKind::kSetWeight:
      object["group"] = event.group;
      object["weight"] = event.amount;
      return object;
    default:
      object["task"] = event.task;
      return object;
  }
}

Json finding_object(const Finding& finding) {
  Json object = {{"property", finding.property}, {"event", finding.event},
                 {"numbers", finding.numbers},   {"engine", finding.engine},
                 {"seed", finding.seed},         {"minimality", finding.minimality}};
  if (finding.certificate)
    object["certificate"] = {{"engine", finding.certificate->engine},
                             {"universe", finding.certificate->universe},
                             {"counts", finding.certificate->counts}};
  return object;
}

std::string member(const std::string& key, const std::string& text) {
  return "  \"" + key + "\": " + text;
}

/// A list with one element per line.
template <class Elements, class ToObject>
std::string list_member(const char* key, const Elements& elements, const ToObject& to_object) {
  std::string text = "[";
  for (const auto& element : elements)
    text += (text.size() == 1 ? "\n    " : ",\n    ") + dump(to_object(element));
  return member(key, text + (elements.empty() ? "]" : "\n  ]"));
}

std::string finding_member(const Finding& finding) {
  std::string text = "{";
  const Json object = finding_object(finding);
  for (const auto& item : object.items())
    text += (text.size() == 1 ? "\n  " : ",\n  ") + member(item.key(), dump(item.value()));
  return member("finding", text + "\n  }");
}

std::string limit_ids(bool round_robin) {
  std::string text;
  for (const LimitInfo& limit : limits_in_force(round_robin))
    text += (text.empty() ? "[" : ",") + dump(std::string(limit.id));
  return text + "]";
}

}  // namespace

std::string to_json(const Schedule& schedule) {
  const MachineDescription machine = parse_topology(schedule.topology);
  const int nr_cpus = static_cast<int>(machine.cpus.size());
  const bool is_map = schedule.topology.starts_with("map:");  // For people it is written as parts.
  const auto task = [&](const InitialTask& t) { return task_object(t, nr_cpus); };
  const auto event = [&](const Event& e) { return event_object(e, nr_cpus); };
  std::vector<std::string> members = {
      member("format", R"("schedcheck/schedule")"),
      member("version", std::to_string(kScheduleVersion)),
      member("topology", is_map ? topology_json(machine, false) : dump(schedule.topology)),
      member("kernel", dump(kernel_object(schedule.kernel))),
      member("limits", limit_ids(schedule.round_robin)),
      member("tick_ns", std::to_string(schedule.tick_ns)),
      member("max_tasks", std::to_string(schedule.max_tasks))};
  if (std::any_of(schedule.tasks.begin(), schedule.tasks.end(),
                  [](const InitialTask& t) { return t.util_avg >= 0; }))
    members.push_back(member("warm_start", R"("explicit averages")"));
  if (!schedule.groups.empty())
    members.push_back(list_member("groups", schedule.groups, group_object));
  if (schedule.max_sessions > 0)
    members.push_back(member("max_sessions", std::to_string(schedule.max_sessions)));
  if (!schedule.sched_autogroup_enabled)
    members.push_back(member("sched_autogroup_enabled", "false"));
  members.push_back(list_member("tasks", schedule.tasks, task));
  members.push_back(list_member("preamble", schedule.preamble, event));
  members.push_back(list_member("events", schedule.events, event));
  if (schedule.finding) members.push_back(finding_member(*schedule.finding));
  std::string text = "{\n";
  for (const std::string& line : members) text += line + (&line == &members.back() ? "\n" : ",\n");
  return text + "}\n";
}

}  // namespace schedcheck
