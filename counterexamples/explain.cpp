// SPDX-License-Identifier: Apache-2.0
/// \file Sentences for people.
#include "counterexamples/explain.hpp"

#include <fmt/format.h>

#include "model/limits.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

std::string time_text(std::int64_t ns) {
  if (ns % kNsPerUnit == 0) return fmt::format("{} units ({} ns)", ns / kNsPerUnit, ns);
  return fmt::format("{} ns", ns);
}

std::string event_text(const ReplayStep& step) {
  const Event& e = step.event;
  std::string text;
  switch (e.kind) {
    case EventKind::kRun:
      text = fmt::format("{} pass", time_text(e.duration_ns));
      break;
    case EventKind::kFork:
      text = step.fork ? fmt::format("task {} on CPU {} forks task {}", e.task, step.fork->this_cpu,
                                     step.fork->child)
                       : fmt::format("task {} forks", e.task);
      break;
    case EventKind::kExit:
      text = fmt::format("task {} exits", e.task);
      if (e.duration_ns > 0)
        text += fmt::format(", running {} after the exit step", time_text(e.duration_ns));
      if (e.wakes >= 0) text += fmt::format(", and wakes task {}", e.wakes);
      break;
    case EventKind::kBlock:
      text = fmt::format("task {} blocks", e.task);
      break;
    case EventKind::kWake:
      text = fmt::format("task {} wakes", e.task);
      break;
    case EventKind::kSetAffinity:
      text = fmt::format("task {} may use CPUs {} from now on", e.task, mask_text(e.cpus));
      break;
    case EventKind::kUpdateBlocked:
      text = fmt::format("the averages of CPU {} are refreshed", e.cpu);
      break;
    case EventKind::kYield:
      text = fmt::format("task {} yields", e.task);
      break;
    case EventKind::kSetNice:
      text = fmt::format("task {} gets nice {}", e.task, e.amount);
      break;
    case EventKind::kMoveGroup:
      text = fmt::format("task {} joins group {}", e.task, e.group);
      break;
    case EventKind::kSetPolicy:
      text = fmt::format("task {} gets the policy {}", e.task, policy_name(e.amount));
      break;
    case EventKind::kSetWeight:
      text = fmt::format("group {} gets weight {}", e.group, e.amount);
      break;
    case EventKind::kSetsid:
      text = fmt::format("task {} starts a session, with an autogroup", e.task);
      break;
  }
  return e.after_ns > 0 ? fmt::format("after {}, {}", time_text(e.after_ns), text) : text;
}

std::string group_text(const GroupRecord& group) {
  return fmt::format("{}{}: {} nr {} idle {} util {} runnable {}{}", group.local ? "local " : "",
                     mask_text(group.cpus), group.type, group.nr_running, group.idle_cpus,
                     group.util, group.runnable, group.allowed ? "" : " (not allowed)");
}

