// SPDX-License-Identifier: Apache-2.0
/// \file A command name of up to 15 bytes may hold any text, so fields are found by patterns that
/// are longer than a name, or from the right.
#include "counterexamples/trace/event_body.hpp"

#include <utility>

#include "counterexamples/trace/trace_text.hpp"

namespace schedcheck {
namespace {

using namespace trace_text;  // NOLINT(google-build-using-namespace): the readers of a line.

/// Letters, or the bits of a raw print. Of the bits above 0xff only the one for a preempted task
/// stands alone in a switch; which one differs between kernels. 512 parked tasks on old ones.
TraceLeaves leaves_of(std::string_view state) {
  unsigned bits = 0;
  if (state.empty()) return TraceLeaves::kUnknown;
  if (is_digit(state.front())) {
    const int base = take(state, "0x") ? 16 : 10;
    const auto end = state.data() + state.size();
    if (std::from_chars(state.data(), end, bits, base).ptr != end) return TraceLeaves::kUnknown;
    if (bits == 512) return TraceLeaves::kUnknown;
    return (bits & 0xffU) == 0 ? TraceLeaves::kRunnable : TraceLeaves::kSleeps;
  }
  if (state.front() == 'R') return TraceLeaves::kRunnable;
  if (state.find_first_of("ZXx") != std::string_view::npos) return TraceLeaves::kDead;
  return state.find_first_of("SDTtIPKW") == 0 ? TraceLeaves::kSleeps : TraceLeaves::kUnknown;
}

/// `prev_pid=P prev_prio=N prev_state=S`, anywhere: as a whole it does not fit into a name.
bool read_plain_prev(std::string_view body, TraceEvent& event) {
  constexpr std::string_view kKey = " prev_pid=";
  for (std::size_t at = body.find(kKey); at != std::string_view::npos;
       at = body.find(kKey, at + 1)) {
    std::string_view rest = body.substr(at + kKey.size());
    if (take_number(rest, event.from) && take(rest, " prev_prio=") &&
        take_number(rest, event.from_prio) && take(rest, " prev_state=")) {
      event.leaves = leaves_of(take_token(rest));
      return true;
    }
  }
  event.from = kUnknownNumber;
  return false;
}

bool read_plain_next(std::string_view body, TraceEvent& event) {
  const auto prio = number_after_last(body, " next_prio=");
  const auto pid = number_after_last(body, " next_pid=");
  if (!prio || !pid) return false;
  event.task = *pid;
  event.prio = *prio;
  const std::size_t end = body.rfind(" next_pid=");
  const std::size_t comm = body.substr(0, end).rfind("next_comm=");
  if (comm != std::string_view::npos) event.set_name(body.substr(comm + 10, end - comm - 10));
  return true;
}

/// `COMM:PID [PRIO]` with what follows; the first or the last one in `text` that `accept`s it.
struct Plugin {
  std::string_view comm;
  int pid = kUnknownNumber;
  int prio = kUnknownPrio;
  std::string_view rest;
};
bool read_plugin_at(std::string_view text, std::size_t colon, Plugin& task) {
  task.comm = text.substr(0, colon);
  task.rest = text.substr(colon + 1);
  return take_number(task.rest, task.pid) && take(task.rest, " [") &&
         take_number(task.rest, task.prio) && take(task.rest, "]");
}
bool read_last_plugin(std::string_view text, Plugin& task) {
  for (std::size_t at = text.rfind(':'); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : text.rfind(':', at - 1))
    if (read_plugin_at(text, at, task)) return true;
  return false;
}

/// `COMM:PID [PRIO] STATE ==> COMM:PID [PRIO]`.
bool read_plugin_switch(std::string_view body, TraceEvent& event) {
  Plugin prev;
  Plugin next;
  for (std::size_t at = body.find(':'); at != std::string_view::npos; at = body.find(':', at + 1)) {
    if (!read_plugin_at(body, at, prev)) continue;
    const std::string_view state = take_token(prev.rest);
    if (!take(prev.rest, " ==> ") || !read_last_plugin(prev.rest, next)) continue;
    event.from = prev.pid;
    event.from_prio = prev.prio;
    event.leaves = leaves_of(state);
    event.task = next.pid;
    event.prio = next.prio;
    event.set_name(next.comm);
    return true;
  }
  return false;
}

void read_switch(std::string_view body, TraceEvent& event) {
  if (read_plugin_switch(body, event)) return;
  const bool prev = read_plain_prev(body, event);
  const bool next = read_plain_next(body, event);
  event.complete = prev && next;
}

/// `comm=C pid=P prio=N` or the plugin's form; `target_cpu=`, `CPU:`, `dest_cpu=` where wanted.
void read_task_event(std::string_view body, TraceEvent& event, std::string_view target) {
  const std::size_t pid_at = body.rfind(" pid=");
  Plugin task;
  if (const auto pid = number_after_last(body, " pid=")) {
    event.task = *pid;
    event.prio = number_after_last(body.substr(pid_at), " prio=").value_or(kUnknownPrio);
    const std::size_t comm = body.find("comm=");
    if (comm < pid_at) event.set_name(body.substr(comm + 5, pid_at - comm - 5));
  } else if (read_last_plugin(body, task)) {
    event.task = task.pid;
    event.prio = task.prio;
    event.set_name(task.comm);
  }
  event.complete = event.task != kUnknownNumber;
  if (target.empty()) return;
  auto cpu = number_after_last(body, target);
  if (!cpu) cpu = number_after_last(body, "CPU:");
  event.complete = event.complete && cpu && *cpu >= 0 && *cpu < kMaxTraceCpus;
  if (event.complete) event.target = *cpu;
}

/// `comm=C pid=P child_comm=C child_pid=P`; raw prints say parent_comm and parent_pid.
void read_fork(std::string_view body, TraceEvent& event) {
  event.task = number_after_last(body, " child_pid=").value_or(kUnknownNumber);
  const std::size_t child = body.rfind(" child_comm=");
  event.from = number_after_last(body.substr(0, child), "pid=").value_or(kUnknownNumber);
  event.complete = event.task != kUnknownNumber && event.from != kUnknownNumber;
}

}  // namespace

void read_body(std::string_view name, std::string_view body, TraceEvent& event) {
  event.kind = TraceKind::kOtherSched;
  if (name == "sched_switch") {
    event.kind = TraceKind::kSwitch;
    read_switch(body, event);
  } else if (name == "sched_wakeup" || name == "sched_wakeup_new") {
    event.kind = name == "sched_wakeup" ? TraceKind::kWakeup : TraceKind::kWakeupNew;
    read_task_event(body, event, "target_cpu=");
  } else if (name == "sched_migrate_task") {
    event.kind = TraceKind::kMigrate;
    read_task_event(body, event, " dest_cpu=");
  } else if (name == "sched_process_fork") {
    event.kind = TraceKind::kFork;
    read_fork(body, event);
  } else if (name == "sched_process_exit") {
    event.kind = TraceKind::kExit;
    read_task_event(body, event, "");
  } else if (!name.starts_with("sched_")) {
    event.kind = TraceKind::kOther;
  }
}

}  // namespace schedcheck
