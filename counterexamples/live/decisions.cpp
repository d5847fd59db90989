// SPDX-License-Identifier: Apache-2.0
/// \file The decisions of a timeline.
#include "counterexamples/live/decisions.hpp"

#include <algorithm>

namespace schedcheck {
namespace {

bool gives_up_the_cpu(EventKind kind) {
  return kind == EventKind::kBlock || kind == EventKind::kExit || kind == EventKind::kYield;
}

class Decisions {
 public:
  explicit Decisions(const Timeline& timeline) : line_(timeline) {}

  std::vector<Decision> take() {
    curr_.assign(static_cast<std::size_t>(line_.nr_cpus), kNoTask);
    for (at_ = 0; at_ < line_.changes.size(); ++at_) look(line_.changes[at_]);
    return std::move(found_);
  }

 private:
  void look(const Change& c) {
    if (c.kind == ChangeKind::kEvent) {
      event_ = c.event;
      const TimelineEvent& e = line_.events[static_cast<std::size_t>(event_)];
      picks_ = e.happened && gives_up_the_cpu(e.event.kind);
      if (picks_ && e.event.kind == EventKind::kYield) yields(c, e.event.task);
      return;
    }
    if (c.kind == ChangeKind::kSwitch) {
      switches(c);
      curr_[static_cast<std::size_t>(c.cpu)] = c.other;
      return;
    }
    if (event_ < 0) return;  // The start: initial tasks are pinned.
    if (c.kind == ChangeKind::kNew) places(c, DecisionKind::kForkPlacement);
    if (c.kind == ChangeKind::kWakeup) places(c, DecisionKind::kWakePlacement);
    const bool waking = at_ > 0 && line_.changes[at_ - 1].kind == ChangeKind::kWaking;
    if (c.kind == ChangeKind::kMigrate && !waking)
      add(DecisionKind::kMove, c.task, c.target, c.target);
  }

  void switches(const Change& c) {
    if (event_ < 0 || !picks_) return;
    if (c.task != line_.events[static_cast<std::size_t>(event_)].event.task) return;
    add(DecisionKind::kPick, c.task, c.cpu, c.other);
    picks_ = false;
  }

  /// A yield may leave the task where it is: then no switch follows at that time.
  void yields(const Change& event, int task) {
    for (std::size_t i = at_ + 1; i < line_.changes.size(); ++i) {
      const Change& c = line_.changes[i];
      if (c.ns != event.ns || c.kind == ChangeKind::kEvent) break;
      if (c.kind == ChangeKind::kSwitch && c.task == task) return;
    }
    add(DecisionKind::kPick, task, event.cpu, task);
    picks_ = false;
  }

  void places(const Change& c, DecisionKind kind) {
    add(kind, c.task, c.target, c.target);
    if (curr_[static_cast<std::size_t>(c.target)] == kNoTask) return;
    bool at_once = false;
    for (std::size_t i = at_ + 1; i < line_.changes.size(); ++i) {
      const Change& next = line_.changes[i];
      if (next.ns != c.ns || next.kind == ChangeKind::kEvent) break;
      at_once = at_once ||
                (next.kind == ChangeKind::kSwitch && next.cpu == c.target && next.other == c.task);
    }
    add(DecisionKind::kPreempts, c.task, c.target, at_once ? 1 : 0);
  }

  void add(DecisionKind kind, int task, int cpu, int value) {
    found_.push_back({event_, kind, task, cpu, value});
  }

  const Timeline& line_;
  std::vector<Decision> found_;
  std::vector<int> curr_;
  std::size_t at_ = 0;
  int event_ = -1;
  bool picks_ = false;  ///< The event takes its task off the CPU, and that was not seen yet.
};

}  // namespace

std::string_view decision_name(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::kForkPlacement:
      return "fork placement";
    case DecisionKind::kWakePlacement:
      return "wake placement";
    case DecisionKind::kMove:
      return "move";
    case DecisionKind::kPick:
      return "pick";
    case DecisionKind::kPreempts:
      break;
  }
  return "preemption";
}

std::vector<Decision> model_decisions(const Timeline& timeline) {
  return Decisions(timeline).take();
}

}  // namespace schedcheck
