// SPDX-License-Identifier: Apache-2.0
/// \file Lockstep and the oracles of two kernels.
#include "counterexamples/two_kernels.hpp"

#include <memory>

#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

using N = NativeDomain;

struct ChosenObserver : NoObserver {
  int* chosen;

  template <ValueDomain D>
  void on_fork(const Model& /*model*/, Machine<D>& /*m*/, int /*parent*/, int /*child*/,
               int /*this_cpu*/, int cpu) const {
    *chosen = cpu;
  }
};

HeldForDead held_for_dead(const Machine<N>& m, int cpu) {
  const SchedAvg<N>& avg = cpu_rq(m, cpu).cfs.avg;
  HeldForDead held;
  held.util_avg = avg.util_avg;
  held.divider = pelt_divider<N>(avg);
  for (int p = 0; p < m.nr_tasks; ++p) {
    if (task_of(m, p).state != kDead) continue;
    const Account<N>& account =
        m.ledger.accounts[static_cast<std::size_t>(cpu)][static_cast<std::size_t>(p)];
    held.pending += account.pending;
    held.left_sum += account.balance - account.pending * held.divider;
  }
  return held;
}

/// Keeps what a placement reads, just before it is carried out.
struct DecisionObserver : NoObserver {
  PlacementDecision* decision;

  template <ValueDomain D>
  void before_event(const Model& model, Machine<D>& m, const Event& event) const {
    const int woken = event.kind == EventKind::kWake ? event.task : event.wakes;
    if (woken < 0 || woken >= m.nr_tasks) return;
    decision->task = woken;
    decision->this_cpu = static_cast<int>(task_of(m, woken).cpu);
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      if (idle_cpu(m, cpu)) decision->idle |= CpuMask{1} << cpu;
  }
  template <ValueDomain D>
  void on_fork(const Model& model, Machine<D>& m, int parent, int child, int this_cpu,
               int chosen) const {
    decision->task = child;
    decision->this_cpu = this_cpu;
    decision->chosen_cpu = chosen;
    decision->fork = record_fork(model, m, parent, child, this_cpu, chosen);
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
      decision->cpus.push_back(held_for_dead(m, cpu));
  }
};

/// The task whose place an event decides, besides a fork's child; kNoTask: none.
int woken_task(const Event& event, int nr_tasks) {
  const int task = event.kind == EventKind::kWake ? event.task : event.wakes;
  return task < nr_tasks ? task : kNoTask;
}

bool same_placement(const Machine<N>& a, const Machine<N>& b) {
  if (a.nr_tasks != b.nr_tasks) return false;
  for (int p = 0; p < a.nr_tasks; ++p)
    if (task_of(a, p).cpu != task_of(b, p).cpu || task_of(a, p).state != task_of(b, p).state)
      return false;
  return true;
}

bool same_util(const Machine<N>& a, const Machine<N>& b) {
  for (std::size_t cpu = 0; cpu < a.rq.size(); ++cpu)
    if (a.rq[cpu].cfs.avg.util_avg != b.rq[cpu].cfs.avg.util_avg) return false;
  return true;
}

PlacementDecision decision_at(const Model& model, const Schedule& schedule, int event) {
  Machine<N> m = start_machine(model, schedule);
  for (int i = 0; i + 1 < event; ++i)
    step<N>(model, m, schedule.events[static_cast<std::size_t>(i)], NoObserver{});
  PlacementDecision decision;
  DecisionObserver observer;
  observer.decision = &decision;
  step<N>(model, m, schedule.events[static_cast<std::size_t>(event) - 1], observer);
  if (!decision.fork) decision.chosen_cpu = static_cast<int>(task_of(m, decision.task).cpu);
  return decision;
}

}  // namespace

TwoKernels::TwoKernels(const std::string& kernel_a, const std::string& kernel_b) {
  const KernelChoice a = parse_kernel(kernel_a);
  const KernelChoice b = parse_kernel(kernel_b);
  names_[0] = a.name;
  names_[1] = b.name;
  switches_[0] = a.switches;
  switches_[1] = b.switches;
}

bool TwoKernels::prepare(const Schedule& schedule) {
  for (std::size_t side = 0; side < 2; ++side) {
    Model& model = models_[side];
    if (topology_ != schedule.topology) {
      Schedule key;
      key.topology = schedule.topology;
      key.kernel = names_[side];
      model = make_model(key);
    }
    model.kernel = switches_[side];
    configure(model, schedule);
  }
  topology_ = schedule.topology;
  if (static_cast<int>(schedule.tasks.size()) > schedule.max_tasks) return false;
  for (const InitialTask& task : schedule.tasks)
    if (task.cpu >= models_[0].topology.nr_cpus || (task.cpus >> task.cpu & 1) == 0) return false;
  return true;
}

