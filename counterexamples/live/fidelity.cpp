// SPDX-License-Identifier: Apache-2.0
/// \file Looks up each decision of the model in the kernel's record.
#include "counterexamples/live/fidelity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "counterexamples/live/real_verdict.hpp"
#include "counterexamples/replay.hpp"

namespace schedcheck {
namespace {

using Found = std::vector<KernelEvent>::const_iterator;

class Comparer {
 public:
  Comparer(const Timeline& line, const KernelRecord& record) : line_(line), record_(record) {}

  [[nodiscard]] ComparedDecision compare(const Decision& model) const {
    ComparedDecision result;
    result.model = model;
    if (!record_.marked[static_cast<std::size_t>(model.event)]) {
      result.agreement = Agreement::kNotDone;
      return result;
    }
    switch (model.kind) {
      case DecisionKind::kForkPlacement:
        placed(result, TraceKind::kWakeupNew);
        break;
      case DecisionKind::kWakePlacement:
        placed(result, TraceKind::kWakeup);
        break;
      case DecisionKind::kMove:
        placed(result, TraceKind::kMigrate);
        break;
      case DecisionKind::kPick:
        picked(result);
        break;
      case DecisionKind::kPreempts:
        preempts(result);
        break;
    }
    if (result.kernel && result.agreement == Agreement::kNotSeen)
      result.agreement = *result.kernel == model.value ? Agreement::kSame : Agreement::kDiffers;
    return result;
  }

  [[nodiscard]] std::vector<KernelMove> moves() const {
    std::vector<KernelMove> moves;
    std::vector<char> sleeping(static_cast<std::size_t>(line_.nr_tasks), 0);
    std::vector<int> at(static_cast<std::size_t>(line_.nr_tasks), kUnknownNumber);
    for (const KernelEvent& e : record_.events) {
      if (e.kind == TraceKind::kSwitch && e.from >= 0)
        sleeping[index(e.from)] = e.leaves == TraceLeaves::kSleeps ? 1 : 0;
      if (e.task < 0) continue;
      const bool wakes = e.kind == TraceKind::kWakeup || e.kind == TraceKind::kWakeupNew;
      if (e.kind == TraceKind::kMigrate && sleeping[index(e.task)] == 0 && e.mark >= 0 && !asked(e))
        moves.push_back({e.mark, e.task, at[index(e.task)], e.target, e.line});
      if (wakes) sleeping[index(e.task)] = 0;
      if (wakes || e.kind == TraceKind::kMigrate) at[index(e.task)] = e.target;
      if (e.kind == TraceKind::kSwitch) at[index(e.task)] = e.cpu;
    }
    return moves;
  }

 private:
  static std::size_t index(int task) { return static_cast<std::size_t>(task); }

  [[nodiscard]] const Event& event_of(int mark) const { return line_.events[index(mark)].event; }
  /// A change of affinity moves its task.
  [[nodiscard]] bool asked(const KernelEvent& e) const {
    const Event& event = event_of(e.mark);
    return event.kind == EventKind::kSetAffinity && event.task == e.task;
  }

  [[nodiscard]] Found placement(const Decision& model, TraceKind kind) const {
    return std::find_if(record_.events.begin(), record_.events.end(), [&](const KernelEvent& e) {
      return e.mark == model.event && e.kind == kind && e.task == model.task;
    });
  }

  void placed(ComparedDecision& result, TraceKind kind) const {
    const auto at = placement(result.model, kind);
    if (at == record_.events.end()) return;
    result.kernel = at->target;
    result.line = at->line;
    result.cpus = at->cpus;
  }

  /// The switch may come after the next mark: the end of a process takes longer than a gap.
  void picked(ComparedDecision& result) const {
    const bool yields = event_of(result.model.event).kind == EventKind::kYield;
    const auto leaves = [&](const KernelEvent& e) {
      return e.kind == TraceKind::kSwitch && e.mark >= result.model.event &&
             e.from == result.model.task && (yields || e.leaves != TraceLeaves::kRunnable) &&
             (!yields || e.mark == result.model.event);
    };
    auto at = std::find_if(record_.events.begin(), record_.events.end(), leaves);
    if (at == record_.events.end()) {
      if (yields) result.kernel = result.model.task;
      return;
    }
    const int cpu = at->cpu;
    result.line = at->line;
    while (at != record_.events.end() &&
           !(at->kind == TraceKind::kSwitch && at->cpu == cpu && at->task != kForeignTask))
      ++at;
    // Nobody of the schedule ran there again, only others.
    if (at == record_.events.end()) {
      result.kernel = kNoTask;
      return;
    }
    result.kernel = at->task;
    // With another process in between, somebody may have come or gone meanwhile.
    if (at->line != result.line && at->mark != result.model.event &&
        *result.kernel != result.model.value)
      result.agreement = Agreement::kNotJudged;
    result.line = at->line;
  }

