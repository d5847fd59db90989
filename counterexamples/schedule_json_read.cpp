// SPDX-License-Identifier: Apache-2.0
/// \file Reads the schedule file, strictly.
#include <algorithm>
#include <limits>
#include <set>

#include "counterexamples/schedule_cost.hpp"
#include "counterexamples/schedule_json.hpp"
#include "counterexamples/schedule_json_strict.hpp"
#include "counterexamples/topology_json.hpp"
#include "model/fair/nice_weight.hpp"
#include "model/input_error.hpp"
#include "model/kernel_switches.hpp"
#include "model/topology/machine_description.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

constexpr std::string_view kFormat = "schedcheck/schedule";
constexpr std::string_view kExplicitAverages = "explicit averages";
constexpr std::int64_t kMinTickNs = 100'000;
constexpr std::int64_t kMaxTickNs = 1'000'000'000;
constexpr std::int64_t kMaxUtil = 1024;

/// What the bounds of an event's arguments depend on, and the time reached so far.
struct Bounds {
  int nr_cpus = 0;
  int max_tasks = 0;
  int nr_groups = 1;  ///< With the root.
  std::int64_t now_ns = 0;
};

void check_format(const JsonPlace& file) {
  if (!file.value().is_object()) file.fail("must be a JSON object");
  if (const JsonPlace format = file.at("format"); format.text() != kFormat)
    format.fail("is not \"" + std::string(kFormat) + "\"; give a schedule file");
  const JsonPlace version = file.at("version");
  const std::int64_t number = version.integer(1, 1'000'000);
  if (number > kScheduleVersion)
    version.fail(std::to_string(number) + " is newer than this program reads (up to " +
                 std::to_string(kScheduleVersion) + "); update schedcheck");
}

std::string read_kernel(const JsonPlace& kernel) {
  if (kernel.value().is_string())
    return with_place(kernel, [&] { return parse_kernel(kernel.text()).name; });
  kernel.expect_object({"preset", "switches"});
  const JsonPlace preset = kernel.at("preset");
  std::string name = preset.text();
  if (name.find(',') != std::string::npos) preset.fail("must be a preset alone; use \"switches\"");
  with_place(preset, [&] { return parse_kernel(name); });
  if (!kernel.has("switches")) return parse_kernel(name).name;
  for (const auto& member : kernel.at("switches").members()) {
    const std::string& key = member.first;
    const JsonPlace& value = member.second;
    const std::string text = value.text();
    KernelSwitches scratch;
    with_place(value, [&] { return set_switch(scratch, key, text), 0; });
    name.append(",").append(key).append("=").append(text);
  }
  return with_place(kernel, [&] { return parse_kernel(name).name; });
}

CpuMask read_cpus(const JsonPlace& list, int nr_cpus) {
  CpuMask cpus = 0;
  for (const JsonPlace& element : list.elements(kMaxCpus)) {
    const CpuMask bit = CpuMask{1} << element.index("CPU", nr_cpus);
    if ((cpus & bit) != 0) element.fail("this CPU is given twice; keep one");
    cpus |= bit;
  }
  if (cpus == 0) list.fail("is empty; name at least one CPU");
  return cpus;
}

std::int64_t read_weight(const JsonPlace& task) {
  if (task.has("weight")) {
    if (task.has("nice")) task.fail(R"(has both "nice" and "weight"; keep one)");
    return task.at("weight").integer(1, kMaxWeight);
  }
  if (!task.has("nice")) return kNice0Weight;
  return weight_of_nice(static_cast<int>(task.at("nice").integer(kMinNice, kMaxNice)));
}

bool read_blocked(const JsonPlace& state) {
  const std::string text = state.text();
  if (text != "running" && text != "blocked") state.fail(R"(must be "running" or "blocked")");
  return text == "blocked";
}

/// "policy" and, for those that have one, "rt_priority".
std::int64_t read_policy(const JsonPlace& place) {
  const std::string name = place.has("policy") ? place.at("policy").text() : "fair";
  if (name != "fair" && name != "fifo" && name != "rr")
    place.at("policy").fail(R"(must be "fair", "fifo" or "rr")");
  if (name == "fair") {
    if (place.has("rt_priority")) place.at("rt_priority").fail("fair tasks have none; remove it");
    return 0;
  }
  return place.at("rt_priority").integer(1, kMaxRtPriority) +
         (name == "rr" ? kRoundRobinPolicy : 0);
}

