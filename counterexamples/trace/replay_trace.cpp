// SPDX-License-Identifier: Apache-2.0
/// \file From events of a trace to what the driven machine does.
#include "counterexamples/trace/replay_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "counterexamples/trace/driven_machine.hpp"
#include "counterexamples/trace/read_trace.hpp"
#include "model/input_error.hpp"

namespace schedcheck {
namespace {

enum Assumption : std::uint8_t {
  kNewAverages,
  kAnyCpu,
  kSlept,
  kLosses,
  kNoParent,
  kNotShown,
  kFull,
  kCount
};
constexpr std::array<const char*, kCount> kAssumptions = {
    "tasks that were there before the trace began have the averages of a new task",
    "tasks without --affinity may use every CPU of the topology",
    "tasks sleep because their CPU went idle, though no event says so",
    "events were lost here: what they changed is not known",
    "placements whose parent is not shown are not compared",
    "placements before a switch on each CPU, or after a loss, are not compared",
    "the model's task numbers were used up: later tasks are left out"};

class Replayer {
 public:
  Replayer(const std::string& name, const TraceReplayOptions& options, TraceReplay& result)
      : name_(name),
        options_(options),
        result_(result),
        machine_(options.kernel, options.topology),
        shown_(static_cast<std::size_t>(machine_.nr_cpus()), kUnknown) {}

  void event(const TraceEvent& e) {
    if (e.time_ns >= 0) {
      if (last_ns_ >= 0) machine_.pass(e.time_ns - last_ns_);
      last_ns_ = std::max(last_ns_, e.time_ns);
    }
    if (e.kind == TraceKind::kLost) {
      ++counts_[kLosses];
      std::fill(shown_.begin(), shown_.end(), kUnknown);
      return;
    }
    if (!e.complete || e.cpu < 0) return;
    require_cpu(e.cpu, e.line);
    if (e.target >= 0) require_cpu(e.target, e.line);
    act(e);
    hold();
  }

  void finish() {
    result_.assumptions.emplace_back(
        "affinities and nice values do not change and all tasks are in the root group (with "
        "cgroups or "
        "autogroup the kernel's loads are others): the events do not show it",
        0);
    for (std::size_t i = 0; i < kCount; ++i)
      if (counts_[i] > 0) result_.assumptions.emplace_back(kAssumptions[i], counts_[i]);
  }

 private:
  static constexpr int kUnknown = -2;  ///< Neither a task nor idle.

  void require_cpu(int cpu, std::uint64_t line) const {
    if (cpu >= machine_.nr_cpus())
      throw InputError(
          fmt::format("{}: line {}: CPU {}, but topology {} has {} CPUs; give the "
                      "traced machine's with --topology",
                      name_, line, cpu, options_.topology, machine_.nr_cpus()));
  }

  void act(const TraceEvent& e) {
    switch (e.kind) {
      case TraceKind::kSwitch:
        return switched(e);
      case TraceKind::kWakeupNew:
        return placed_new(e);
      case TraceKind::kWakeup:
        if (const int task = known(e.task, e.prio, e.target, /*blocked=*/true); task >= 0)
          machine_.wake(task, e.target);
        return;
      case TraceKind::kMigrate:
        if (const auto at = tasks_.find(e.task); at != tasks_.end())
          machine_.move(at->second, e.target);
        return;
      default:
        return;
    }
  }

  void switched(const TraceEvent& e) {
    const auto cpu = static_cast<std::size_t>(e.cpu);
    if (const int from = known(e.from, e.from_prio, e.cpu, false); from >= 0) {
      const bool dies = e.leaves == TraceLeaves::kDead;
      if (dies || e.leaves == TraceLeaves::kSleeps) machine_.leave(e.cpu, from, dies);
      if (dies) tasks_.erase(e.from);
    }
    shown_[cpu] = e.task == 0 ? kNoTask : known(e.task, e.prio, e.cpu, false);
    if (shown_[cpu] >= kNoTask)
      counts_[kSlept] += static_cast<std::uint64_t>(machine_.run(e.cpu, shown_[cpu]));
  }

