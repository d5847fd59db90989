// SPDX-License-Identifier: Apache-2.0
/// \file The transition system: init, enabled, step.
#pragma once

#include "model/event.hpp"
#include "model/init.hpp"
#include "model/task_events.hpp"

namespace schedcheck {

/// Nothing watches: benchmarks and plain replays. Properties provide their own
/// (properties/observer.hpp).
struct NoObserver {
  static constexpr int kJudgements = 0;
  template <ValueDomain D>
  void before_event(const Model& /*model*/, Machine<D>& /*m*/, const Event& /*event*/) const {}
  /// The child is placed but not yet queued.
  template <ValueDomain D>
  void on_fork(const Model& /*model*/, Machine<D>& /*m*/, int /*parent*/, int /*child*/,
               int /*this_cpu*/, int /*chosen*/) const {}
  template <ValueDomain D>
  void after_event(const Model& /*model*/, Machine<D>& /*m*/, const Event& /*event*/) const {}
};

/// The event may happen in this state.
template <ValueDomain D>
BoolOf<D> enabled(const Model& model, const Machine<D>& m, const Event& event) {
  using Bool = BoolOf<D>;
  if (event.kind == EventKind::kRun) return event.duration_ns > 0;
  if (event.kind == EventKind::kUpdateBlocked)
    return event.cpu >= 0 && event.cpu < model.topology.nr_cpus;
  const bool is_cgroup = event.group >= 0 && event.group < model.nr_cgroups();
  if (event.kind == EventKind::kSetWeight) return is_cgroup && event.group > 0;
  if (event.task < 0 || event.task >= model.max_tasks) return false;
  const Task<D>& task = task_of(m, event.task);
  const Bool current = D::eval([&]() -> Bool {
    return cpu_rq(m, D::which(task.cpu, 0, model.topology.nr_cpus - 1)).curr == event.task;
  });
  const auto alive = [&] { return task.state == kRunnable || task.state == kBlocked; };
  switch (event.kind) {
    case EventKind::kFork:
      return current && m.nr_tasks < model.max_tasks;
    case EventKind::kExit:
      return current && event.wakes < model.max_tasks && event.wakes != event.task;
    case EventKind::kBlock:
      return current;
    case EventKind::kWake:
      return task.state == kBlocked;
    case EventKind::kSetAffinity:
      return (event.cpus & model.topology.all) != 0 && alive();
    case EventKind::kYield:
      return current && model.eevdf;
    case EventKind::kSetNice:
      return model.eevdf && event.amount >= kMinNice && event.amount <= kMaxNice && alive();
    case EventKind::kSetPolicy:
      if constexpr (D::kSymbolic) return false;
      return model.eevdf && is_policy(event.amount) && alive();
    case EventKind::kMoveGroup:
      return is_cgroup && alive() && task.cgroup != event.group;
    case EventKind::kSetsid:
      return current && m.nr_sessions < model.max_sessions;
    default:
      return false;
  }
}

/// Runs `event` (without its after_ns). Requires that it is enabled; `duration` replaces
/// event.duration_ns so that the symbolic reading can leave it free.
template <ValueDomain D, class Observer>
void dispatch(const Model& model, Machine<D>& m, const Event& event, const IntOf<D>& duration,
              const Observer& observer) {
  const int last_cpu = model.topology.nr_cpus - 1;
  const auto cpu_of = [&] { return D::which(task_of(m, event.task).cpu, 0, last_cpu); };
  switch (event.kind) {
    case EventKind::kRun:
      return pass_time<D>(model, m, duration);
    case EventKind::kFork:
      return fork_event<D>(model, m, event.task, cpu_of(), observer);
    case EventKind::kExit:
      return exit_event<D>(model, m, event.task, cpu_of(), duration, event.wakes);
    case EventKind::kBlock:
      return block_event<D>(model, m, event.task, cpu_of());
    case EventKind::kWake:
      return try_to_wake_up<D>(model, m, event.task);
    case EventKind::kSetAffinity:
      return set_cpus_allowed<D>(model, m, event.task, event.cpus & model.topology.all);
    case EventKind::kUpdateBlocked:
      update_rq_clock(m, event.cpu);
      return update_blocked_averages<D>(model, m, event.cpu);
    case EventKind::kYield:
      return do_sched_yield<D>(model, m, cpu_of(), event.task);
    case EventKind::kSetNice:
      return set_user_nice<D>(model, m, cpu_of(), event.task, static_cast<int>(event.amount));
    case EventKind::kMoveGroup:
      return cpu_cgroup_attach<D>(model, m, cpu_of(), event.task, event.group);
    case EventKind::kSetWeight:
      return sched_group_set_shares<D>(model, m, event.group, IntOf<D>(event.amount * 1024));
    case EventKind::kSetsid:
      return setsid<D>(model, m, cpu_of(), event.task);
    case EventKind::kSetPolicy:
      if constexpr (!D::kSymbolic)
        return sched_setscheduler<D>(model, m, cpu_of(), event.task, event.amount);
      return;
  }
}

/// One event of the transition system: event.after_ns passes, then the event happens if it is
/// enabled by then. Yields whether it was; natively a disabled event does nothing, symbolically the
/// caller must assume the result.
template <ValueDomain D, class Observer = NoObserver>
BoolOf<D> step(const Model& model, Machine<D>& m, const Event& event,
               const Observer& observer = {}) {
  m.event = EventGhost<D>{};
  m.event.residue_cpu = -1;
  for (Judgement<D>& judgement : m.judged) judgement = Judgement<D>{};
  if (event.after_ns > 0) {
    D::join([&] { pass_time<D>(model, m, IntOf<D>(event.after_ns)); }, m);
  }
  const BoolOf<D> happens = enabled<D>(model, m, event);
  if constexpr (!D::kSymbolic) {
    if (!happens) {
      observer.after_event(model, m, Event{});
      return false;
    }
  }
  observer.before_event(model, m, event);
  D::join(
      [&] {
        dispatch<D>(model, m, event, IntOf<D>(event.duration_ns), observer);
        for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu) serve_resched<D>(model, m, cpu);
      },
      m);
  observer.after_event(model, m, event);
  return happens;
}

}  // namespace schedcheck
