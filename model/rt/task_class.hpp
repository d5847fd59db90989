// SPDX-License-Identifier: Apache-2.0
/// \file What every class does its own way: enqueue_task, dequeue_task, put_prev_task,
/// set_next_task of kernel/sched/core.c for fair and RT tasks.
#pragma once

#include "model/fair/enqueue_task.hpp"
#include "model/rt/fair_server.hpp"
#include "model/rt/rt_task.hpp"

namespace schedcheck {

/// p is on the queue of its class.
template <ValueDomain D>
BoolOf<D> task_on_rq_queued(const Machine<D>& m, int p) {
  const Task<D>& task = task_of(m, p);
  if constexpr (D::kSymbolic) {
    return task.on_rq;
  } else {
    return task.on_rq || task.rt_queued;
  }
}

template <ValueDomain D>
void enqueue_task(const Model& model, Machine<D>& m, int cpu, int p, Enqueue how,
                  bool head = false) {
  if (is_rt(m, p)) return enqueue_task_rt<D>(m, cpu, p, head);
  if constexpr (D::kSymbolic) {
    enqueue_task_fair<D>(model, m, cpu, p, how);
  } else {
    const bool first = cpu_rq(m, cpu).cfs.h_nr_queued == 0;
    enqueue_task_fair<D>(model, m, cpu, p, how);
    if (first && model.eevdf) dl_server_start<D>(model, m, cpu);
  }
}

/// Yields false if p stays queued for its lag.
template <ValueDomain D>
bool dequeue_task(const Model& model, Machine<D>& m, int cpu, int p, Dequeue how) {
  if (is_rt(m, p)) {
    if (cpu_rq(m, cpu).curr == p) update_curr_rt<D>(model, m, cpu, p);
    dequeue_task_rt<D>(m, cpu, p);
    return true;
  }
  const bool left = dequeue_task_fair<D>(model, m, cpu, p, how);
  if constexpr (!D::kSymbolic)
    if (left && cpu_rq(m, cpu).cfs.h_nr_queued == 0) dl_server_idle<D>(model, m, cpu);
  return left;
}

/// On every level of a fair task.
template <ValueDomain D>
void put_prev_task(const Model& model, Machine<D>& m, int cpu, int p) {
  if (is_rt(m, p)) return update_curr_rt<D>(model, m, cpu, p);
  for_each_sched_entity(model, task_entity<D>(model, m, cpu, p),
                        [&](EntityRef e) { put_prev_entity<D>(model, m, e); });
}
template <ValueDomain D>
void set_next_task(const Model& model, Machine<D>& m, int cpu, int p) {
  if (is_rt(m, p)) {
    task_of(m, p).exec_start = cpu_rq(m, cpu).clock;
    return;
  }
  for_each_sched_entity(model, task_entity<D>(model, m, cpu, p),
                        [&](EntityRef e) { set_next_entity<D>(model, m, e); });
}

}  // namespace schedcheck
