// SPDX-License-Identifier: Apache-2.0
/// \file Follows the events; wherever they contradict what was known, the known becomes unknown.
#include "counterexamples/trace/trace_machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "counterexamples/trace/kernel_thread_name.hpp"

namespace schedcheck {
namespace {

/// Tasks kept; a trace of forks whose exits are not recorded would grow without bound.
constexpr std::size_t kMaxTasks = 1U << 16;
/// A placement reads the idle state some microseconds before its event is recorded.
constexpr std::int64_t kIdleMarginNs = 50'000;

}  // namespace

const TraceTask* TraceMachine::task(int pid) const {
  const auto at = tasks_.find(pid);
  return at == tasks_.end() ? nullptr : &at->second;
}

std::string TraceMachine::name(int pid) const {
  const TraceTask* t = task(pid);
  return t == nullptr || t->name().empty() ? fmt::format("{}", pid)
                                           : fmt::format("{} ({})", pid, t->name());
}

Told TraceMachine::allowed(int pid, int cpu) const {
  const TraceTask* t = task(pid);
  const int owner = t != nullptr && t->affinity >= 0 ? t->affinity : pid;
  if (const int bound = t == nullptr ? -1 : cpu_in_name(t->name()); bound >= 0)
    return bound == cpu ? Told::kYes : Told::kNo;
  if (const auto mask = options_.affinity.find(owner); mask != options_.affinity.end())
    return static_cast<std::size_t>(cpu) < mask->second.size() &&
                   mask->second[static_cast<std::size_t>(cpu)]
               ? Told::kYes
               : Told::kNo;
  return t != nullptr && std::find(t->seen_on.begin(), t->seen_on.end(), cpu) != t->seen_on.end()
             ? Told::kYes
             : Told::kUnknown;
}

Told TraceMachine::child_allowed(const TraceEvent& event, int cpu) const {
  const TraceTask* child = task(event.task);
  const bool known = child != nullptr && child->parent > 0;
  return allowed(known ? event.task : forker(event), cpu);
}

Told TraceMachine::busy(int cpu) const {
  const TraceCpu& c = cpus_[static_cast<std::size_t>(cpu)];
  if (c.current > 0 || !c.waiting.empty()) return Told::kYes;
  return c.current == 0 ? Told::kNo : Told::kUnknown;
}

Told TraceMachine::idle(int cpu) const {
  const TraceCpu& c = cpus_[static_cast<std::size_t>(cpu)];
  if (busy(cpu) != Told::kNo) return busy(cpu) == Told::kYes ? Told::kNo : Told::kUnknown;
  const bool long_enough = c.idle_since_ns >= 0 && now_ns_ - c.idle_since_ns >= kIdleMarginNs;
  return long_enough ? Told::kYes : Told::kUnknown;
}

int TraceMachine::forker(const TraceEvent& event) const {
  if (current_told_ && event.current > 0) return event.current;
  if (const TraceTask* t = task(event.task); t != nullptr && t->parent > 0) return t->parent;
  const auto cpu = static_cast<std::size_t>(event.cpu);
  return event.cpu >= 0 && cpu < cpus_.size() ? cpus_[cpu].current : kUnknownNumber;
}

TraceCpu& TraceMachine::cpu_at(int cpu) {
  const auto at = static_cast<std::size_t>(cpu);
  if (at >= cpus_.size()) cpus_.resize(at + 1);
  return cpus_[at];
}

TraceTask& TraceMachine::task_at(int pid) {
  const auto [at, is_new] = tasks_.try_emplace(pid);
  if (is_new && options_.affinity.contains(pid)) at->second.affinity = pid;
  return at->second;
}

void TraceMachine::seen_on(TraceTask& task, int cpu) const {
  const auto small = static_cast<std::int16_t>(cpu);
  auto at = std::find(task.seen_on.begin(), task.seen_on.end(), small);
  if (at == task.seen_on.end()) at = std::prev(at);
  std::rotate(task.seen_on.begin(), at, std::next(at));
  task.seen_on.front() = small;
}

void TraceMachine::stop_waiting(int pid, TraceTask& task) {
  if (task.state == TraceTaskState::kWaiting && task.cpu >= 0)
    std::erase(cpu_at(task.cpu).waiting, pid);
  task.state = TraceTaskState::kUnknown;
}

void TraceMachine::wait(int pid, int cpu, const TraceEvent& event) {
  TraceTask& task = task_at(pid);
  stop_waiting(pid, task);
  task.state = TraceTaskState::kWaiting;
  task.cpu = cpu;
  task.gap = false;
  task.since_ns = event.time_ns;
  task.since_line = event.line;
  cpu_at(cpu).waiting.push_back(pid);
  seen_on(task, cpu);
}

/// Events of `cpu` are missing; -1: of any CPU. A lost event of one CPU may have moved or woken a
/// task of another, so every wait is doubtful; what runs on other CPUs their own events tell.
void TraceMachine::lose(int cpu) {
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    for (const int pid : cpus_[i].waiting) task_at(pid).gap = true;
    if (cpu >= 0 && i != static_cast<std::size_t>(cpu)) continue;
    if (cpus_[i].current > 0) task_at(cpus_[i].current).state = TraceTaskState::kUnknown;
    cpus_[i].current = kUnknownNumber;
    cpus_[i].idle_since_ns = kUnknownNumber;
  }
}

