// SPDX-License-Identifier: Apache-2.0
/// \file The choice of the failure, of the other kernel, and the search over subsets.
#include "counterexamples/blame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "counterexamples/replay.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

/// Switches in which two kernels differ and that events read, as positions in the catalogue.
std::vector<std::size_t> differing(const KernelSwitches& a, const KernelSwitches& b) {
  std::vector<std::size_t> result;
  const auto catalogue = switch_catalogue();
  for (std::size_t i = 0; i < catalogue.size(); ++i)
    if (catalogue[i].in_events &&
        switch_value(a, catalogue[i].name) != switch_value(b, catalogue[i].name))
      result.push_back(i);
  return result;
}

/// `base` with the switches of `subset` (bits index `which`) taken from `source`.
KernelSwitches with_values(KernelSwitches base, const KernelSwitches& source,
                           const std::vector<std::size_t>& which, unsigned subset) {
  for (std::size_t i = 0; i < which.size(); ++i)
    if ((subset >> i & 1U) != 0)
      set_switch(base, switch_catalogue()[which[i]].name,
                 switch_value(source, switch_catalogue()[which[i]].name));
  return base;
}

BlamedSwitch describe_switch(std::size_t index, const KernelSwitches& a, const KernelSwitches& b) {
  const SwitchInfo& info = switch_catalogue()[index];
  BlamedSwitch blamed;
  blamed.name = info.name;
  blamed.value = switch_value(a, info.name);
  blamed.other = switch_value(b, info.name);
  blamed.thread = info.thread;
  // A value that was there before v5.8 has no commit: the one that replaced it tells the story.
  for (const std::string& name : {blamed.value, blamed.other}) {
    if (!blamed.commit.empty()) break;
    for (const SwitchValue& value : info.values) {
      if (value.name != name) continue;
      blamed.commit = value.commit;
      blamed.first = value.first;
      blamed.evidence = value.evidence;
    }
  }
  return blamed;
}

/// Whether the failure occurs with given switches.
using Failing = std::function<Outcome(const KernelSwitches&)>;

/// All subsets of the smallest size that end the failure.
std::vector<BlameSet> smallest_sets(const KernelSwitches& a, const KernelSwitches& b,
                                    const Failing& fails) {
  const std::vector<std::size_t> which = differing(a, b);
  std::vector<BlameSet> found;
  for (int size = 1; size <= static_cast<int>(which.size()) && found.empty(); ++size) {
    for (unsigned subset = 1; subset < 1U << which.size(); ++subset) {
      if (std::popcount(subset) != size) continue;
      if (fails(with_values(a, b, which, subset)) != Outcome::kHolds) continue;
      BlameSet set;
      for (std::size_t i = 0; i < which.size(); ++i)
        if ((subset >> i & 1U) != 0) set.switches.push_back(describe_switch(which[i], a, b));
      set.both_ways = fails(with_values(b, a, which, subset)) == Outcome::kFails;
      found.push_back(std::move(set));
    }
  }
  return found;
}

/// Presets by distance from `preset` in the list, the newer of two equally near ones first.
std::vector<std::string> by_distance(const std::string& preset) {
  std::vector<std::string> names = known_presets();
  const auto at = std::find(names.begin(), names.end(), preset) - names.begin();
  std::vector<std::string> result;
  const auto size = static_cast<std::ptrdiff_t>(names.size());
  for (std::ptrdiff_t distance = 0; distance < size; ++distance) {
    if (at + distance < size) result.push_back(names[static_cast<std::size_t>(at + distance)]);
    if (distance > 0 && at - distance >= 0)
      result.push_back(names[static_cast<std::size_t>(at - distance)]);
  }
  return result;
}

Blame blame_property(const Schedule& schedule, Blame result, const std::string& against) {
  const std::size_t property = *result.property;
  const std::string name(property_catalogue()[property].name);
  const KernelChoice mine = parse_kernel(schedule.kernel);
  const Failing fails = [&](const KernelSwitches& switches) {
    return outcome_on(schedule, switches, property, result.event);
  };
  result.failure = fmt::format("{} violated at event {}", name, result.event);
  const auto presets = against.empty() ? by_distance(mine.preset) : std::vector{against};
  for (const std::string& preset : presets) {
    const KernelChoice other = parse_kernel(preset);
    const Outcome outcome = fails(other.switches);
    if (outcome == Outcome::kHolds) {
      result.against = other.name;
      result.sets = smallest_sets(mine.switches, other.switches, fails);
      if (result.sets.empty()) result.nothing = "no set of switches ends the failure";
      return result;
    }
    if (against.empty()) continue;
    result.against = other.name;
    result.nothing =
        outcome == Outcome::kFails
            ? fmt::format("{} is violated on {} too: nothing that differs is to blame", name,
                          other.name)
            : fmt::format("on {} the schedule is not enabled up to event {}: it does not apply",
                          other.name, result.event);
    return result;
  }
  result.nothing = fmt::format(
      "{} is violated, or the schedule not enabled up to event {}, on every preset: no switch is "
      "to blame",
      name, result.event);
  return result;
}