InitialTask read_task(const JsonPlace& place, const Bounds& bounds, std::set<std::string>& names) {
  place.expect_object({"name", "cpu", "nice", "weight", "policy", "rt_priority", "group",
                       "affinity", "util_avg", "state"});
  InitialTask task;
  if (place.has("name")) {
    const JsonPlace name = place.at("name");
    if (name.text().empty()) name.fail("is empty; leave it out or name the task");
    if (!names.insert(name.text()).second) name.fail("another task has this name; rename one");
  }
  task.cpu = place.at("cpu").index("CPU", bounds.nr_cpus);
  task.weight = read_weight(place);
  task.policy = read_policy(place);
  if (place.has("group")) task.group = place.at("group").index("group", bounds.nr_groups);
  if (place.has("affinity")) task.cpus = read_cpus(place.at("affinity"), bounds.nr_cpus);
  if ((task.cpus >> task.cpu & 1) == 0)
    place.at("cpu").fail(std::to_string(task.cpu) + " is not in the task's affinity; add it there");
  if (place.has("util_avg")) task.util_avg = place.at("util_avg").integer(0, kMaxUtil);
  if (place.has("state")) task.blocked = read_blocked(place.at("state"));
  return task;
}

EventKind read_kind(const JsonPlace& place) {
  const std::string name = place.text();
  const auto* at = std::find(std::begin(kEventNames), std::end(kEventNames), name);
  if (at != std::end(kEventNames)) return static_cast<EventKind>(at - std::begin(kEventNames));
  std::string known;
  for (const std::string_view kind : kEventNames)
    known += (known.empty() ? "" : ", ") + std::string(kind);
  place.fail("unknown kind of event; known: " + known);
}

std::vector<std::string_view> event_keys(EventKind kind) {
  std::vector<std::string_view> keys = {"kind", "after_ns", "at_ns"};
  switch (kind) {
    case EventKind::kRun:
      keys.emplace_back("duration_ns");
      return keys;
    case EventKind::kUpdateBlocked:
      keys.emplace_back("cpu");
      return keys;
    case EventKind::kExit:
      keys.insert(keys.end(), {"task", "after_move_ns", "wakes"});
      return keys;
    case EventKind::kSetAffinity:
      keys.insert(keys.end(), {"task", "cpus"});
      return keys;
    case EventKind::kSetNice:
      keys.insert(keys.end(), {"task", "nice"});
      return keys;
    case EventKind::kSetPolicy:
      keys.insert(keys.end(), {"task", "policy", "rt_priority"});
      return keys;
    case EventKind::kMoveGroup:
      keys.insert(keys.end(), {"task", "group"});
      return keys;
    case EventKind::kSetWeight:
      keys.insert(keys.end(), {"group", "weight"});
      return keys;
    default:
      keys.emplace_back("task");
      return keys;
  }
}

/// The time that passes before the event, from `after_ns` or `at_ns`.
std::int64_t read_after(const JsonPlace& place, std::int64_t now_ns) {
  if (!place.has("at_ns"))
    return place.has("after_ns") ? place.at("after_ns").integer(0, kMaxEventNs) : 0;
  if (place.has("after_ns")) place.fail(R"(has both "after_ns" and "at_ns"; keep one)");
  const JsonPlace at = place.at("at_ns");
  const std::int64_t at_ns = at.integer(0, kMaxScheduleNs);
  if (at_ns < now_ns)
    at.fail(std::to_string(at_ns) + " is in the past; " + std::to_string(now_ns) +
            " ns have passed here");
  if (at_ns - now_ns > kMaxEventNs)
    at.fail("more than " + std::to_string(kMaxEventNs) + " ns after the event before it");
  return at_ns - now_ns;
}

void read_arguments(const JsonPlace& place, const Bounds& bounds, Event& event) {
  if (event.kind == EventKind::kRun) {
    event.duration_ns = place.at("duration_ns").integer(0, kMaxEventNs);
    return;
  }
  if (event.kind == EventKind::kUpdateBlocked) {
    event.cpu = place.at("cpu").index("CPU", bounds.nr_cpus);
    return;
  }
  if (place.has("group")) event.group = place.at("group").index("group", bounds.nr_groups);
  if (event.kind == EventKind::kSetWeight) {
    if (place.at("group").integer(0, kMaxTaskGroups) == 0)
      place.at("group").fail("0 is the root group, which has no weight");
    event.amount = place.at("weight").integer(kMinShares, kMaxShares);
    return;
  }
  event.task = place.at("task").index("task", bounds.max_tasks);
  if (event.kind == EventKind::kSetNice)
    event.amount = place.at("nice").integer(kMinNice, kMaxNice);
  if (event.kind == EventKind::kMoveGroup) place.at("group");
  if (event.kind == EventKind::kSetPolicy) {
    place.at("policy");
    event.amount = read_policy(place);
  }
  if (event.kind == EventKind::kSetAffinity)
    event.cpus = read_cpus(place.at("cpus"), bounds.nr_cpus);
  if (place.has("after_move_ns"))
    event.duration_ns = place.at("after_move_ns").integer(0, kMaxEventNs);
  if (place.has("wakes")) {
    event.wakes = place.at("wakes").index("task", bounds.max_tasks);
    if (event.wakes == event.task) place.at("wakes").fail("a task that exits cannot wake itself");
  }
}