void TraceMachine::forget_tasks() {
  if (tasks_.size() < kMaxTasks) return;
  std::erase_if(tasks_, [](const auto& entry) {
    return entry.second.state == TraceTaskState::kSleeping ||
           entry.second.state == TraceTaskState::kUnknown;
  });
  if (tasks_.size() < kMaxTasks / 2) return;
  tasks_.clear();
  for (TraceCpu& cpu : cpus_) cpu = TraceCpu{};
}

/// The line itself says who runs on its CPU.
void TraceMachine::current_of_line(const TraceEvent& event) {
  const int pid = event.kind == TraceKind::kSwitch ? event.from
                  : current_told_                  ? event.current
                                                   : kUnknownNumber;
  if (event.cpu < 0 || pid < 0) return;
  TraceCpu& cpu = cpu_at(event.cpu);
  if (cpu.current == pid) return;
  const TraceTask* task = this->task(pid);
  const bool elsewhere = task != nullptr && task->state != TraceTaskState::kUnknown &&
                         task->state != TraceTaskState::kSleeping;
  if (cpu.current != kUnknownNumber || elsewhere) {
    report_.gaps.add({event.line, fmt::format("CPU {} runs {} without a switch to it", event.cpu,
                                              pid == 0 ? "idle" : name(pid))});
    for (const int waiting : cpu.waiting) task_at(waiting).gap = true;
    if (cpu.current > 0) task_at(cpu.current).state = TraceTaskState::kUnknown;
  }
  cpu.current = pid;
  cpu.idle_since_ns = kUnknownNumber;
  if (pid == 0) return;
  TraceTask& running = task_at(pid);
  stop_waiting(pid, running);
  // It cannot run in two places: the other one is out of date.
  if (running.cpu >= 0 && running.cpu != event.cpu && cpu_at(running.cpu).current == pid)
    cpu_at(running.cpu).current = kUnknownNumber;
  running.state = TraceTaskState::kRunning;
  running.cpu = event.cpu;
  seen_on(running, event.cpu);
}

void TraceMachine::leave(const TraceEvent& event) {
  if (event.from <= 0) return;
  TraceTask& task = task_at(event.from);
  if (event.from_prio != kUnknownPrio) task.prio = event.from_prio;
  task.state =
      event.leaves == TraceLeaves::kUnknown ? TraceTaskState::kUnknown : TraceTaskState::kSleeping;
  if (event.leaves == TraceLeaves::kDead)
    tasks_.erase(event.from);
  else if (event.leaves == TraceLeaves::kRunnable)
    wait(event.from, event.cpu, event);
}