/// A placement "fails" with switches that decide as the file's kernel does, and "holds" with
/// those that decide as the other one: what comes before is the same on both.
Blame blame_placement(const Schedule& schedule, Blame result, const KernelChoice& mine,
                      const KernelChoice& other, const Divergence& divergence) {
  const Event& event = schedule.events[static_cast<std::size_t>(divergence.event) - 1];
  result.event = divergence.event;
  result.against = other.name;
  result.failure = fmt::format("event {}: {} task {} goes to CPU {}, on {} to CPU {}",
                               divergence.event, event_name(event.kind), divergence.a.task,
                               divergence.a.chosen_cpu, other.name, divergence.b.chosen_cpu);
  const auto name_of = [&](const KernelSwitches& switches) {
    std::string name = mine.preset;
    for (const SwitchInfo& info : switch_catalogue())
      name += fmt::format(",{}={}", info.name, switch_value(switches, info.name));
    return name;
  };
  const Failing fails = [&](const KernelSwitches& switches) {
    const std::string name = name_of(switches);
    const int from_mine = TwoKernels(mine.name, name).lockstep(schedule).event;
    const int from_other = TwoKernels(other.name, name).lockstep(schedule).event;
    if (from_mine != divergence.event && from_other == divergence.event) return Outcome::kFails;
    if (from_mine == divergence.event && from_other != divergence.event) return Outcome::kHolds;
    return Outcome::kNotReached;  // A third place.
  };
  result.sets = smallest_sets(mine.switches, other.switches, fails);
  if (result.sets.empty()) result.nothing = "no set of switches gives the other kernel's decision";
  return result;
}

}  // namespace

Outcome outcome_on(const Schedule& schedule, const KernelSwitches& switches, std::size_t property,
                   int event) {
  Model model = make_model(schedule);
  model.kernel = switches;
  configure(model, schedule);
  Schedule same = schedule;
  same.events.resize(static_cast<std::size_t>(event));
  const RunResult run = run_schedule(model, same, PropertySet{1} << property, property);
  const Violation* violation = run.of(property);
  if (violation != nullptr) return Outcome::kFails;
  return run.skipped > 0 ? Outcome::kNotReached : Outcome::kHolds;
}

Blame blame(const Schedule& schedule, const std::string& against, const std::string& source) {
  const KernelChoice mine = parse_kernel(schedule.kernel);
  Blame result;
  result.kernel = mine.name;
  const Replay run = replay(schedule);
  require_enabled(run, schedule, source);
  const auto first_of = [&](std::size_t property) {
    return std::find_if(run.violations.begin(), run.violations.end(),
                        [&](const Violation& v) { return v.property == property; });
  };
  if (schedule.finding && !schedule.finding->property.empty()) {
    const std::size_t property = property_index(schedule.finding->property);
    const auto violation = first_of(property);
    if (violation == run.violations.end())
      throw InputError(
          fmt::format("{}: /finding/property: {} is not violated on {}; drop the "
                      "finding or mend the schedule",
                      source, schedule.finding->property, mine.name));
    result.property = property;
    result.event = violation->event;
    return blame_property(schedule, std::move(result), against);
  }
  if (!against.empty()) {
    const KernelChoice other = parse_kernel(against);
    if (const auto divergence = TwoKernels(mine.name, other.name).divergence(schedule))
      return blame_placement(schedule, std::move(result), mine, other, *divergence);
  }
  if (run.violations.empty()) {
    result.against = against;
    result.nothing =
        fmt::format("nothing fails: no property is violated on {}{}", mine.name,
                    against.empty() ? "; give --against to ask about a placement"
                                    : fmt::format(", and {} places every task alike", against));
    return result;
  }
  result.property = run.violations.front().property;
  result.event = run.violations.front().event;
  return blame_property(schedule, std::move(result), against);
}

}  // namespace schedcheck
