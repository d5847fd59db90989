// SPDX-License-Identifier: Apache-2.0
/// \file A task on a fair queue: enqueue_entity, dequeue_entity, set_next_entity, put_prev_entity
/// of kernel/sched/fair.c, as far as PELT and the counters go (no virtual time yet: limit L1).
#pragma once

#include "model/pelt/update_load_avg.hpp"

namespace schedcheck {

/// update_rq_clock: the CPU's clock catches up with the global time.
template <ValueDomain D>
void update_rq_clock(Machine<D>& m, int cpu) {
  cpu_rq(m, cpu).clock = m.now;
}

/// Attaches p when it is not attached yet, then counts it as queued.
template <ValueDomain D>
void enqueue_entity(const Model& model, Machine<D>& m, int cpu, int p) {
  update_load_avg<D>(model, m, cpu, p, UpdateFlag::kDoAttach);
  Rq<D>& rq = cpu_rq(m, cpu);
  Task<D>& task = task_of(m, p);
  rq.cfs.load_weight = rq.cfs.load_weight + task.load_weight;
  rq.cfs.h_nr_queued = rq.cfs.h_nr_queued + 1;
  rq.nr_running = rq.nr_running + 1;
  task.on_rq = true;
}

/// `migrating`: p leaves with its exact sums; otherwise its averages stay behind (blocked).
template <ValueDomain D>
void dequeue_entity(const Model& model, Machine<D>& m, int cpu, int p, bool migrating) {
  update_load_avg<D>(model, m, cpu, p, migrating ? UpdateFlag::kDoDetach : UpdateFlag::kNone);
  Rq<D>& rq = cpu_rq(m, cpu);
  Task<D>& task = task_of(m, p);
  rq.cfs.load_weight = rq.cfs.load_weight - task.load_weight;
  rq.cfs.h_nr_queued = rq.cfs.h_nr_queued - 1;
  rq.nr_running = rq.nr_running - 1;
  task.on_rq = false;
}

/// p starts to run; its waiting time is accounted while the queue has no current entity.
template <ValueDomain D>
void set_next_entity(const Model& model, Machine<D>& m, int cpu, int p) {
  update_load_avg<D>(model, m, cpu, p, UpdateFlag::kNone);
  cpu_rq(m, cpu).cfs.curr = p;
  cpu_rq(m, cpu).curr = p;
}

/// p stops running; if it stays queued its running time is accounted first.
template <ValueDomain D>
void put_prev_entity(const Model& model, Machine<D>& m, int cpu, int p) {
  Rq<D>& rq = cpu_rq(m, cpu);
  Task<D>& task = task_of(m, p);
  D::join(
      [&] {
        if (task.on_rq) update_load_avg<D>(model, m, cpu, p, UpdateFlag::kNone);
      },
      rq, task, accounts_of(m, cpu), m.event);
  rq.cfs.curr = kNoTask;
}

}  // namespace schedcheck
