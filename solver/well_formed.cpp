// SPDX-License-Identifier: Apache-2.0
/// \file State invariants as terms.
#include "solver/well_formed.hpp"

#include <utility>

#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

Z3Bool implies(const Z3Bool& a, const Z3Bool& b) { return !a || b; }
Z3Bool equal(const Z3Bool& a, const Z3Bool& b) { return (a && b) || (!a && !b); }

using SymbolicTask = Task<Z3Domain>;

/// nr_running = h_nr_queued = the number of tasks queued there, load_weight their weights' sum.
StateInvariant counters(const SymbolicMachine& m) {
  Z3Bool right = true;
  for (std::size_t c = 0; c < m.rq.size(); ++c) {
    Z3Int queued = 0;
    Z3Int weight = 0;
    for (const SymbolicTask& task : m.task) {
      const Z3Bool here = task.on_rq && task.cpu == Z3Int(c);
      queued = queued + indicator(here);
      weight = weight + merge(here, task.load_weight, Z3Int(0));
    }
    right = right && m.rq[c].nr_running == queued && m.rq[c].cfs.h_nr_queued == queued &&
            m.rq[c].cfs.nr_queued == queued && m.rq[c].cfs.h_nr_runnable == queued &&
            m.rq[c].cfs.load_weight == weight;
  }
  return {"nr_running, h_nr_queued and load.weight count the queued tasks", right};
}

StateInvariant current(const SymbolicMachine& m) {
  Z3Bool right = true;
  for (std::size_t c = 0; c < m.rq.size(); ++c) {
    const Rq<Z3Domain>& rq = m.rq[c];
    Z3Bool is_here = rq.curr == kNoTask;
    for (std::size_t t = 0; t < m.task.size(); ++t)
      is_here = is_here || (rq.curr == Z3Int(t) && m.task[t].on_rq && m.task[t].cpu == Z3Int(c));
    right =
        right && is_here && rq.cfs.curr == rq.curr && equal(rq.curr == kNoTask, rq.nr_running == 0);
  }
  return {"curr is queued on its CPU, and none exactly where nothing is queued", right};
}

StateInvariant states(const Model& model, const SymbolicMachine& m) {
  Z3Bool right = true;
  for (std::size_t t = 0; t < m.task.size(); ++t) {
    const SymbolicTask& task = m.task[t];
    right = right && equal(task.on_rq, task.state == kRunnable) &&
            equal(task.state == kUnborn, m.nr_tasks <= Z3Int(t)) && Z3Int(0) <= task.cpu &&
            task.cpu <= Z3Int(model.topology.nr_cpus - 1) &&
            implies(task.state != kUnborn,
                    Z3Int(1) <= task.cpus_ptr && Z3Int(1) <= task.load_weight &&
                        task.cpus_ptr <= Z3Int(static_cast<std::int64_t>(model.topology.all)));
  }
  return {
      "a task is queued when it is runnable and born in the order of numbers; it has a "
      "weight, and its CPU and its affinity, not empty, are CPUs of the machine",
      right};
}

StateInvariant times(const SymbolicMachine& m) {
  Z3Bool right = true;
  for (const Rq<Z3Domain>& rq : m.rq)
    right = right && rq.clock <= m.now && rq.cfs.avg.last_update_time <= m.now &&
            Z3Int(0) < rq.cfs.avg.last_update_time;
  for (const SymbolicTask& task : m.task) {
    const Z3Bool alive = task.state == kRunnable || task.state == kBlocked;
    right = right && task.avg.last_update_time <= m.now &&
            implies(alive, Z3Int(0) < task.avg.last_update_time);
  }
  return {"no time lies in the future, and a task that lives is attached", right};
}

}  // namespace

std::vector<StateInvariant> well_formed(const Model& model, const SymbolicMachine& m) {
  return {counters(m), current(m), states(model, m), times(m)};
}

std::vector<StateInvariant> strengthening(const Model& model, const SymbolicMachine& m,
                                          std::size_t property) {
  if (!needs_strengthening(property) || !model.ledger) return {};
  Z3Bool nothing_left = true;
  for (const std::vector<Account<Z3Domain>>& accounts : m.ledger.accounts)
    for (const Account<Z3Domain>& account : accounts)
      nothing_left = nothing_left && account.residue_units == 0;
  Z3Bool no_dead_time = true;
  for (const Rq<Z3Domain>& rq : m.rq)
    no_dead_time = no_dead_time && rq.ghost.dead_run_sum == 0 && rq.ghost.dead_run_avg == 0;
  return {{"no account holds time that a dead task ran before its exit step", nothing_left},
          {"no queue holds such time", no_dead_time}};
}

void assume_strengthening(SymbolicMachine& m, std::size_t property) {
  if (!needs_strengthening(property)) return;
  for (std::vector<Account<Z3Domain>>& accounts : m.ledger.accounts)
    for (Account<Z3Domain>& account : accounts) account.residue_units = 0;
  for (Rq<Z3Domain>& rq : m.rq) {
    rq.ghost.dead_run_sum = 0;
    rq.ghost.dead_run_avg = 0;
  }
}

bool needs_strengthening(std::size_t property) {
  const std::string_view name = property_catalogue()[property].name;
  return name == "exit-leaves-no-utilization" || name == "no-ghost-busy";
}

}  // namespace schedcheck