Event read_event(const JsonPlace& place, Bounds& bounds) {
  if (!place.value().is_object()) place.fail("must be an object with a \"kind\"");
  Event event;
  event.kind = read_kind(place.at("kind"));
  place.expect_object(event_keys(event.kind));
  event.after_ns = read_after(place, bounds.now_ns);
  read_arguments(place, bounds, event);
  bounds.now_ns += event.after_ns + event.duration_ns;
  if (bounds.now_ns > kMaxScheduleNs)
    place.fail("the schedule lasts longer than " + std::to_string(kMaxScheduleNs) + " ns");
  return event;
}

std::vector<Event> read_events(const JsonPlace& list, Bounds& bounds) {
  std::vector<Event> events;
  for (const JsonPlace& place : list.elements(kMaxScheduleEvents))
    events.push_back(read_event(place, bounds));
  return events;
}

/// Only beside the claim that it is about.
Certificate read_certificate(const JsonPlace& place, const std::string& minimality) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  place.expect_object({"engine", "universe", "counts"});
  if (minimality != "certified shortest")
    place.fail("only minimality \"certified shortest\" has a certificate; drop it");
  Certificate certificate;
  certificate.engine = place.at("engine").text();
  certificate.universe = place.at("universe").text();
  for (const auto& [name, number] : place.at("counts").members())
    certificate.counts[name] = number.integer(0, kAny);
  return certificate;
}

Finding read_finding(const JsonPlace& place, std::size_t nr_events) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  place.expect_object(
      {"property", "event", "numbers", "engine", "seed", "minimality", "certificate"});
  Finding finding;
  const JsonPlace property = place.at("property");
  finding.property = property.text();
  const auto pages = property_catalogue();
  if (std::none_of(pages.begin(), pages.end(),
                   [&](const PropertyInfo& page) { return page.name == finding.property; }))
    property.fail("unknown property; see schedcheck list properties");
  finding.event =
      static_cast<int>(place.at("event").integer(0, static_cast<std::int64_t>(nr_events)));
  if (place.has("numbers"))
    for (const auto& [name, number] : place.at("numbers").members())
      finding.numbers[name] = number.integer(-kAny - 1, kAny);
  if (place.has("engine")) finding.engine = place.at("engine").text();
  if (place.has("seed")) finding.seed = place.at("seed").unsigned_integer();
  if (place.has("minimality")) finding.minimality = place.at("minimality").text();
  if (place.has("certificate"))
    finding.certificate = read_certificate(place.at("certificate"), finding.minimality);
  return finding;
}

std::vector<Group> read_groups(const JsonPlace& list) {
  std::vector<Group> groups;
  for (const JsonPlace& place : list.elements(kMaxTaskGroups)) {
    place.expect_object({"parent", "weight"});
    Group group;
    if (place.has("parent"))
      group.parent = place.at("parent").index("group", static_cast<int>(groups.size()) + 1);
    if (place.has("weight")) group.weight = place.at("weight").integer(kMinShares, kMaxShares);
    groups.push_back(group);
  }
  return groups;
}

/// Without a number, as many sessions as there are events that start one.
void read_sessions(const JsonPlace& file, Schedule& schedule) {
  const auto most = kMaxTaskGroups - static_cast<std::int64_t>(schedule.groups.size());
  const std::int64_t sessions = file.has("max_sessions")
                                    ? file.at("max_sessions").integer(0, most)
                                    : count_events(schedule, EventKind::kSetsid);
  if (sessions > most)
    file.fail("starts " + std::to_string(sessions) +
              " sessions; groups and sessions together are " + std::to_string(kMaxTaskGroups) +
              " at most; set \"max_sessions\"");
  schedule.max_sessions = static_cast<int>(sessions);
}

/// What tasks that take turns (limit L1) cannot have.
void check_turns(const JsonPlace& file, const Schedule& schedule) {
  if (!schedule.round_robin) return;
  const bool has_rt = std::any_of(schedule.tasks.begin(), schedule.tasks.end(),
                                  [](const InitialTask& task) { return task.policy != 0; });
  if (!schedule.groups.empty() || schedule.max_sessions > 0 || has_rt)
    file.at("limits").fail(
        "L1 (tasks take turns) excludes groups, sessions and RT tasks; remove it");
}

