// SPDX-License-Identifier: Apache-2.0
/// \file Options to models, verdicts to text.
#include "cli/solver_setup.hpp"

#include "cli/output.hpp"
#include "model/input_error.hpp"
#include "model/limits.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck::cli {

Schedule solver_schedule(const SolverOptions& o) {
  Schedule schedule = empty_schedule(o.kernel, o.topology, o.tick_ns, o.tasks);
  schedule.round_robin = true;
  const std::int64_t grid_ns = o.grid_units * kNsPerUnit;
  if (kWindowUnits % o.grid_units != 0)
    throw InputError(
        fmt::format("--time-grid {}: must divide a window of 1024 units", o.grid_units));
  if (o.tick_ns % grid_ns != 0)
    throw InputError(
        fmt::format("--tick-ns {}: ticks must lie on the time grid of {} ns; take 0 or 1048576",
                    o.tick_ns, grid_ns));
  // Every tick is a step of every CPU in the formula.
  constexpr std::int64_t kTicksMax = 8;
  if (o.tick_ns > 0 && o.windows * kWindowNs / o.tick_ns > kTicksMax)
    throw InputError(fmt::format(
        "--tick-ns {}: more than {} ticks in a run of {} windows; take longer ticks or fewer "
        "--windows",
        o.tick_ns, kTicksMax, o.windows));
  if (!o.smt2.empty()) require_writable(o.smt2);
  const Model model = make_model(schedule);
  if (model.topology.nr_cpus > 8)
    throw InputError(fmt::format("--topology {}: {} CPUs, the solver takes at most 8; try smp:4",
                                 o.topology, model.topology.nr_cpus));
  return schedule;
}

Model solver_model(const Schedule& schedule, std::size_t property) {
  Model model = make_model(schedule);
  model.balances = needs_balances(property);
  return model;
}

void require_judged(std::size_t property) {
  if ((judged_symbolically() >> property & 1) != 0) return;
  throw InputError(fmt::format(
      "{}: the solver does not judge it (it needs virtual time or groups, follows a scenario, or "
      "looks at the state before an event); use check",
      property_catalogue()[property].name));
}

Universe solver_universe(const SolverOptions& o) {
  Universe universe;
  universe.state.grid_ns = o.grid_units * kNsPerUnit;
  universe.state.age_windows_max = 4;
  universe.duration_windows_max = o.windows;
  return universe;
}

Json universe_json(const SolverOptions& o, const Schedule& schedule, const std::string& start) {
  Json limits = Json::array();
  for (const LimitInfo& limit : limits_in_force(true)) limits.push_back(limit.id);
  Json events = Json::array();
  for (int kind = 0; kind < kQueryEventKinds; ++kind)
    events.push_back(event_name(static_cast<EventKind>(kind)));
  return {{"cpus", make_model(schedule).topology.nr_cpus},
          {"tasks", schedule.max_tasks},
          {"events", events},
          {"duration_ns_max", o.windows * kWindowNs},
          {"grid_ns", o.grid_units * kNsPerUnit},
          {"tick_ns", schedule.tick_ns},
          {"start", start},
          {"limits", limits}};
}

Json verdicts_json(const Schedule& schedule) {
  return {{"format", "schedcheck/verdicts"},
          {"version", 1},
          {"kernel", schedule.kernel},
          {"topology", schedule.topology},
          {"verdicts", Json::array()}};
}

Json verdict_json(const SolverVerdict& v, const Json& universe) {
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
  Json json = {{"property", property_catalogue()[v.property].name},
               {"verdict", v.verdict},
               {"why", v.why},
               {"documented", v.documented},
               {"events", or_null(v.events)},
               {"depth", or_null(v.depth)},
               {"cases", nullptr},
               {"engine", v.engine},
               {"seconds", v.seconds},
               {"antecedent_count", nullptr},
               {"universe", universe},
               {"conditions", v.conditions},
               {"cover", or_null(v.cover)},
               {"canary", or_null(v.canary)},
               {"counterexample", v.counterexample.empty() ? Json() : Json(v.counterexample)}};
  json.update(v.more);
  return json;
}

