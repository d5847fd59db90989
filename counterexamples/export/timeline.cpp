// SPDX-License-Identifier: Apache-2.0
/// \file Records what happens on the CPUs by comparing states.
#include "counterexamples/export/timeline.hpp"

#include <algorithm>

#include "counterexamples/decision_log.hpp"

namespace schedcheck {
namespace {

using N = NativeDomain;

/// The part of a state that shows in a trace.
struct Seen {
  struct TaskSeen {
    std::int64_t state;
    int cpu;
  };
  std::vector<int> curr;
  std::vector<TaskSeen> tasks;
};

Seen look(const Machine<N>& m) {
  Seen seen;
  for (const Rq<N>& rq : m.rq) seen.curr.push_back(static_cast<int>(rq.curr));
  for (int p = 0; p < m.nr_tasks; ++p)
    seen.tasks.push_back({task_of(m, p).state, static_cast<int>(task_of(m, p).cpu)});
  return seen;
}

class Recorder {
 public:
  explicit Recorder(const Schedule& schedule) : model_(make_model(schedule)) {
    model_.ledger = false;
    Machine<N> empty = empty_machine<N>(model_, 0);
    seen_ = look(empty);
    m_ = initial_machine(model_, schedule, 0);
    line_.nr_cpus = model_.topology.nr_cpus;
    note(look(m_), kNoTask);
    for (std::size_t i = 0; i < schedule.preamble.size(); ++i)
      play(schedule.preamble[i], "p" + std::to_string(i + 1));
    for (std::size_t i = 0; i < schedule.events.size(); ++i)
      play(schedule.events[i], std::to_string(i + 1));
    line_.end_ns = now();
    line_.nr_tasks = static_cast<int>(m_.nr_tasks);
    for (int p = 0; p < m_.nr_tasks; ++p)
      line_.weights.push_back(scale_load_down<NativeDomain>(task_of(m_, p).load_weight));
  }
  Timeline take() { return std::move(line_); }

 private:
  [[nodiscard]] std::int64_t now() const { return m_.now - kBootTime; }
  /// The next tick after `ns`, at most `end`.
  [[nodiscard]] std::int64_t next_stop(std::int64_t ns, std::int64_t end) const {
    return model_.tick_ns > 0 ? std::min(end, (ns / model_.tick_ns + 1) * model_.tick_ns) : end;
  }

  void play(const Event& event, const std::string& label) {
    pass(event.after_ns);
    const bool happens = enabled<N>(model_, m_, event);
    line_.events.push_back({label, event, now(), happens});
    const int cpu = happens && event.kind != EventKind::kRun ? cpu_of(event) : 0;
    add({.kind = ChangeKind::kEvent,
         .cpu = cpu,
         .actor = curr_of(cpu),
         .event = static_cast<int>(line_.events.size()) - 1});
    if (!happens) return;
    // The kernel traces it before the exit step, long before death.
    if (event.kind == EventKind::kExit) add({ChangeKind::kExit, 0, cpu, event.task, event.task});
    Event rest = event;
    rest.after_ns = 0;
    if (event.kind == EventKind::kRun) return pass(event.duration_ns);
    if (event.duration_ns > 0) probe(rest);
    step<N>(model_, m_, rest);
    note(look(m_), event.task);
  }

  [[nodiscard]] int cpu_of(const Event& event) const {
    const auto p = static_cast<std::size_t>(event.task);
    return event.kind == EventKind::kUpdateBlocked || p >= seen_.tasks.size() ? event.cpu
                                                                              : seen_.tasks[p].cpu;
  }

  /// Ticks in the middle of an event: a copy of the machine in which its time ends at the tick
  /// tells what the other CPUs do by then. The task's own CPU goes on to the end.
  void probe(const Event& event) {
    const std::int64_t end = now() + event.duration_ns;
    for (std::int64_t stop = next_stop(now(), end); stop < end; stop = next_stop(stop, end)) {
      Machine<N> copy = m_;
      Event part = event;
      part.duration_ns = stop - now();
      part.wakes = -1;
      step<N>(model_, copy, part);
      Seen then = look(copy);
      const auto p = static_cast<std::size_t>(event.task);
      then.tasks[p] = seen_.tasks[p];
      then.curr[static_cast<std::size_t>(then.tasks[p].cpu)] = event.task;
      at_ = stop;
      note(then, kNoTask);
    }
    at_ = -1;
  }

  void pass(std::int64_t duration) {
    for (const std::int64_t end = now() + duration; now() < end;) {
      pass_time<N>(model_, m_, next_stop(now(), end) - now());
      note(look(m_), kNoTask);
    }
  }

  void add(Change change) {
    change.ns = at_ >= 0 ? at_ : now();
    line_.changes.push_back(change);
  }

