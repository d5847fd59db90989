// SPDX-License-Identifier: Apache-2.0
/// \file The event alphabet as stages: exit step, time, departures, placement, arrival, leaving.
/// Each stage serves all kinds of events that pass through it, so its arithmetic is in the formula
/// once. The stages call the model's functions in the order of dispatch() (model/step.hpp).
#include "solver/symbolic_step.hpp"

#include <stdexcept>

#include "model/step.hpp"

namespace schedcheck {
namespace {

SymbolicMachine without_ledger(SymbolicMachine m) {
  m.ledger.accounts.clear();
  return m;
}

class Stages {
 public:
  Stages(const Model& model, SymbolicMachine& m, const SymbolicEvent& event, PropertySet observed);

  Z3Bool run();

 private:
  [[nodiscard]] Z3Bool is(EventKind kind) const {
    return enabled_ && event_.kind == static_cast<int>(kind);
  }
  [[nodiscard]] Z3Bool find_enabled() const;
  /// What `get` yields for the task of number `task`.
  template <class F>
  [[nodiscard]] auto of_task(const Z3Int& task, const F& get) const {
    std::vector<decltype(get(m_.task[0]))> values;
    for (const Task<Z3Domain>& t : m_.task) values.push_back(get(t));
    return element(values, task);
  }
  [[nodiscard]] Z3Int task_cpu(const Z3Int& task) const {
    return of_task(task, [](const Task<Z3Domain>& t) { return Z3Int(t.cpu); });
  }

  /// A placement, of which an abstract session keeps only that it is a CPU.
  [[nodiscard]] Z3Int forgotten_cpu(const Z3Int& cpu) const {
    return stored_data(cpu, 0, model_.topology.nr_cpus - 1);
  }

  void take_exit_step();
  void pass(const Z3Bool& when);
  void tick(const Z3Bool& when);
  void change_affinity();
  void wake();
  void fork();
  void judge_fork(const Z3Bool& when, const SymbolicMachine& forked, const Z3Int& selected);
  void arrive();
  void leave();
  void update_blocked();
  void judge_state();

