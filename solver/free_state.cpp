// SPDX-License-Identifier: Apache-2.0
/// \file Free states and free events: fresh symbols in the ranges of well-formed states.
#include <algorithm>
#include <utility>

#include "model/step.hpp"
#include "solver/symbolic_step.hpp"
#include "solver/z3_session.hpp"

namespace schedcheck {
namespace {

/// Bounds of a signal of at most `tasks` runnable tasks on at most one CPU.
struct SignalBounds {
  std::int64_t tasks, weight;  ///< An entity has one task; its load_sum is unweighted.
  std::int64_t load_sum;
};

class FreeState {
 public:
  FreeState(const Model& model, const StateUniverse& universe, std::string prefix)
      : model_(model), universe_(universe), prefix_(std::move(prefix)) {}

  SymbolicMachine build();

 private:
  static constexpr std::int64_t kSumMax = kLoadAvgMax * kCapacity;

  Z3Int integer(const std::string& name, std::int64_t lo, std::int64_t hi, std::int64_t step = 1) {
    return Z3Int::fresh((prefix_ + name).c_str(), lo, hi, step);
  }
  Z3Bool boolean(const std::string& name) { return Z3Bool::fresh((prefix_ + name).c_str()); }
  static void assume(const Z3Bool& condition) { Z3Session::current().assume(condition.term()); }
  [[nodiscard]] std::int64_t grid_ns() const { return universe_.grid_ns; }

  void free_signal(SchedAvg<Z3Domain>& avg, const Z3Int& now, const std::string& name,
                   const SignalBounds& bounds);
  void free_task(const SymbolicMachine& m, Task<Z3Domain>& task, std::int64_t p);
  void free_queue(const SymbolicMachine& m, Rq<Z3Domain>& rq, std::int64_t cpu);
  void free_accounts(SymbolicMachine& m, std::int64_t cpu);

