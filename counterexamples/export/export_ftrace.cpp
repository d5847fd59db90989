// SPDX-License-Identifier: Apache-2.0
/// \file Export format `ftrace`: the model's run as the kernel's trace text would show it.
#include <fmt/format.h>

#include "counterexamples/export/export.hpp"
#include "counterexamples/export/timeline.hpp"
#include "model/fair/nice_weight.hpp"
#include "model/input_error.hpp"

namespace schedcheck {
namespace {

constexpr int kFirstPid = 1000;

class TraceText {
 public:
  explicit TraceText(const Timeline& timeline) : timeline_(&timeline) {
    for (std::size_t p = 0; p < timeline.weights.size(); ++p) {
      const auto nice = nice_of_weight(timeline.weights[p]);
      if (!nice)
        throw InputError(fmt::format(
            "export --to ftrace: task {} has weight {}, which no nice value has: a trace shows "
            "priorities; use --to perfetto",
            p, timeline.weights[p]));
      prios_.push_back(120 + *nice);
    }
  }

  [[nodiscard]] std::string line(const Change& c) const {
    const std::string actor = c.actor >= 0 ? comm(c.actor) : "<idle>";
    // Four flag characters: readers of older kernels' traces do not take five.
    return fmt::format("{:>16}-{:<7} [{:03}] d..2 {:>5}.{:06}: {}\n", actor, pid(c.actor), c.cpu,
                       c.ns / 1'000'000'000, c.ns / 1000 % 1'000'000, text(c));
  }

 private:
  static std::string comm(int task) { return fmt::format("task{}", task); }
  static int pid(int task) { return task >= 0 ? kFirstPid + task : 0; }
  [[nodiscard]] int prio(int task) const {
    return task >= 0 ? prios_[static_cast<std::size_t>(task)] : 120;
  }
  /// "PREFIXcomm=.. PREFIXpid=.. PREFIXprio=..", the idle task of `cpu` for kNoTask.
  [[nodiscard]] std::string who(const char* prefix, int task, int cpu) const {
    return fmt::format("{0}comm={1} {0}pid={2} {0}prio={3}", prefix,
                       task >= 0 ? comm(task) : fmt::format("swapper/{}", cpu), pid(task),
                       prio(task));
  }
  [[nodiscard]] std::string wake(const char* name, const Change& c) const {
    return fmt::format("{}: {} target_cpu={:03}", name, who("", c.task, c.cpu), c.target);
  }
  [[nodiscard]] std::string event(const Change& c) const {
    const TimelineEvent& e = timeline_->events[static_cast<std::size_t>(c.event)];
    return fmt::format("tracing_mark_write: schedcheck event {}: {}{}", e.label,
                       event_words(e.event), e.happened ? "" : " (not enabled)");
  }
  [[nodiscard]] std::string text(const Change& c) const {
    switch (c.kind) {
      case ChangeKind::kEvent:
        return event(c);
      case ChangeKind::kFork:
        return fmt::format("sched_process_fork: comm={} pid={} child_comm={} child_pid={}",
                           comm(c.task), pid(c.task), comm(c.other), pid(c.other));
      case ChangeKind::kNew:
        return wake("sched_wakeup_new", c);
      case ChangeKind::kExit:
        return "sched_process_exit: " + who("", c.task, c.cpu);
      case ChangeKind::kWaking:
        return wake("sched_waking", c);
      case ChangeKind::kMigrate:
        return fmt::format("sched_migrate_task: {} orig_cpu={} dest_cpu={}", who("", c.task, c.cpu),
                           c.other, c.target);
      case ChangeKind::kWakeup:
        return wake("sched_wakeup", c);
      case ChangeKind::kSwitch:
        break;
    }
    const char* state = c.state == kBlocked ? "S" : c.state == kDead ? "Z" : "R";
    return fmt::format("sched_switch: {} prev_state={} ==> {}", who("prev_", c.task, c.cpu), state,
                       who("next_", c.other, c.cpu));
  }

  const Timeline* timeline_;
  std::vector<int> prios_;
};

}  // namespace

std::string export_ftrace(const Schedule& schedule) {
  const Timeline timeline = record_timeline(schedule);
  const TraceText trace(timeline);
  std::string text =
      "# tracer: nop\n#\n"
      "#           TASK-PID     CPU#  ||||   TIMESTAMP  FUNCTION\n"
      "#              | |         |   ||||      |         |\n";
  for (const Change& change : timeline.changes) text += trace.line(change);
  return text;
}

}  // namespace schedcheck
