// SPDX-License-Identifier: Apache-2.0
/// \file What a trace shows of CPUs and tasks at a moment. What it does not show is unknown.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "counterexamples/trace/read_trace.hpp"

namespace schedcheck {

enum class TraceTaskState : std::uint8_t { kUnknown, kRunning, kWaiting, kSleeping };

struct TraceTask {
  TraceTaskState state = TraceTaskState::kUnknown;
  bool gap = false;  ///< Events were lost since it began to wait.
  int cpu = kUnknownNumber;
  int prio = kUnknownPrio;
  int parent = kUnknownNumber;
  int affinity = kUnknownNumber;  ///< Whose mask of TraceOptions it has; a child its parent's.
  std::int64_t since_ns = kUnknownNumber;  ///< When it began to wait.
  std::uint64_t since_line = 0;
  /// The last CPUs that it, or before its fork its parent, ran on or was put on.
  std::array<std::int16_t, 4> seen_on = {-1, -1, -1, -1};
  std::array<char, 16> comm{};
  std::string_view name() const { return comm.data(); }
};

struct TraceCpu {
  int current = kUnknownNumber;  ///< 0: idle.
  std::int64_t idle_since_ns = kUnknownNumber;
  std::vector<int> waiting;  ///< Tasks known to wait here.
};

/// What a trace tells of a question.
enum class Told : std::uint8_t { kNo, kUnknown, kYes };

struct TraceOptions {
  std::int64_t wait_bound_ns = 1'000'000'000;
  std::int64_t idle_bound_ns = 10'000'000;
  std::map<int, std::vector<bool>> affinity;  ///< By task number: the CPUs it may use.
};

class TraceMachine {
 public:
  TraceMachine(const TraceOptions& options, TraceReport& report)
      : options_(options), report_(report) {}

  /// Before the monitors look: time, losses, and who must have been running for this event to be.
  void begin(const TraceEvent& event, const TraceContext& context);
  /// After they have looked: what the event changes.
  void apply(const TraceEvent& event);

  const std::vector<TraceCpu>& cpus() const { return cpus_; }
  /// Null: never seen, or forgotten.
  const TraceTask* task(int pid) const;
  const TraceOptions& options() const { return options_; }
  std::int64_t now_ns() const { return now_ns_; }
  bool switches_seen() const { return switches_seen_; }
  /// CPUs of the machine; 0: the trace does not tell.
  int told_cpus() const { return told_cpus_; }

  /// By the given masks, else kYes for a CPU that the task was seen on. No sched event shows a
  /// change of affinity, so this holds unless one came in between.
  Told allowed(int pid, int cpu) const;
  /// kYes: idle, nothing waits there, and for long enough that the forker must have known.
  Told idle(int cpu) const;
  /// A task runs or waits there. kUnknown: the trace does not tell.
  Told busy(int cpu) const;
  /// What the child of a wakeup_new may use, by its own record or its parent's.
  Told child_allowed(const TraceEvent& event, int cpu) const;
  /// The forking task of a wakeup_new.
  int forker(const TraceEvent& event) const;
  static bool fair(int prio) { return prio >= 100; }
  /// Not deadline tasks (prio -1): a throttled one is shown as runnable.
  static bool realtime(int prio) { return prio >= 0 && prio < 100; }

  /// "4112 (worker)".
  std::string name(int pid) const;

 private:
  TraceCpu& cpu_at(int cpu);
  TraceTask& task_at(int pid);
  void seen_on(TraceTask& task, int cpu) const;
  void wait(int pid, int cpu, const TraceEvent& event);
  void stop_waiting(int pid, TraceTask& task);
  void lose(int cpu);
  void forget_tasks();
  void current_of_line(const TraceEvent& event);
  void do_switch(const TraceEvent& event);
  void leave(const TraceEvent& event);
  void put_on_target(const TraceEvent& event, TraceTask& task);
  void do_new(const TraceEvent& event);
  void do_wakeup(const TraceEvent& event);
  void do_migrate(const TraceEvent& event);

  const TraceOptions& options_;
  TraceReport& report_;
  std::vector<TraceCpu> cpus_;
  std::unordered_map<int, TraceTask> tasks_;
  std::int64_t now_ns_ = kUnknownNumber;
  int told_cpus_ = 0;
  bool switches_seen_ = false;
  bool current_told_ = true;
};

}  // namespace schedcheck