  const Model& model_;
  const StateUniverse& universe_;
  std::string prefix_;
};

void FreeState::free_signal(SchedAvg<Z3Domain>& avg, const Z3Int& now, const std::string& name,
                            const SignalBounds& bounds) {
  const std::int64_t age_max = universe_.age_windows_max * kWindowNs;
  avg.last_update_time =
      universe_.updated_at ? now : now - integer(name + ".age", 0, age_max, grid_ns());
  // All windows begin at boot, so the position in one follows from the time.
  avg.period_contrib = Z3Domain::mod_pow2(Z3Domain::shr(avg.last_update_time - kBootTime, 10), 10);
  avg.load_sum = integer(name + ".load_sum", 0, bounds.load_sum);
  avg.runnable_sum = integer(name + ".runnable_sum", 0, bounds.tasks * kSumMax);
  avg.util_sum = integer(name + ".util_sum", 0, 2 * kSumMax);
  avg.load_avg = integer(name + ".load_avg", 0, bounds.tasks * bounds.weight);
  avg.runnable_avg = integer(name + ".runnable_avg", 0, bounds.tasks * kCapacity);
  avg.util_avg = integer(name + ".util_avg", 0, 2 * kCapacity);
}

void FreeState::free_task(const SymbolicMachine& m, Task<Z3Domain>& task, std::int64_t p) {
  const std::string name = "task" + std::to_string(p);
  const Z3Bool born = Z3Int(p) < m.nr_tasks;
  const Z3Bool alive = born && !boolean(name + ".dead");
  task.on_rq = alive && boolean(name + ".queued");
  task.state = merge(task.on_rq, Z3Int(kRunnable),
                     merge(alive, Z3Int(kBlocked), merge(born, Z3Int(kDead), Z3Int(kUnborn))));
  task.cpu = p == universe_.place.task ? Z3Int(universe_.place.cpu)
                                       : integer(name + ".cpu", 0, model_.topology.nr_cpus - 1);
  task.load_weight = integer(name + ".weight", universe_.weight_min, universe_.weight_max) * 1024;
  task.cpus_ptr = integer(name + ".cpus", 1, static_cast<std::int64_t>(model_.topology.all));
  free_signal(task.avg, m.now, name, {1, universe_.weight_max, /*load_sum=*/kLoadAvgMax});
  // What a number not yet given out has does not matter.
  task.avg.last_update_time = merge(born, task.avg.last_update_time, Z3Int(0));
  task.ghost.burst_cpus =
      integer(name + ".burst", 0, static_cast<std::int64_t>(model_.topology.all));
  if (!model_.ledger) return;
  task.ghost.unsynced_units = integer(name + ".unsynced", 0, kWindowUnits - 1);
  task.ghost.before_exit_units = integer(name + ".before_exit", 0, kWindowUnits - 1);
}

void FreeState::free_queue(const SymbolicMachine& m, Rq<Z3Domain>& rq, std::int64_t cpu) {
  const std::string name = "rq" + std::to_string(cpu);
  const auto tasks = static_cast<std::int64_t>(m.task.size());
  Z3Int queued = 0;
  Z3Int weight = 0;
  rq.curr = integer(name + ".curr", kNoTask, tasks - 1);
  Z3Bool runs_here = rq.curr == kNoTask;
  for (std::int64_t p = 0; p < tasks; ++p) {
    const Task<Z3Domain>& task = m.task[static_cast<std::size_t>(p)];
    const Z3Bool here = task.on_rq && task.cpu == cpu;
    queued = queued + indicator(here);
    weight = weight + merge(here, task.load_weight, Z3Int(0));
    runs_here = runs_here || (here && rq.curr == p);
  }
  assume(runs_here && (rq.curr == kNoTask) == (queued == 0));
  rq.cfs.curr = rq.curr;
  rq.cfs.nr_queued = queued;
  rq.cfs.h_nr_queued = queued;
  rq.cfs.h_nr_runnable = queued;
  rq.nr_running = queued;
  rq.cfs.load_weight = weight;
  free_signal(rq.cfs.avg, m.now, name,
              {tasks, universe_.weight_max, tasks * universe_.weight_max * kLoadAvgMax});
  if (Z3Session::current().abstract()) {
    rq.clock = m.now - integer(name + ".clock_age", 0, universe_.age_windows_max * kWindowNs);
    rq.idle_stamp = integer(name + ".idle_stamp", 0, kTimeMax);
  } else {
    rq.clock = rq.cfs.avg.last_update_time;
    rq.idle_stamp = rq.clock - integer(name + ".idle_age", 0, 1023 * grid_ns(), grid_ns());
  }
  if (!universe_.pending_removals) return;
  const Z3Bool pending = boolean(name + ".removed");
  Removed<Z3Domain>& removed = rq.cfs.removed;
  removed.nr = indicator(pending);
  const auto amount = [&](const char* what, std::int64_t max) {
    return merge(pending, integer(name + ".removed_" + what, 0, max), Z3Int(0));
  };
  removed.util_avg = amount("util", kCapacity);
  removed.load_avg = amount("load", universe_.weight_max);
  removed.runnable_avg = amount("runnable", kCapacity);
  if (model_.kernel.death_removes == DeathRemoves::kExact)
    removed.util_sum = amount("util_sum", kSumMax);
}

void FreeState::free_accounts(SymbolicMachine& m, std::int64_t cpu) {
  std::int64_t p = 0;
  for (Account<Z3Domain>& account : m.ledger.accounts[static_cast<std::size_t>(cpu)]) {
    const std::string name = "rq" + std::to_string(cpu) + ".account" + std::to_string(p++);
    account.pending_death = boolean(name + ".death");
    account.residue_units = integer(name + ".residue", 0, kWindowUnits - 1);
  }
}

SymbolicMachine FreeState::build() {
  SymbolicMachine m = empty_machine<Z3Domain>(model_, 0);
  const auto tasks = static_cast<std::int64_t>(m.task.size());
  const std::int64_t period = std::max(kWindowNs, model_.tick_ns);
  const std::int64_t first =
      kBootTime + (universe_.age_windows_max * kWindowNs / period + 1) * period;
  m.now = universe_.updated_at ? Z3Int(first + *universe_.updated_at * grid_ns())
                               : integer("now", first, first + period - grid_ns(), grid_ns());
  m.nr_tasks = integer("nr_tasks", 1, tasks);
  for (std::int64_t p = 0; p < tasks; ++p) free_task(m, m.task[static_cast<std::size_t>(p)], p);
  for (std::int64_t c = 0; c < model_.topology.nr_cpus; ++c) {
    free_queue(m, m.rq[static_cast<std::size_t>(c)], c);
    if (model_.ledger) free_accounts(m, c);
  }
  return m;
}

}  // namespace

SymbolicMachine free_machine(const Model& model, const StateUniverse& universe,
                             const std::string& prefix) {
  return FreeState(model, universe, prefix).build();
}

SymbolicEvent free_event(const Model& model, const StateUniverse& universe,
                         std::int64_t duration_windows_max, const std::string& prefix) {
  const auto integer = [&](const char* name, std::int64_t lo, std::int64_t hi,
                           std::int64_t step = 1) {
    return Z3Int::fresh((prefix + name).c_str(), lo, hi, step);
  };
  return {integer("kind", 0, kQueryEventKinds - 1),
          integer("task", 0, model.max_tasks - 1),
          integer("cpu", 0, model.topology.nr_cpus - 1),
          integer("cpus", 1, static_cast<std::int64_t>(model.topology.all)),
          integer("wakes", kNoTask, model.max_tasks - 1),
          integer("duration", 0, duration_windows_max * kWindowNs, universe.grid_ns)};
}

SymbolicEvent free_event(const Model& model, const StateUniverse& universe,
                         std::int64_t duration_windows_max, const std::string& prefix,
                         EventKind kind) {
  SymbolicEvent event = free_event(model, universe, duration_windows_max, prefix);
  event.kind = static_cast<int>(kind);
  if (kind != EventKind::kRun && kind != EventKind::kExit) event.duration_ns = 0;
  if (kind == EventKind::kRun || kind == EventKind::kUpdateBlocked) event.task = 0;
  if (kind != EventKind::kExit) event.wakes = kNoTask;
  return event;
}

}  // namespace schedcheck