  /// Adds what differs between what was seen last and `then`; `doer` caused it, if anybody did.
  void note(const Seen& then, int doer) {
    std::vector<std::size_t> moved;
    for (std::size_t p = seen_.tasks.size(); p < then.tasks.size(); ++p) note_birth(then, p, doer);
    for (std::size_t p = 0; p < seen_.tasks.size(); ++p) {
      if (seen_.tasks[p].state == kBlocked && then.tasks[p].state == kRunnable)
        note_wakeup(then, p, doer);
      else if (then.tasks[p].state == kRunnable && then.tasks[p].cpu != seen_.tasks[p].cpu)
        moved.push_back(p);
    }
    // A task that runs leaves its CPU before it moves.
    note_switches(then, [&](int prev) { return is_in(moved, prev); });
    for (const std::size_t p : moved) note_migration(then, p, seen_.tasks[p].cpu);
    note_switches(then, [](int) { return true; });
    seen_ = then;
    note_sample();
  }

  static bool is_in(const std::vector<std::size_t>& tasks, int task) {
    return task >= 0 &&
           std::find(tasks.begin(), tasks.end(), static_cast<std::size_t>(task)) != tasks.end();
  }
  [[nodiscard]] int curr_of(int cpu) const { return seen_.curr[static_cast<std::size_t>(cpu)]; }

  void note_birth(const Seen& then, std::size_t p, int doer) {
    const int task = static_cast<int>(p);
    const int target = then.tasks[p].cpu;
    const int cpu = doer >= 0 ? seen_.tasks[static_cast<std::size_t>(doer)].cpu : target;
    if (doer >= 0) add({ChangeKind::kFork, 0, cpu, doer, doer, task});
    if (then.tasks[p].state == kRunnable)
      add({ChangeKind::kNew, 0, cpu, doer >= 0 ? doer : kNoTask, task, kNoTask, target});
  }
  /// A waker is known only if it is current: the one that exits.
  void note_wakeup(const Seen& then, std::size_t p, int doer) {
    const int task = static_cast<int>(p);
    const int from = seen_.tasks[p].cpu;
    const int target = then.tasks[p].cpu;
    const bool known = doer >= 0 && doer != task;
    const int cpu = known ? seen_.tasks[static_cast<std::size_t>(doer)].cpu : from;
    const int actor = known ? doer : curr_of(cpu);
    add({ChangeKind::kWaking, 0, cpu, actor, task, kNoTask, target});
    if (target != from) add({ChangeKind::kMigrate, 0, cpu, actor, task, from, target});
    add({ChangeKind::kWakeup, 0, cpu, actor, task, kNoTask, target});
  }
  void note_migration(const Seen& then, std::size_t p, int from) {
    add({ChangeKind::kMigrate, 0, from, curr_of(from), static_cast<int>(p), from,
         then.tasks[p].cpu});
  }
  template <class Wanted>
  void note_switches(const Seen& then, const Wanted& wanted) {
    for (std::size_t cpu = 0; cpu < then.curr.size(); ++cpu) {
      const int prev = seen_.curr[cpu];
      const int next = then.curr[cpu];
      if (prev == next || !wanted(prev)) continue;
      const std::int64_t state =
          prev >= 0 ? then.tasks[static_cast<std::size_t>(prev)].state : kRunnable;
      add({ChangeKind::kSwitch, 0, static_cast<int>(cpu), prev, prev, next, 0, state});
      seen_.curr[cpu] = next;
    }
  }
  void note_sample() {
    if (at_ >= 0) return;  // A probe's averages are those of another run.
    Sample sample{now(), {}};
    for (const Rq<N>& rq : m_.rq)
      sample.cpus.push_back({static_cast<int>(rq.curr), rq.nr_running, rq.cfs.avg.util_avg});
    line_.samples.push_back(std::move(sample));
  }

  Model model_;
  Machine<N> m_;
  Seen seen_;
  Timeline line_;
  std::int64_t at_ = -1;  ///< The time of a probe; -1: the machine's.
};

}  // namespace

std::string event_words(const Event& event) {
  std::string text = describe(event);
  if (event.cpus != 0) text += " to CPUs " + mask_text(event.cpus);
  if (event.wakes >= 0) text += ", wakes task " + std::to_string(event.wakes);
  if (event.kind != EventKind::kRun && event.duration_ns > 0)
    text += ", takes " + std::to_string(event.duration_ns) + " ns";
  return text;
}

Timeline record_timeline(const Schedule& schedule) { return Recorder(schedule).take(); }

std::vector<Slice> slices_of(const Timeline& timeline) {
  std::vector<Slice> slices;
  std::vector<Slice> open(static_cast<std::size_t>(timeline.nr_cpus), Slice{0, kNoTask, 0, 0});
  const auto close = [&](Slice slice, std::int64_t ns) {
    slice.to_ns = ns;
    if (slice.task != kNoTask) slices.push_back(slice);
  };
  for (const Change& change : timeline.changes) {
    if (change.kind != ChangeKind::kSwitch) continue;
    Slice& slice = open[static_cast<std::size_t>(change.cpu)];
    close(slice, change.ns);
    slice = {change.cpu, change.other, change.ns, 0};
  }
  for (const Slice& slice : open) close(slice, timeline.end_ns);
  return slices;
}

}  // namespace schedcheck