std::string numbers_text(const Numbers& numbers) {
  std::string text;
  for (const auto& [name, value] : numbers)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace

std::string step_text(const ReplayStep& step, bool with_numbers) {
  std::string text = fmt::format("{:>3}. {}\n", step.number, event_text(step));
  if (!step.happened) return text + "     not enabled in this state: the replay ends here\n";
  if (step.fork) {
    for (const LevelRecord& level : step.fork->levels) {
      text += fmt::format("     {} domain of CPU {} ({} %):", level.domain, level.cpu,
                          level.imbalance_pct);
      for (const GroupRecord& group : level.groups)
        text += fmt::format("\n       {}", group_text(group));
      text +=
          fmt::format("\n       {}{}\n", level.reason,
                      level.picked_cpu >= 0 ? fmt::format("; CPU {} of it", level.picked_cpu) : "");
    }
    text += fmt::format("     task {} starts on CPU {}\n", step.fork->child, step.fork->chosen_cpu);
  }
  for (std::size_t cpu = 0; with_numbers && cpu < step.cpus.size(); ++cpu) {
    const CpuSnapshot& s = step.cpus[cpu];
    text += fmt::format(
        "     CPU {}: curr {} nr {} util {} (sum {} = live {} + dead {} + bound {}) pending {} "
        "runnable {} load {}\n",
        cpu, s.curr < 0 ? "idle" : fmt::format("task {}", s.curr), s.nr_running, s.util_avg,
        s.util_sum, s.live_sum, s.dead_sum, s.clamp_sum, s.pending_avg, s.runnable_avg, s.load_avg);
  }
  for (const Violation& v : step.violations)
    text += fmt::format("     {} is violated: {}\n", property_catalogue()[v.property].name,
                        numbers_text(v.numbers));
  return text;
}

std::string explain_property(std::size_t property) {
  const PropertyInfo& p = property_catalogue()[property];
  return fmt::format(
      "{}\n\nClaim:    {}\nWhy:      {}\nSource:   {}\nAssumes:  {}\nHolds on: {}\nFails on: {}\n",
      p.name, p.claim, p.why, p.source, p.assumes, p.holds_on, p.fails_on);
}

std::string trade_off_text(const TradeOff& t) {
  std::string text = fmt::format("CPU {} {} % busy, util {} = live {} + dead {}", t.cpu,
                                 t.busy_percent, t.util, t.live, t.dead);
  if (t.util_with_move) text += fmt::format("; with the move {}", *t.util_with_move);
  // Where the move forgets nothing there is nothing to trade.
  if (!t.forgotten) return text + ".";
  return text + fmt::format(
                    ", {} points of real CPU time forgotten. No rule gives both: util is either "
                    "what live tasks contributed or busy time.",
                    *t.forgotten);
}

std::string explain_schedule(const Schedule& schedule, const std::string& source) {
  const PropertySet wanted = schedule.finding && !schedule.finding->property.empty()
                                 ? PropertySet{1} << property_index(schedule.finding->property)
                                 : kEveryProperty;
  const Replay run = replay(schedule, wanted);
  require_enabled(run, schedule, source);
  std::string text = fmt::format(
      "{} on {}: {} events, {}.\n", schedule.kernel, schedule.topology, schedule.events.size(),
      schedule.tick_ns == 0 ? "no ticks" : fmt::format("ticks every {} ns", schedule.tick_ns));
  for (std::size_t i = 0; i < schedule.tasks.size(); ++i)
    text += fmt::format("     task {} {} on CPU {} at boot, {}\n", i,
                        schedule.tasks[i].blocked ? "sleeps" : "runs", schedule.tasks[i].cpu,
                        schedule.tasks[i].util_avg < 0
                            ? "as a new task (util 512 on an empty CPU)"
                            : fmt::format("util {} (warm start)", schedule.tasks[i].util_avg));
  constexpr std::size_t kShown = 40;
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const bool violating = !run.steps[i].violations.empty();
    if (i >= kShown && i + 5 < run.steps.size() && !violating) {
      ++hidden;
      continue;
    }
    if (hidden > 0) text += fmt::format("     ... {} events more ...\n", hidden);
    hidden = 0;
    text += step_text(run.steps[i], violating);
  }
  if (run.violations.empty())
    text += wanted == kEveryProperty
                ? "Nothing is violated on this kernel.\n"
                : fmt::format("{} is not violated here: the file's finding is not confirmed.\n",
                              schedule.finding->property);
  for (std::size_t p = 0; p < kPropertyCount; ++p) {
    const auto first = std::find_if(run.violations.begin(), run.violations.end(),
                                    [p](const Violation& v) { return v.property == p; });
    if (first == run.violations.end()) continue;
    const PropertyInfo& info = property_catalogue()[p];
    text += fmt::format(
        "\n{} fails at event {}. It claims: {}\nIt matters because: {}\nIt is documented to fail "
        "on: {}\n",
        info.name, first->event, info.claim, info.why, info.fails_on);
  }
  if (const auto both = trade_off(schedule)) text += "\n" + trade_off_text(*both) + "\n";
  text += "\nLimits in force:\n";
  for (const LimitInfo& limit : limits_in_force(schedule.round_robin))
    text += fmt::format("  {:<9} {}\n", limit.id, limit.text);
  return text;
}

}  // namespace schedcheck