  const Model& model_;
  Model one_cpu_;  ///< The machine of a view.
  SymbolicMachine& m_;
  const SymbolicEvent& event_;
  PropertyObserver observer_;
  Z3Bool enabled_;
  Z3Int cpu_;  ///< Where the event's task is.
  Z3Int last_task_;
  /// Who arrives on which CPU, by wake, fork or set_affinity.
  Z3Bool arrives_ = false, forked_ = false;
  Z3Int newcomer_ = 0, destination_ = 0;
};

Stages::Stages(const Model& model, SymbolicMachine& m, const SymbolicEvent& event,
               PropertySet observed)
    : model_(model), one_cpu_(model), m_(m), event_(event) {
  observer_.enabled = observed;
  if (observed != 0 && m.judged.size() != kPropertyCount)
    throw std::logic_error("symbolic_step needs a judgement slot for each property");
  one_cpu_.topology = Topology{"one CPU", 1, 1, {{}}};
  last_task_ = static_cast<std::int64_t>(m.task.size()) - 1;
  cpu_ = task_cpu(event.task);
  enabled_ = find_enabled();
}

Z3Bool Stages::find_enabled() const {
  Z3Bool any = false;
  for (int kind = 0; kind < kQueryEventKinds; ++kind) {
    Z3Bool this_kind = false;
    for (int task = 0; task < static_cast<int>(m_.task.size()); ++task) {
      Event example;
      example.kind = static_cast<EventKind>(kind);
      example.task = task;
      example.cpus = model_.topology.all;
      example.duration_ns = 1;
      this_kind = this_kind || (event_.task == task && enabled<Z3Domain>(model_, m_, example));
    }
    any = any || (event_.kind == kind && this_kind);
  }
  const Z3Bool lasts = event_.kind != static_cast<int>(EventKind::kRun) || event_.duration_ns > 0;
  const Z3Bool wakes_other =
      event_.kind != static_cast<int>(EventKind::kExit) || event_.wakes != event_.task;
  return any && lasts && wakes_other;
}

void Stages::take_exit_step() {
  const Z3Bool when = is(EventKind::kExit);
  CpuView view(m_, cpu_, event_.task);
  view.assume_current(when);
  view.update(when, [&](SymbolicMachine& v) { exit_step<Z3Domain>(one_cpu_, v, 0, 0); });
}

/// pass_time. While a task exits, its CPU does not switch.
void Stages::pass(const Z3Bool& when) {
  const Z3Int end = m_.now + event_.duration_ns;
  if (model_.tick_ns > 0) {
    const std::int64_t ticks_max = (event_.duration_ns.hi() + model_.tick_ns - 1) / model_.tick_ns;
    for (std::int64_t i = 0; i < ticks_max; ++i) {
      const Z3Int passed = Z3Domain::div(m_.now - kBootTime, model_.tick_ns);
      const Z3Int next = (passed + 1) * model_.tick_ns + kBootTime;
      const Z3Bool falls = when && next <= end;
      m_.now = merge(falls, next, m_.now);
      tick(falls);
    }
  }
  m_.now = merge(when, end, m_.now);
}

void Stages::tick(const Z3Bool& when) {
  for (std::size_t c = 0; c < m_.rq.size(); ++c) {
    const Z3Int curr = m_.rq[c].curr;
    const Z3Bool busy = when && curr != kNoTask;
    const Z3Bool keeps = is(EventKind::kExit) && cpu_ == Z3Int(c);
    CpuView view(m_, Z3Int(c),
                 merge(curr == kNoTask, Z3Int(0), curr.assume_range(0, last_task_.lo())));
    view.assume_current(busy);
    view.update(busy, [&](SymbolicMachine& v) {
      task_tick<Z3Domain>(one_cpu_, v, 0, /*keep_current=*/true);
      Z3Domain::join(
          [&] {
            if (!keeps && v.rq[0].cfs.h_nr_queued > 1) schedule_cpu<Z3Domain>(one_cpu_, v, 0, 0);
          },
          v);
    });
  }
}

/// The first half of set_cpus_allowed: the task leaves a CPU that it may not use any more.
void Stages::change_affinity() {
  const Z3Bool when = is(EventKind::kSetAffinity);
  Z3Bool stays = false;
  Z3Int first_allowed = 0;
  for (int c = model_.topology.nr_cpus - 1; c >= 0; --c) {
    const Z3Bool may = Z3Domain::bit(event_.cpus, c);
    stays = stays || (may && cpu_ == c);
    first_allowed = merge(may, Z3Int(c), first_allowed);
  }
  for (std::size_t t = 0; t < m_.task.size(); ++t)
    m_.task[t].cpus_ptr = merge(when && event_.task == Z3Int(t), event_.cpus, m_.task[t].cpus_ptr);
  const Z3Bool queued = of_task(event_.task, [](const Task<Z3Domain>& t) { return t.on_rq; });
  const Z3Bool moves = when && queued && !stays;
  CpuView view(m_, cpu_, event_.task);
  view.update(moves, [&](SymbolicMachine& v) {
    update_rq_clock(v, 0);
    dequeue_task_fair<Z3Domain>(one_cpu_, v, 0, 0, {.migrating = true});
    Z3Domain::join(
        [&] {
          if (v.rq[0].curr == 0) schedule_cpu<Z3Domain>(one_cpu_, v, 0, 0);
        },
        v);
    v.task[0].avg.last_update_time = 0;
  });
  arrives_ = arrives_ || moves;
  newcomer_ = merge(moves, event_.task, newcomer_);
  destination_ = merge(moves, forgotten_cpu(first_allowed), destination_);
}

/// The first half of try_to_wake_up, for wake and for the wakeup at a death.
void Stages::wake() {
  const Z3Bool at_exit = is(EventKind::kExit);
  const Z3Int target = merge(at_exit, event_.wakes, event_.task);
  const Z3Int sleeper = Z3Domain::max(target, Z3Int(0));
  const Z3Bool sleeps = target >= 0 && of_task(sleeper, [](const Task<Z3Domain>& t) {
                                         return Z3Int(t.state);
                                       }) == kBlocked;
  const Z3Bool when = (at_exit || is(EventKind::kWake)) && sleeps;
  const Z3Int prev = task_cpu(sleeper);
  const SymbolicMachine view_of_all = renumbered(without_ledger(m_), sleeper);
  const Z3Int selected = forgotten_cpu(Z3Domain::eval([&]() -> Z3Int {
    if (!when) return Z3Int(0);
    const int cpu = Z3Domain::which(prev, 0, model_.topology.nr_cpus - 1);
    return select_task_rq_wake<Z3Domain>(model_, view_of_all, 0, cpu);
  }));
  CpuView view(m_, prev, sleeper);
  view.assume_attached(when);
  view.update(when && selected != prev,
              [&](SymbolicMachine& v) { leave_lazily<Z3Domain>(one_cpu_, v, 0, 0); });
  arrives_ = arrives_ || when;
  newcomer_ = merge(when, sleeper, newcomer_);
  destination_ = merge(when, selected, destination_);
}

/// sched_fork and the choice of the CPU.
void Stages::fork() {
  const Z3Bool when = is(EventKind::kFork);
  const Z3Int child = Z3Domain::min(m_.nr_tasks, last_task_);
  SymbolicMachine forked = renumbered(without_ledger(m_), child);
  const Z3Int weight =
      of_task(event_.task, [](const Task<Z3Domain>& t) { return Z3Int(t.load_weight); });
  const Z3Int inverse =
      of_task(event_.task, [](const Task<Z3Domain>& t) { return Z3Int(t.inv_weight); });
  const Z3Int cpus =
      of_task(event_.task, [](const Task<Z3Domain>& t) { return Z3Int(t.cpus_ptr); });
  copy_process<Z3Domain>(forked, 0, cpu_, weight, inverse, cpus);
  const Z3Int selected = Z3Domain::eval([&]() -> Z3Int {
    if (!when) return Z3Int(0);
    const int cpu = Z3Domain::which(cpu_, 0, model_.topology.nr_cpus - 1);
    return select_task_rq_fork<Z3Domain>(model_, forked, 0, cpu);
  });
  if (observer_.enabled != 0) judge_fork(when, forked, selected);
  const Z3Int destination = forgotten_cpu(selected);
  CpuView view(m_, destination, child);
  view.update(when, [&](SymbolicMachine& v) {
    copy_process<Z3Domain>(v, 0, 0, weight, inverse, cpus);
    post_init_entity_util_avg<Z3Domain>(one_cpu_, v, {0, 0, 0});
  });
  arrives_ = arrives_ || when;
  newcomer_ = merge(when, child, newcomer_);
  destination_ = merge(when, destination, destination_);
}

/// The observer sees the child as task 0 and its parent as task 1; nothing that it reads depends on
/// the other numbers.
void Stages::judge_fork(const Z3Bool& when, const SymbolicMachine& forked, const Z3Int& selected) {
  Task<Z3Domain> parent = element(m_.task, event_.task);
  Z3Domain::join(
      [&] {
        if (!when) return;
        SymbolicMachine seen = forked;
        seen.task.insert(seen.task.begin() + 1, parent);
        const int last_cpu = model_.topology.nr_cpus - 1;
        const int cpu = Z3Domain::which(cpu_, 0, last_cpu);
        const int chosen = Z3Domain::which(selected, 0, last_cpu);
        observer_.on_fork<Z3Domain>(model_, seen, 1, 0, cpu, chosen);
        for (std::size_t i = 0; i < m_.judged.size(); ++i) {
          m_.judged[i].relevant = seen.judged[i].relevant;
          m_.judged[i].violated = seen.judged[i].violated;
        }
        parent.ghost.burst_cpus = seen.task[1].ghost.burst_cpus;
      },
      m_.judged, parent.ghost.burst_cpus);
  for (std::size_t t = 0; t < m_.task.size(); ++t)
    m_.task[t].ghost.burst_cpus = merge(when && event_.task == Z3Int(t), parent.ghost.burst_cpus,
                                        m_.task[t].ghost.burst_cpus);
}

void Stages::arrive() {
  CpuView view(m_, destination_, newcomer_);
  view.update(arrives_, [&](SymbolicMachine& v) {
    v.task[0].state = kRunnable;
    activate_task<Z3Domain>(one_cpu_, v, 0, 0, {});
  });
}

/// block_event, and the end of exit_event.
void Stages::leave() {
  const Z3Bool dies = is(EventKind::kExit);
  const Z3Bool when = dies || is(EventKind::kBlock);
  CpuView view(m_, cpu_, event_.task);
  view.assume_current(when);
  view.update(when, [&](SymbolicMachine& v) {
    update_rq_clock(v, 0);
    dequeue_task_fair<Z3Domain>(one_cpu_, v, 0, 0, {.sleep = true, .special = true});
    v.task[0].state = merge(dies, Z3Int(kDead), Z3Int(kBlocked));
    schedule_cpu<Z3Domain>(one_cpu_, v, 0, 0);
    Z3Domain::join(
        [&] {
          if (dies) remove_entity_load_avg<Z3Domain>(one_cpu_, v, {0, 0, 0}, /*death=*/true);
        },
        v);
  });
}

void Stages::update_blocked() {
  CpuView view(m_, event_.cpu, 0);
  view.update(is(EventKind::kUpdateBlocked), [&](SymbolicMachine& v) {
    update_rq_clock(v, 0);
    update_cfs_rq_load_avg<Z3Domain>(one_cpu_, v, 0);
  });
}

/// The judgements after the event, and the end of a burst.
void Stages::judge_state() {
  const Z3Bool blocks = is(EventKind::kBlock);
  for (std::size_t t = 0; t < m_.task.size(); ++t)
    m_.task[t].ghost.burst_cpus =
        merge(blocks && event_.task == Z3Int(t), Z3Int(0), m_.task[t].ghost.burst_cpus);
  for_each_property([&]<class P>(std::size_t i, P) {
    if constexpr (requires { P::template after_event<Z3Domain>(model_, m_, Event{}); }) {
      if ((observer_.enabled >> i & 1) == 0) return;
      const Judgement<Z3Domain> judgement = P::template after_event<Z3Domain>(model_, m_, Event{});
      m_.judged[i].relevant = enabled_ && judgement.relevant;
      m_.judged[i].violated = enabled_ && judgement.violated;
    }
  });
}

Z3Bool Stages::run() {
  m_.event = EventGhost<Z3Domain>{};
  m_.event.residue_cpu = -1;
  for (Judgement<Z3Domain>& judgement : m_.judged) judgement = Judgement<Z3Domain>{};
  take_exit_step();
  pass(is(EventKind::kRun) || is(EventKind::kExit));
  change_affinity();
  wake();
  fork();
  arrive();
  leave();
  update_blocked();
  if (observer_.enabled != 0) judge_state();
  return enabled_;
}

}  // namespace

Z3Bool symbolic_step(const Model& model, SymbolicMachine& m, const SymbolicEvent& event,
                     PropertySet observed) {
  return Stages(model, m, event, observed).run();
}

}  // namespace schedcheck