  void preempts(ComparedDecision& result) const {
    const Decision& model = result.model;
    const bool forks = event_of(model.event).kind == EventKind::kFork;
    const auto at = placement(model, forks ? TraceKind::kWakeupNew : TraceKind::kWakeup);
    if (at == record_.events.end()) return;
    result.line = at->line;
    // Elsewhere the question is another one; a driver without a CPU of its own interferes.
    if (at->target != model.cpu ||
        (driver_does(event_of(model.event).kind) && record_.spare_cpus == 0)) {
      result.agreement = Agreement::kNotJudged;
      return;
    }
    result.kernel = 0;
    for (auto next = at; next != record_.events.end() && next->ns <= at->ns + kAtOnceNs; ++next)
      if (next->kind == TraceKind::kSwitch && next->task == model.task && next->mark == at->mark)
        result.kernel = 1;
  }

  const Timeline& line_;
  const KernelRecord& record_;
};

/// The model's reasons for placements, by event label.
std::vector<std::string> reasons(const Schedule& schedule, const Fidelity& fidelity) {
  std::vector<std::string> by_event(schedule.events.size() + 1);
  replay(schedule, 0, ReplayDetail::kKeySteps, [&](const ReplayStep& step) {
    if (!step.fork) return;
    std::string& text = by_event[static_cast<std::size_t>(step.number)];
    for (const LevelRecord& level : step.fork->levels)
      text += (text.empty() ? "" : "; ") + level.domain + ": " + level.reason;
  });
  std::vector<std::string> why;
  for (const ComparedDecision& d : fidelity.decisions) {
    const int number = d.model.event - static_cast<int>(schedule.preamble.size()) + 1;
    why.push_back(d.model.kind == DecisionKind::kForkPlacement && number > 0
                      ? by_event[static_cast<std::size_t>(number)]
                      : "");
  }
  return why;
}

/// Under limit L1 tasks take turns by number: who of several runs next is not the kernel's rule.
bool decided_by_turns(const ComparedDecision& d) {
  return d.model.kind == DecisionKind::kPreempts ||
         (d.model.kind == DecisionKind::kPick && d.model.value != kNoTask &&
          d.kernel.value_or(kNoTask) != kNoTask);
}

std::string value_text(DecisionKind kind, int value) {
  if (kind == DecisionKind::kPreempts) return value != 0 ? "runs at once" : "waits";
  if (kind == DecisionKind::kPick)
    return value == kNoTask ? "nobody" : fmt::format("task {}", value);
  return value < 0 ? "a CPU outside the model's" : fmt::format("CPU {}", value);
}

}  // namespace

std::optional<std::size_t> Fidelity::first_difference() const {
  for (std::size_t i = 0; i < decisions.size(); ++i)
    if (decisions[i].agreement == Agreement::kDiffers) return i;
  return std::nullopt;
}

int Fidelity::count(Agreement agreement) const {
  return static_cast<int>(std::count_if(decisions.begin(), decisions.end(),
                                        [&](const auto& d) { return d.agreement == agreement; }));
}

Fidelity compare_with_kernel(const Schedule& schedule, const std::string& path) {
  Fidelity result;
  result.timeline = record_timeline(schedule);
  const KernelRecord record = read_kernel_record(path, result.timeline);
  const Comparer comparer(result.timeline, record);
  for (const Decision& decision : model_decisions(result.timeline)) {
    ComparedDecision& d = result.decisions.emplace_back(comparer.compare(decision));
    if (schedule.round_robin && d.kernel && decided_by_turns(d))
      d.agreement = Agreement::kNotJudged;
  }
  result.why = reasons(schedule, result);
  result.moves = comparer.moves();
  result.foreign = record.foreign;
  result.lost = record.lost;
  result.spare_cpus = record.spare_cpus;
  judge_for_real(schedule, path, record, result);
  return result;
}

std::string decision_text(const Fidelity& fidelity, const ComparedDecision& d) {
  const TimelineEvent& event = fidelity.timeline.events[static_cast<std::size_t>(d.model.event)];
  const std::string what =
      d.model.kind == DecisionKind::kPick
          ? fmt::format("pick after task {} leaves CPU {}", d.model.task, d.model.cpu)
          : fmt::format("{} of task {}", decision_name(d.model.kind), d.model.task);
  return fmt::format("event {} ({}): {}: model {}, kernel {}", event.label,
                     event_words(event.event), what, value_text(d.model.kind, d.model.value),
                     d.kernel ? value_text(d.model.kind, *d.kernel) : "unknown");
}

}  // namespace schedcheck