void TraceMachine::do_switch(const TraceEvent& event) {
  switches_seen_ = true;
  if (event.cpu < 0) return;
  leave(event);
  TraceCpu& cpu = cpu_at(event.cpu);
  if (event.from < 0 && cpu.current > 0) task_at(cpu.current).state = TraceTaskState::kUnknown;
  cpu.current = event.task;
  cpu.idle_since_ns = event.task == 0 ? event.time_ns : kUnknownNumber;
  if (event.task == 0) {
    // Nothing can wait on an idle CPU: it moved unseen, slept though shown as R (v5.18 to v6.14),
    // or its group is throttled.
    for (const int pid : cpu.waiting) task_at(pid).state = TraceTaskState::kUnknown;
    cpu.waiting.clear();
  }
  if (event.task <= 0) return;
  TraceTask& next = task_at(event.task);
  stop_waiting(event.task, next);
  next.state = TraceTaskState::kRunning;
  next.cpu = event.cpu;
  next.prio = event.prio;
  next.comm = event.comm;
  seen_on(next, event.cpu);
}

/// The event's task is woken onto the event's target.
void TraceMachine::put_on_target(const TraceEvent& event, TraceTask& task) {
  task.prio = event.prio;
  task.comm = event.comm;
  wait(event.task, event.target, event);
}

void TraceMachine::do_new(const TraceEvent& event) {
  const int parent = event.kind == TraceKind::kFork ? event.from : forker(event);
  TraceTask& task = task_at(event.task);
  if (event.kind == TraceKind::kFork) {
    stop_waiting(event.task, task);  // An older task of this number.
    task = TraceTask{};
  }
  if (parent > 0 && task.parent != parent) {
    task.parent = parent;
    if (const TraceTask* p = this->task(parent)) {
      task.seen_on = p->seen_on;
      if (task.affinity < 0) task.affinity = p->affinity;
    }
  }
  if (event.kind == TraceKind::kWakeupNew) put_on_target(event, task);
}

void TraceMachine::do_wakeup(const TraceEvent& event) {
  TraceTask& task = task_at(event.task);
  // A task woken before it has left its CPU goes on running.
  if (task.state != TraceTaskState::kRunning) put_on_target(event, task);
}

void TraceMachine::do_migrate(const TraceEvent& event) {
  TraceTask& task = task_at(event.task);
  if (task.state == TraceTaskState::kWaiting) {
    std::erase(cpu_at(task.cpu).waiting, event.task);
    cpu_at(event.target).waiting.push_back(event.task);
  } else if (task.state == TraceTaskState::kRunning) {
    // A running task is not moved: events are missing. Its next switch will tell, as a gap.
    cpu_at(task.cpu).current = kUnknownNumber;
  }
  task.cpu = event.target;
  seen_on(task, event.target);
}

void TraceMachine::begin(const TraceEvent& event, const TraceContext& context) {
  told_cpus_ = context.cpus;
  current_told_ = context.current_told;
  if (event.kind == TraceKind::kLost) return lose(event.cpu);
  if (event.time_ns >= 0 && event.time_ns < now_ns_) {
    report_.gaps.add({event.line, "time goes back: nothing from before is used"});
    lose(kUnknownNumber);
  }
  now_ns_ = event.time_ns;
  forget_tasks();
  cpu_at(std::max({event.cpu, event.target, 0}));
  current_of_line(event);
}

void TraceMachine::apply(const TraceEvent& event) {
  const bool placed = event.task > 0 && event.target >= 0;
  switch (event.kind) {
    case TraceKind::kSwitch:
      return do_switch(event);
    case TraceKind::kFork:
      return event.task > 0 ? do_new(event) : void();
    case TraceKind::kWakeupNew:
      return placed ? do_new(event) : void();
    case TraceKind::kWakeup:
      return placed ? do_wakeup(event) : void();
    case TraceKind::kMigrate:
      return placed ? do_migrate(event) : void();
    default:
      return;
  }
}

}  // namespace schedcheck
