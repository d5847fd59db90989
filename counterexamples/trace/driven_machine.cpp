// SPDX-License-Identifier: Apache-2.0
/// \file Overrules the model by affinities that last for one event, and by switches.
#include "counterexamples/trace/driven_machine.hpp"

#include <algorithm>

namespace schedcheck {
namespace {

using N = NativeDomain;

constexpr int kTasks = 2048;

/// Keeps the decision for the child.
struct AskObserver : NoObserver {
  std::optional<ForkRecord>* record;

  explicit AskObserver(std::optional<ForkRecord>& r) : record(&r) {}
  template <ValueDomain D>
  void on_fork(const Model& model, Machine<D>& m, int parent, int child, int this_cpu,
               int chosen) const {
    *record = record_fork(model, m, parent, child, this_cpu, chosen);
  }
};

Schedule without_tasks(const std::string& kernel, const std::string& topology) {
  Schedule schedule;
  schedule.kernel = kernel;
  schedule.topology = topology;
  // Ticks would switch tasks; the trace says when that happened.
  schedule.tick_ns = 0;
  schedule.max_tasks = kTasks;
  schedule.tasks.clear();
  return schedule;
}

Event event_of(EventKind kind, int task) {
  Event event;
  event.kind = kind;
  event.task = task;
  return event;
}

std::int64_t weight_of(int prio) {
  const int nice = prio < 100 ? 0 : std::clamp(prio - 120, kMinNice, kMaxNice);
  return kNiceWeights[static_cast<std::size_t>(nice - kMinNice)];
}

}  // namespace

DrivenMachine::DrivenMachine(const std::string& kernel, const std::string& topology) {
  const Schedule schedule = without_tasks(kernel, topology);
  model_ = make_model(schedule);
  model_.ledger = false;
  m_ = initial_machine(model_, schedule, 0);
}

int DrivenMachine::curr(int cpu) const { return static_cast<int>(cpu_rq(m_, cpu).curr); }

void DrivenMachine::pass(std::int64_t ns) {
  if (ns > 0) pass_time<N>(model_, m_, ns);
}

int DrivenMachine::add(int cpu, int prio, CpuMask cpus, bool blocked) {
  InitialTask task;
  task.cpu = cpu;
  task.weight = weight_of(prio);
  task.cpus = cpus | CpuMask{1} << cpu;
  // 99: stop and deadline tasks too, which the model lacks.
  if (prio < 100) task.policy = prio > 0 ? 99 - std::min(prio, 98) : 99;
  task.blocked = blocked;
  add_initial_task<N>(model_, m_, task);
  return static_cast<int>(m_.nr_tasks) - 1;
}

bool DrivenMachine::waits(int cpu, int task) const {
  return task_of(m_, task).state == kRunnable && task_of(m_, task).cpu == cpu;
}

void DrivenMachine::pinned(int task, int cpu, const Event& event) {
  const auto saved = task_of(m_, task).cpus_ptr;
  task_of(m_, task).cpus_ptr = CpuMask{1} << cpu;
  step<N>(model_, m_, event);
  task_of(m_, task).cpus_ptr = saved;
}

void DrivenMachine::wake(int task, int cpu) {
  if (task_of(m_, task).state == kBlocked) pinned(task, cpu, event_of(EventKind::kWake, task));
  move(task, cpu);
}

void DrivenMachine::move(int task, int cpu) {
  if (task_of(m_, task).state != kRunnable || task_of(m_, task).cpu == cpu) return;
  Event event = event_of(EventKind::kSetAffinity, task);
  event.cpus = CpuMask{1} << cpu;
  pinned(task, cpu, event);
}

int DrivenMachine::run(int cpu, int task) {
  int slept = 0;
  if (task == kNoTask) {
    for (int other = 0; other < m_.nr_tasks; ++other) {
      if (!waits(cpu, other)) continue;
      leave(cpu, other, /*dies=*/false);
      ++slept;
    }
    return slept;
  }
  if (task_of(m_, task).state == kDead) return 0;
  if (!waits(cpu, task)) wake(task, cpu);
  if (curr(cpu) == task) return 0;
  update_rq_clock(m_, cpu);
  switch_to<N>(model_, m_, cpu, curr(cpu), task);
  return 0;
}

void DrivenMachine::leave(int cpu, int task, bool dies) {
  run(cpu, task);
  if (curr(cpu) == task)
    step<N>(model_, m_, event_of(dies ? EventKind::kExit : EventKind::kBlock, task));
}

std::optional<ForkRecord> DrivenMachine::ask(int cpu, int parent) const {
  std::optional<ForkRecord> record;
  if (curr(cpu) != parent) return record;
  Machine<N> copy = m_;
  step<N>(model_, copy, event_of(EventKind::kFork, parent), AskObserver(record));
  return record;
}

int DrivenMachine::fork(int cpu, int parent, int target) {
  run(cpu, parent);
  const auto saved = task_of(m_, parent).cpus_ptr;
  pinned(parent, target, event_of(EventKind::kFork, parent));
  const int child = static_cast<int>(m_.nr_tasks) - 1;
  task_of(m_, child).cpus_ptr = saved;
  move(child, target);  // An RT child starts beside its parent in the model.
  return child;
}

}  // namespace schedcheck
