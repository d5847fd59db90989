// SPDX-License-Identifier: Apache-2.0
/// \file The transition system: init, enabled, step.
#pragma once

#include "model/event.hpp"
#include "model/exit/sched_move_task.hpp"
#include "model/fair/pass_time.hpp"
#include "model/fair/wake.hpp"
#include "model/pelt/post_init_entity_util_avg.hpp"
#include "model/placement/find_dst_cpu.hpp"

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

/// A task that exists from the start. Averages are given as util_avg, or derived as for a fork on
/// an empty CPU (512) when negative.
struct InitialTask {
  int cpu = 0;
  std::int64_t weight = kNice0Weight;
  CpuMask cpus = ~CpuMask{0};
  std::int64_t util_avg = -1;
  bool blocked = false;

  friend bool operator==(const InitialTask&, const InitialTask&) = default;
};

/// A machine with every clock at kBootTime at the start of a window and nothing on it.
template <ValueDomain D>
Machine<D> empty_machine(const Model& model, int judgements) {
  Machine<D> m{};
  m.now = kBootTime;
  m.rq.resize(static_cast<std::size_t>(model.topology.nr_cpus));
  m.task.resize(static_cast<std::size_t>(model.max_tasks));
  m.judged.resize(static_cast<std::size_t>(judgements));
  for (Rq<D>& rq : m.rq) {
    rq.clock = kBootTime;
    rq.idle_stamp = 1;
    rq.curr = kNoTask;
    rq.cfs.curr = kNoTask;
    rq.cfs.avg.last_update_time = kBootTime;
  }
  m.ledger.accounts.assign(m.rq.size(), std::vector<Account<D>>(model.ledger ? m.task.size() : 0));
  m.event.residue_cpu = -1;
  return m;
}

/// Gives p its number and a fresh, unattached state.
template <ValueDomain D>
void copy_process(Machine<D>& m, int p, const IntOf<D>& cpu, const IntOf<D>& weight,
                  const typename D::Mask& cpus) {
  Task<D>& task = task_of(m, p);
  task.state = kBlocked;
  task.cpu = cpu;
  task.load_weight = weight;
  task.on_rq = false;
  task.cpus_ptr = cpus;
  task.avg = SchedAvg<D>{};
  task.avg.load_avg = weight;
  task.ghost = TaskGhost<D>{};
  m.nr_tasks = m.nr_tasks + 1;
}

/// Adds an initial task as if it had been forked onto its CPU (then put to sleep if `blocked`).
/// `util_avg` replaces init.util_avg so that the symbolic reading can leave it free.
template <ValueDomain D>
void add_initial_task(const Model& model, Machine<D>& m, const InitialTask& init,
                      const IntOf<D>* util_avg = nullptr) {
  const int p = static_cast<int>(D::which(m.nr_tasks, 0, model.max_tasks - 1));
  copy_process<D>(m, p, init.cpu, init.weight, typename D::Mask(init.cpus & model.topology.all));
  if (util_avg == nullptr && init.util_avg < 0) {
    post_init_entity_util_avg<D>(model, m, init.cpu, p);
  } else {
    const IntOf<D> average = util_avg != nullptr ? *util_avg : IntOf<D>(init.util_avg);
    task_of(m, p).avg.util_avg = average;
    task_of(m, p).avg.runnable_avg = average;
  }
  activate_task<D>(model, m, init.cpu, p);
  // What ran before the start is what the start averages say.
  cpu_rq(m, init.cpu).ghost.busy_sum = IntOf<D>(cpu_rq(m, init.cpu).cfs.avg.util_sum);
  if (init.blocked) {
    dequeue_entity<D>(model, m, init.cpu, p, false);
    task_of(m, p).state = kBlocked;
    if (cpu_rq(m, init.cpu).curr == p) schedule_cpu<D>(model, m, init.cpu, p);
  }
}

/// The event may happen in this state.
template <ValueDomain D>
BoolOf<D> enabled(const Model& model, const Machine<D>& m, const Event& event) {
  using Bool = BoolOf<D>;
  if (event.kind == EventKind::kRun) return event.duration_ns > 0;
  if (event.kind == EventKind::kUpdateBlocked)
    return event.cpu >= 0 && event.cpu < model.topology.nr_cpus;
  if (event.task < 0 || event.task >= model.max_tasks) return false;
  const Task<D>& task = task_of(m, event.task);
  const Bool current = D::eval([&]() -> Bool {
    return cpu_rq(m, D::which(task.cpu, 0, model.topology.nr_cpus - 1)).curr == event.task;
  });
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
      return (event.cpus & model.topology.all) != 0 &&
             (task.state == kRunnable || task.state == kBlocked);
    default:
      return false;
  }
}

/// sched_fork and wake_up_new_task: the child of `parent`, which runs on `cpu`.
template <ValueDomain D, class Observer>
void fork_event(const Model& model, Machine<D>& m, int parent, int cpu, const Observer& observer) {
  const int child = D::which(m.nr_tasks, 0, model.max_tasks - 1);
  copy_process<D>(m, child, cpu, task_of(m, parent).load_weight, task_of(m, parent).cpus_ptr);
  const IntOf<D> selected = select_task_rq_fork<D>(model, m, child, cpu);
  const int chosen = D::which(selected, 0, model.topology.nr_cpus - 1);
  observer.on_fork(model, m, parent, child, cpu, chosen);
  post_init_entity_util_avg<D>(model, m, chosen, child);
  activate_task<D>(model, m, chosen, child);
}

/// do_exit from the exit step on: the step, `after_step_ns` of running, the wakeup of a waiting
/// parent
/// (`wakes`, -1: nobody), death, the switch away, and the removal that the next update of the queue
/// will apply (task_dead_fair).
template <ValueDomain D>
void exit_event(const Model& model, Machine<D>& m, int p, int cpu, const IntOf<D>& after_step_ns,
                int wakes) {
  exit_step<D>(model, m, cpu, p);
  pass_time<D>(model, m, after_step_ns, cpu);
  if (wakes >= 0) {
    D::join(
        [&] {
          if (task_of(m, wakes).state == kBlocked) try_to_wake_up<D>(model, m, wakes);
        },
        m);
  }
  update_rq_clock(m, cpu);
  dequeue_entity<D>(model, m, cpu, p, /*migrating=*/false);
  task_of(m, p).state = kDead;
  schedule_cpu<D>(model, m, cpu, p);
  remove_entity_load_avg<D>(model, m, cpu, p, /*death=*/true);
}

template <ValueDomain D>
void block_event(const Model& model, Machine<D>& m, int p, int cpu) {
  update_rq_clock(m, cpu);
  dequeue_entity<D>(model, m, cpu, p, /*migrating=*/false);
  task_of(m, p).state = kBlocked;
  schedule_cpu<D>(model, m, cpu, p);
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
      return update_cfs_rq_load_avg<D>(model, m, event.cpu);
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
  D::join([&] { dispatch<D>(model, m, event, IntOf<D>(event.duration_ns), observer); }, m);
  observer.after_event(model, m, event);
  return happens;
}

}  // namespace schedcheck
