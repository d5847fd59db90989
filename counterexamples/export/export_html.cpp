// SPDX-License-Identifier: Apache-2.0
/// \file Export format `html`: the data of the page.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "counterexamples/blame.hpp"
#include "counterexamples/explain.hpp"
#include "counterexamples/export/export.hpp"
#include "counterexamples/export/html_page.hpp"
#include "counterexamples/export/timeline.hpp"
#include "counterexamples/export/workload_words.hpp"
#include "counterexamples/replay.hpp"
#include "counterexamples/schedule_json.hpp"
#include "model/kernel_switches.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

using Json = nlohmann::ordered_json;

Json level_json(const LevelRecord& level) {
  Json groups = Json::array();
  for (std::size_t i = 0; i < level.groups.size(); ++i) {
    const GroupRecord& g = level.groups[i];
    groups.push_back(
        {{"cpus", mask_text(g.cpus)},
         {"type", g.type},
         {"nr", g.nr_running},
         {"idle", g.idle_cpus},
         {"util", g.util},
         {"spare", spare_up_to(g.cpus, level.imbalance_pct)},
         {"runnable", g.runnable},
         {"load", g.load},
         {"local", g.local},
         {"allowed", g.allowed},
         {"chosen", level.chosen == static_cast<int>(i) || (level.chosen < 0 && g.local)}});
  }
  return {{"domain", level.domain},
          {"cpu", level.cpu},
          {"pct", level.imbalance_pct},
          {"reason", level.reason},
          {"groups", groups}};
}

Json cpu_json(const CpuSnapshot& c) {
  return {{"curr", c.curr},       {"nr", c.nr_running},
          {"util", c.util_avg},   {"util_sum", c.util_sum},
          {"live", c.live_sum},   {"dead", c.dead_sum},
          {"clamp", c.clamp_sum}, {"pending", c.pending_avg},
          {"busy", c.busy_sum},   {"divider", std::max<std::int64_t>(1, c.divider)}};
}

Json step_json(const ReplayStep& step) {
  Json violated = Json::array();
  for (const Violation& v : step.violations) {
    std::string text(property_catalogue()[v.property].name);
    for (const auto& [name, value] : v.numbers) text += fmt::format(", {} {}", name, value);
    violated.push_back(text);
  }
  Json cpus = Json::array();
  for (const CpuSnapshot& cpu : step.cpus) cpus.push_back(cpu_json(cpu));
  Json fork;
  if (step.fork) {
    Json levels = Json::array();
    for (const LevelRecord& level : step.fork->levels) levels.push_back(level_json(level));
    fork = {{"child", step.fork->child}, {"chosen", step.fork->chosen_cpu}, {"levels", levels}};
  }
  const std::string after =
      step.event.after_ns > 0 ? fmt::format("after {} ns, ", step.event.after_ns) : "";
  return {{"ns", step.now_ns},
          {"text", after + event_words(step.event)},
          {"cpus", cpus},
          {"fork", fork},
          {"violated", violated}};
}

/// Who runs, and the averages, before the first event that is judged.
Json start_json(const Timeline& line, int first_event, std::int64_t start_ns) {
  std::vector<int> curr(static_cast<std::size_t>(line.nr_cpus), kNoTask);
  for (const Change& c : line.changes) {
    if (c.kind == ChangeKind::kEvent && c.event == first_event) break;
    if (c.ns > start_ns) break;
    if (c.kind == ChangeKind::kSwitch) curr[static_cast<std::size_t>(c.cpu)] = c.other;
  }
  const Sample* last = &line.samples.front();
  for (const Sample& sample : line.samples)
    if (first_event > 0 && sample.ns <= start_ns) last = &sample;
  Json cpus = Json::array();
  for (std::size_t cpu = 0; cpu < curr.size(); ++cpu)
    cpus.push_back({{"curr", curr[cpu]}, {"util", last->cpus[cpu].util_avg}});
  return cpus;
}

Json side_json(const std::string& name, const Schedule& schedule, PropertySet wanted) {
  const Timeline line = record_timeline(schedule);
  const int first = static_cast<int>(schedule.preamble.size());
  const std::int64_t start_ns = schedule.events.empty() ? line.end_ns
                                                        : line.events[schedule.preamble.size()].ns -
                                                              schedule.events.front().after_ns;
  Json steps = Json::array();
  replay(schedule, wanted, ReplayDetail::kEveryStep, [&](const ReplayStep& step) {
    if (step.happened) steps.push_back(step_json(step));
  });
  Json slices = Json::array();
  for (const Slice& s : slices_of(line))
    if (s.to_ns > start_ns)
      slices.push_back({{"cpu", s.cpu}, {"task", s.task}, {"from", s.from_ns}, {"to", s.to_ns}});
  Json samples = Json::array();
  for (const Sample& s : line.samples) {
    if (s.ns <= start_ns) continue;
    Json util = Json::array();
    for (const Sample::Cpu& cpu : s.cpus) util.push_back(cpu.util_avg);
    samples.push_back({{"ns", s.ns}, {"util", util}});
  }
  return {{"name", name},           {"kernel", schedule.kernel},
          {"start_ns", start_ns},   {"start", start_json(line, first, start_ns)},
          {"tasks", line.nr_tasks}, {"steps", steps},
          {"slices", slices},       {"samples", samples}};
}