std::vector<InitialTask> read_tasks(const JsonPlace& list, const Bounds& bounds) {
  std::vector<InitialTask> tasks;
  std::set<std::string> names;
  for (const JsonPlace& place : list.elements(static_cast<std::size_t>(bounds.max_tasks)))
    tasks.push_back(read_task(place, bounds, names));
  return tasks;
}

/// A start from averages that no run produced must say so.
void check_warm_start(const JsonPlace& file, const std::vector<InitialTask>& tasks) {
  const bool explicit_averages = std::any_of(
      tasks.begin(), tasks.end(), [](const InitialTask& task) { return task.util_avg >= 0; });
  const std::string label = R"("warm_start": ")" + std::string(kExplicitAverages) + "\"";
  if (explicit_averages != file.has("warm_start"))
    file.fail(explicit_averages ? "tasks have util_avg; label the start with " + label
                                : "no task has util_avg; remove " + label);
  if (explicit_averages && file.at("warm_start").text() != kExplicitAverages)
    file.at("warm_start").fail("must be \"" + std::string(kExplicitAverages) + "\"");
}

std::int64_t read_tick(const JsonPlace& tick) {
  const std::int64_t tick_ns = tick.integer(0, kMaxTickNs);
  if (tick_ns != 0 && tick_ns < kMinTickNs)
    tick.fail(std::to_string(tick_ns) + " is too short; use 0 for no ticks, or " +
              std::to_string(kMinTickNs) + ".." + std::to_string(kMaxTickNs));
  return tick_ns;
}

/// Refuses what would look like a hang, at the event where it becomes too long.
void check_work(const JsonPlace& file, const Schedule& schedule, int nr_cpus) {
  const auto over = beyond_work(schedule, nr_cpus, kMaxScheduleWork);
  if (!over) return;
  const std::string list = over->in_preamble ? "preamble" : "events";
  JsonPlace(file.at(list).value()[over->index], file.source_name(),
            "/" + list + "/" + std::to_string(over->index))
      .fail("too long to replay: " + std::to_string(over->ticks) + " ticks and " +
            std::to_string(over->nr_events) + " events up to here, with " +
            std::to_string(task_numbers(schedule)) + " tasks on " + std::to_string(nr_cpus) +
            " CPUs, are more than " + std::to_string(kMaxScheduleWork) +
            " steps of work; shorten the times, raise /tick_ns or set it to 0 (no ticks), or use "
            "fewer events, tasks or CPUs");
}

}  // namespace

Schedule schedule_from_json(std::string_view text, const std::string& source_name) {
  const nlohmann::json tree = parse_strict_json(text, source_name);
  const JsonPlace file(tree, source_name);
  check_format(file);
  file.expect_object({"format", "version", "topology", "kernel", "limits", "tick_ns", "max_tasks",
                      "groups", "max_sessions", "sched_autogroup_enabled", "warm_start", "tasks",
                      "preamble", "events", "finding"});
  Schedule schedule;
  Bounds bounds;
  const JsonPlace topology = file.at("topology");
  if (topology.value().is_object()) {
    const MachineDescription machine = read_topology("in " + source_name, topology);
    schedule.topology = canonical_spec(machine);
    bounds.nr_cpus = static_cast<int>(machine.cpus.size());
  } else {
    schedule.topology = topology.text();
    bounds.nr_cpus = with_place(
        topology, [&] { return static_cast<int>(parse_topology(schedule.topology).cpus.size()); });
  }
  schedule.kernel = read_kernel(file.at("kernel"));
  if (file.has("limits"))
    for (const JsonPlace& limit : file.at("limits").elements(1000))
      if (limit.text() == "L1") schedule.round_robin = true;
  if (file.has("tick_ns")) schedule.tick_ns = read_tick(file.at("tick_ns"));
  if (file.has("max_tasks"))
    schedule.max_tasks = static_cast<int>(file.at("max_tasks").integer(1, kMaxTasks));
  bounds.max_tasks = schedule.max_tasks;
  if (file.has("groups")) schedule.groups = read_groups(file.at("groups"));
  bounds.nr_groups = static_cast<int>(schedule.groups.size()) + 1;
  if (file.has("sched_autogroup_enabled"))
    schedule.sched_autogroup_enabled = file.at("sched_autogroup_enabled").boolean();
  schedule.tasks = read_tasks(file.at("tasks"), bounds);
  check_warm_start(file, schedule.tasks);
  if (file.has("preamble")) schedule.preamble = read_events(file.at("preamble"), bounds);
  schedule.events = read_events(file.at("events"), bounds);
  read_sessions(file, schedule);
  check_turns(file, schedule);
  check_work(file, schedule, bounds.nr_cpus);
  if (file.has("finding"))
    schedule.finding = read_finding(file.at("finding"), schedule.events.size());
  return schedule;
}

}  // namespace schedcheck