  void placed_new(const TraceEvent& e) {
    const int parent = e.current > 0 ? known(e.current, e.prio, e.cpu, false) : kUnknown;
    if (parent < 0 || machine_.full()) {
      ++counts_[parent < 0 ? kNoParent : kFull];
      ++result_.skipped;
      return;
    }
    machine_.run(e.cpu, parent);
    shown_[static_cast<std::size_t>(e.cpu)] = parent;
    if (e.prio >= 100) compare(e, parent);
    tasks_[e.task] = machine_.fork(e.cpu, parent, e.target);
  }

  void compare(const TraceEvent& e, int parent) {
    const bool all_shown = std::find(shown_.begin(), shown_.end(), kUnknown) == shown_.end();
    const auto record = machine_.ask(e.cpu, parent);
    if (!all_shown) ++counts_[kNotShown];
    if (!record || !all_shown) {
      ++result_.skipped;
      return;
    }
    ++result_.compared;
    if (record->chosen_cpu == e.target) return;
    PlacementMismatch mismatch{e.line, e.task, e.current, e.target, record->chosen_cpu, "", ""};
    for (const LevelRecord& level : record->levels) {
      for (const GroupRecord& g : level.groups)
        mismatch.model_numbers += fmt::format("{} {} nr {} idle {} util {}, ", mask_text(g.cpus),
                                              g.type, g.nr_running, g.idle_cpus, g.util);
      mismatch.model_numbers += level.reason + "; ";
    }
    for (int cpu = 0; cpu < machine_.nr_cpus(); ++cpu) mismatch.kernel_cpus += shown_text(cpu);
    result_.mismatches.add(std::move(mismatch));
  }

  [[nodiscard]] std::string shown_text(int cpu) const {
    const int task = shown_[static_cast<std::size_t>(cpu)];
    std::string who = task == kUnknown ? "not seen" : "idle";
    for (const auto& [pid, number] : tasks_)
      if (number == task) who = "runs " + std::to_string(pid);
    return fmt::format("{}CPU {} {}", cpu > 0 ? ", " : "", cpu, who);
  }

  /// The model's number of a task of the trace; a new one if it was not seen. kUnknown: idle, or
  /// there is no number left.
  int known(int pid, int prio, int cpu, bool blocked) {
    if (pid <= 0 || cpu < 0) return kUnknown;
    if (const auto at = tasks_.find(pid); at != tasks_.end()) return at->second;
    if (machine_.full()) {
      ++counts_[kFull];
      return kUnknown;
    }
    ++counts_[kNewAverages];
    return tasks_[pid] = machine_.add(cpu, prio == kUnknownPrio ? 120 : prio, mask(pid), blocked);
  }

  CpuMask mask(int pid) {
    const auto at = options_.affinity.find(pid);
    if (at == options_.affinity.end()) {
      ++counts_[kAnyCpu];
      return ~CpuMask{0};
    }
    CpuMask cpus = 0;
    for (std::size_t cpu = 0; cpu < std::min<std::size_t>(64, at->second.size()); ++cpu)
      if (at->second[cpu]) cpus |= CpuMask{1} << cpu;
    return cpus;
  }

  /// The model may have switched on its own: who ran keeps running until the trace shows another.
  void hold() {
    for (int cpu = 0; cpu < machine_.nr_cpus(); ++cpu)
      if (const int task = shown_[static_cast<std::size_t>(cpu)];
          task >= 0 && machine_.curr(cpu) != task && machine_.waits(cpu, task))
        machine_.run(cpu, task);
  }

  const std::string& name_;
  const TraceReplayOptions& options_;
  TraceReplay& result_;
  DrivenMachine machine_;
  std::unordered_map<int, int> tasks_;  ///< By task number of the trace.
  std::vector<int> shown_;              ///< By CPU: who runs, as the trace last showed.
  std::array<std::uint64_t, kCount> counts_{};
  std::int64_t last_ns_ = kUnknownNumber;
};

}  // namespace

TraceReplay replay_trace(const std::string& path, const TraceReplayOptions& options) {
  TraceReplay result;
  Replayer replayer(path, options, result);
  read_trace(path, result.trace,
             [&](const TraceEvent& e, const TraceContext&) { replayer.event(e); });
  replayer.finish();
  return result;
}

}  // namespace schedcheck