/// The schedule on a kernel where only what is to blame is otherwise; none if nothing is known.
std::optional<Schedule> other_side(const Schedule& schedule) {
  if (!schedule.finding) return std::nullopt;
  const Blame why = blame(schedule, "", "export");
  if (why.sets.empty()) return std::nullopt;

  const std::vector<BlamedSwitch>& blamed = why.sets.front().switches;
  const KernelChoice kernel = parse_kernel(schedule.kernel);
  std::string name = kernel.preset;
  for (const SwitchInfo& info : switch_catalogue()) {
    const auto at = std::find_if(blamed.begin(), blamed.end(),
                                 [&](const BlamedSwitch& s) { return s.name == info.name; });
    name += fmt::format(",{}={}", info.name,
                        at != blamed.end() ? at->other : switch_value(kernel.switches, info.name));
  }
  Schedule other = schedule;
  other.finding.reset();
  other.kernel = parse_kernel(name).name;
  return other;
}

std::string commands_text(const Schedule& schedule, const std::optional<Schedule>& other) {
  std::string text =
      "schedcheck explain FILE\nschedcheck replay FILE --trace\nschedcheck blame FILE\n";
  if (other) text += fmt::format("schedcheck replay FILE --kernel {}\n", other->kernel);
  return text +
         "schedcheck run FILE                               # on this machine's kernel, as root\n"
         "schedcheck export FILE --to sh -o run.sh && sh run.sh\n" +
         published_command(schedule) + "   # the published benchmark that shows the same\n";
}

/// The largest util with which one CPU counts as having spare capacity; 0: no domain was asked.
std::int64_t spare_limit(const Json& side) {
  for (const Json& step : side["steps"])
    if (!step["fork"].is_null())
      for (const Json& level : step["fork"]["levels"])
        return spare_up_to(1, level["pct"].get<int>());
  return 0;
}

Json texts_json(const Schedule& schedule, const std::optional<Schedule>& other) {
  std::string title = "A schedule on " + schedule.kernel;
  std::string claim = "The schedule claims nothing: it is no counterexample.";
  std::string why;
  std::string verdict;
  if (schedule.finding) {
    const Finding& f = *schedule.finding;
    const PropertyInfo& p = property_catalogue()[property_index(f.property)];
    title = fmt::format("{} is violated on {}", f.property, schedule.kernel);
    claim = "Claim: " + std::string(p.claim);
    why = fmt::format("Why it matters: {} Source: {}.", p.why, p.source);
    verdict = fmt::format("Violated at event {} of {} on {}", f.event, schedule.events.size(),
                          schedule.topology);
    for (const auto& [name, value] : f.numbers) verdict += fmt::format(", {} {}", name, value);
    verdict += f.minimality.empty() ? "." : "; " + f.minimality + ".";
  }
  return {{"title", title},
          {"claim", claim},
          {"why", why},
          {"verdict", verdict},
          {"explained", explain_schedule(schedule, "export")},
          {"commands", commands_text(schedule, other)},
          {"schedule", to_json(schedule)}};
}

/// JSON that no HTML parser can take for the end of the element around it.
std::string inside_script(const Json& data) {
  const std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  for (const char c : text) safe += c == '<' ? "\\u003c" : std::string(1, c);
  return safe;
}

}  // namespace

std::string export_html(const Schedule& schedule) {
  const PropertySet wanted = schedule.finding
                                 ? PropertySet{1} << property_index(schedule.finding->property)
                                 : PropertySet{0};
  const std::optional<Schedule> other = other_side(schedule);
  Json sides = Json::array();
  sides.push_back(
      side_json(other ? "Before: " + schedule.kernel : schedule.kernel, schedule, wanted));
  if (other) sides.push_back(side_json("After: " + other->kernel, *other, wanted));
  const Json data = {{"texts", texts_json(schedule, other)},
                     {"violated", schedule.finding ? schedule.finding->event : 0},
                     {"limit", spare_limit(sides[0])},
                     {"sides", sides}};
  std::string page(kHtmlHead);
  page += inside_script(data);
  for (const std::string_view part : {kHtmlFrame, kHtmlDraw, kHtmlShow}) page += part;
  return page;
}

}  // namespace schedcheck