Lockstep TwoKernels::lockstep(const Schedule& schedule) {
  Lockstep result;
  if (!prepare(schedule)) return result;
  for (Model& model : models_) model.ledger = false;
  Machine<N> a = start_machine(models_[0], schedule);
  Machine<N> b = start_machine(models_[1], schedule);
  int chosen_a = 0;
  int chosen_b = 0;
  ChosenObserver see_a;
  ChosenObserver see_b;
  see_a.chosen = &chosen_a;
  see_b.chosen = &chosen_b;
  bool going = same_placement(a, b);
  for (std::size_t i = 0; going && i < schedule.events.size(); ++i) {
    const Event& event = schedule.events[i];
    if (event.kind == EventKind::kFork && !same_util(a, b)) result.averages_differ = true;
    chosen_a = 0;
    chosen_b = 0;
    going = step<N>(models_[0], a, event, see_a) && step<N>(models_[1], b, event, see_b);
    if (!going) break;
    const int woken = woken_task(event, static_cast<int>(a.nr_tasks));
    if (chosen_a != chosen_b || (woken >= 0 && task_of(a, woken).cpu != task_of(b, woken).cpu)) {
      result.event = static_cast<int>(i) + 1;
      break;
    }
  }
  for (Model& model : models_) model.ledger = true;
  return result;
}

int TwoKernels::fails_only_on_first(const Schedule& schedule, std::size_t property) {
  if (!prepare(schedule)) return 0;
  const PropertySet only = PropertySet{1} << property;
  const RunResult first = run_schedule(models_[0], schedule, only, property);
  const Violation* violation = first.of(property);
  if (first.skipped > 0 || violation == nullptr) return 0;
  Schedule same = schedule;
  same.events.resize(static_cast<std::size_t>(violation->event));
  const RunResult second = run_schedule(models_[1], same, only, property);
  return second.skipped > 0 || second.of(property) != nullptr ? 0 : violation->event;
}

int TwoKernels::spawn_leaves_only_on_first(const Schedule& schedule) {
  if (!prepare(schedule)) return 0;
  for (Model& model : models_) model.ledger = false;
  const int event = warm_spawn_violation(models_[0], schedule);
  int on_b = -1;
  if (event > 0) {
    Schedule same = schedule;
    same.events.resize(static_cast<std::size_t>(event));
    on_b = warm_spawn_violation(models_[1], same);
  }
  for (Model& model : models_) model.ledger = true;
  if (on_b != 0) return 0;
  const PlacementDecision a = decision_at(models_[0], schedule, event);
  const PlacementDecision b = decision_at(models_[1], schedule, event);
  const auto cpu = static_cast<std::size_t>(a.this_cpu);
  return a.cpus[cpu].left_sum - b.cpus[cpu].left_sum >= a.cpus[cpu].divider ? event : 0;
}

std::optional<Divergence> TwoKernels::divergence(const Schedule& schedule) {
  const int event = lockstep(schedule).event;
  if (event == 0) return std::nullopt;
  const Event& at = schedule.events[static_cast<std::size_t>(event) - 1];
  return Divergence{event, at.kind == EventKind::kFork, decision_at(models_[0], schedule, event),
                    decision_at(models_[1], schedule, event)};
}

StillFails differs(Difference what, const std::string& kernel_a, const std::string& kernel_b,
                   std::size_t property) {
  const auto both = std::make_shared<TwoKernels>(kernel_a, kernel_b);
  return [=](const Schedule& schedule) {
    switch (what) {
      case Difference::kPlacement:
        return both->lockstep(schedule).event;
      case Difference::kProperty:
        return both->fails_only_on_first(schedule, property);
      case Difference::kWarmSpawn:
        break;
    }
    return both->spawn_leaves_only_on_first(schedule);
  };
}

int warm_spawn_violation(const Model& model, const Schedule& schedule) {
  static const std::size_t kSpawn = property_index("spawn-stays-local");
  constexpr std::int64_t kParentNs = 50 * kNsPerUnit;
  Machine<N> m = start_machine(model, schedule);
  for (Rq<N>& rq : m.rq) {
    if (rq.nr_running != 1) return 0;
    rq.ghost.spawn_phase = kSpawnParent;
    rq.ghost.spawn_since = m.now;
  }
  const PropertyObserver observer{PropertySet{1} << kSpawn, nullptr};
  CpuMask forked = 0;
  for (std::size_t i = 0; i < schedule.events.size(); ++i) {
    const Event& event = schedule.events[i];
    if (event.kind == EventKind::kFork && event.task >= 0 && event.task < m.nr_tasks) {
      const auto cpu = static_cast<int>(task_of(m, event.task).cpu);
      if ((forked >> cpu & 1) == 0)
        cpu_rq(m, cpu).ghost.spawn_since = m.now + event.after_ns - kParentNs;
      forked |= CpuMask{1} << cpu;
    }
    if (!step<N>(model, m, event, observer)) return -1;
    if (m.judged[kSpawn].violated) return static_cast<int>(i) + 1;
  }
  return 0;
}

std::int64_t spare_up_to(CpuMask cpus, int imbalance_pct) {
  // group_classify: spare while capacity * 100 > util * imbalance_pct.
  return (std::popcount(cpus) * kCapacity * 100 - 1) / imbalance_pct;
}

}  // namespace schedcheck