void print_verdict(const SolverVerdict& v) {
  const std::string_view name = property_catalogue()[v.property].name;
  const bool bad = v.verdict == "violated";
  const bool good = v.verdict == "proved" || v.verdict.starts_with("holds");
  std::string text = v.verdict;
  if (v.depth && v.verdict == "holds up to bound")
    text += fmt::format(" of {} event{}", *v.depth, *v.depth == 1 ? "" : "s");
  print("{}: {}{}  ({}, {:.1f} s)\n", name,
        paint(text, bad    ? "31"
                    : good ? "32"
                           : "33"),
        bad ? (v.documented ? " (documented)" : " (new)") : "", v.engine, v.seconds);
  if (!v.why.empty()) print("  {}\n", v.why);
  for (const std::string& condition : v.conditions) print("  given: {}\n", condition);
  if (v.cover) print("  cover: {}\n", *v.cover);
  if (v.canary) print("  canary: {}\n", *v.canary);
  if (!v.state.empty()) print("{}", v.state);
  if (!v.counterexample.empty())
    print("  written to {}; to see why: schedcheck explain {}\n", v.counterexample,
          v.counterexample);
}

std::string events_text(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) {
    if (!text.empty()) text += ", ";
    text += describe(event);
    if (event.kind == EventKind::kExit && event.duration_ns > 0)
      text += fmt::format(" (dies {} ns after its step)", event.duration_ns);
    if (event.wakes >= 0) text += fmt::format(" waking task {}", event.wakes);
  }
  return text;
}

std::string state_text(const Model& model, const Machine<NativeDomain>& m) {
  std::string text;
  for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu) {
    const Rq<NativeDomain>& rq = cpu_rq(m, cpu);
    const int curr = static_cast<int>(rq.curr);
    text += fmt::format("  CPU {}: {}, nr_running {}, util {} load {} runnable {}{}\n", cpu,
                        curr == kNoTask ? std::string("idle") : fmt::format("runs task {}", curr),
                        std::int64_t{rq.nr_running}, std::int64_t{rq.cfs.avg.util_avg},
                        std::int64_t{rq.cfs.avg.load_avg}, std::int64_t{rq.cfs.avg.runnable_avg},
                        rq.cfs.removed.nr > 0 ? ", a removal is pending" : "");
  }
  constexpr std::array<const char*, 4> kStates = {"not born", "queued", "asleep", "dead"};
  for (std::size_t t = 0; t < m.task.size(); ++t) {
    const Task<NativeDomain>& task = m.task[t];
    const auto state = static_cast<std::size_t>(std::int64_t{task.state});
    if (state == kUnborn) continue;
    text += fmt::format("  task {}: {} on CPU {}, may use CPUs {:#x}, util {}\n", t, kStates[state],
                        std::int64_t{task.cpu}, static_cast<CpuMask>(task.cpus_ptr),
                        std::int64_t{task.avg.util_avg});
  }
  return text;
}

std::string canary_found(const Canary& canary, std::size_t events) {
  return fmt::format("{} is found in {} event{}", canary.name, events, events == 1 ? "" : "s");
}

std::string canary_not_found(const Canary& canary) {
  return fmt::format("the fault {} is not found at this bound", canary.name);
}

std::optional<std::string> canary_text(const BoundedQuery& query, std::string& missing) {
  const std::optional<Canary> canary = canary_for(query.property, query.model.kernel);
  if (!canary) {
    missing = "no fault is known that would break it";
    return std::nullopt;
  }
  BoundedQuery faulty = query;
  faulty.dump = nullptr;
  faulty.model.kernel = canary->kernel;
  faulty.mutant = canary->mutant;
  const BoundedResult result = check_bounded(faulty);
  if (result.outcome == BoundedResult::Outcome::kViolated)
    return canary_found(*canary, static_cast<std::size_t>(result.depth));
  missing = canary_not_found(*canary);
  return std::nullopt;
}

}  // namespace schedcheck::cli
