// SPDX-License-Identifier: Apache-2.0
/// \file A task joins or leaves the fair class through all its levels: enqueue_task_fair,
/// dequeue_task_fair, dequeue_entities of kernel/sched/fair.c, v6.12.
#pragma once

#include "model/fair/entity.hpp"
#include "model/fair/util_est.hpp"

namespace schedcheck {

/// A level whose entity stays as it is while tasks below come or go.
template <ValueDomain D>
void refresh_level(const Model& model, Machine<D>& m, EntityRef e, const IntOf<D>& slice) {
  update_load_avg<D>(model, m, e, LoadUpdate::kUpdateTg);
  se_update_runnable<D>(m, e);
  update_cfs_group<D>(model, m, e);
  se_of(m, e).slice = slice;
}

/// Slices matter above the level only with groups.
template <ValueDomain D>
IntOf<D> slice_for_parent(const Model& model, const Machine<D>& m, EntityRef e) {
  if (e.group == 0 || !model.eevdf) return IntOf<D>(0);
  return cfs_rq_min_slice<D>(model, m, e.cpu, e.group);
}

template <ValueDomain D>
void enqueue_task_fair(const Model& model, Machine<D>& m, int cpu, int p, Enqueue how) {
  const bool delayed = model.eevdf && !how.wakeup && static_cast<bool>(task_of(m, p).sched_delayed);
  if (model.eevdf && !delayed) util_est_enqueue<D>(m, cpu, p);
  bool joining = true;
  IntOf<D> slice = 0;
  for_each_sched_entity(model, task_entity<D>(model, m, cpu, p), [&](EntityRef e) {
    SchedEntity<D>& se = se_of(m, e);
    if (joining && model.eevdf && se.on_rq) {
      if (se.sched_delayed) requeue_delayed_entity<D>(model, m, e);
      joining = false;
    }
    if (joining) {
      if (!e.is_task()) {
        se.slice = slice;
        se.custom_slice = true;
      }
      enqueue_entity<D>(model, m, e, how);
    } else {
      refresh_level<D>(model, m, e, slice);
    }
    slice = slice_for_parent<D>(model, m, e);
    CfsRq<D>& cfs_rq = cfs_rq_of(m, e);
    cfs_rq.h_nr_queued = cfs_rq.h_nr_queued + 1;
    if (!delayed) cfs_rq.h_nr_runnable = cfs_rq.h_nr_runnable + 1;
    how = {.initial = false, .wakeup = true};
  });
  cpu_rq(m, cpu).nr_running = cpu_rq(m, cpu).nr_running + 1;
}

/// The parents of an entity that left a queue which still has others prefer this queue next time.
template <ValueDomain D>
void set_next_buddy(const Model& model, Machine<D>& m, EntityRef e) {
  for_each_sched_entity(model, e,
                        [&](EntityRef level) { cfs_rq_of(m, level).next = level.entity; });
}

/// From e upwards. Yields false if e is a task that stays queued for its lag.
template <ValueDomain D>
bool dequeue_entities(const Model& model, Machine<D>& m, EntityRef e, Dequeue how) {
  const bool task = e.is_task();
  const bool sleeps = how.sleep;
  const bool was_delayed = model.eevdf && task && !how.sleep && !how.delayed &&
                           static_cast<bool>(se_of(m, e).sched_delayed);
  const int tasks = task ? 1 : 0;
  const auto count = [&](EntityRef level) {
    CfsRq<D>& cfs_rq = cfs_rq_of(m, level);
    cfs_rq.h_nr_queued = cfs_rq.h_nr_queued - tasks;
    if (!was_delayed) cfs_rq.h_nr_runnable = cfs_rq.h_nr_runnable - tasks;
  };
  IntOf<D> slice = 0;
  EntityRef level = e;
  for (; level.entity != kNoTask; level = parent_entity(model, level)) {
    if (!dequeue_entity<D>(model, m, level, how)) {
      if (level.is_task()) return false;
      slice = cfs_rq_min_slice<D>(model, m, level.cpu, level.group);
      break;
    }
    count(level);
    if (level.group == 0) {
      level = parent_entity(model, level);
      break;
    }
    if (cfs_rq_of(m, level).load_weight != 0) {
      slice = slice_for_parent<D>(model, m, level);
      level = parent_entity(model, level);
      if (model.eevdf && sleeps) set_next_buddy<D>(model, m, level);
      break;
    }
    how = {.sleep = true, .migrating = how.migrating};
  }
  for (; level.entity != kNoTask; level = parent_entity(model, level)) {
    refresh_level<D>(model, m, level, slice);
    slice = slice_for_parent<D>(model, m, level);
    count(level);
  }
  Rq<D>& rq = cpu_rq(m, e.cpu);
  if (!mutant<D>(Mutant::kDequeueKeepsNrRunning)) rq.nr_running = rq.nr_running - tasks;
  return true;
}

/// Yields false if p stays queued for its lag.
template <ValueDomain D>
bool dequeue_task_fair(const Model& model, Machine<D>& m, int cpu, int p, Dequeue how) {
  if (model.eevdf) {
    if (how.sleep || !task_of(m, p).sched_delayed) util_est_dequeue<D>(m, cpu, p);
    if (how.sleep) util_est_update<D>(model, m, p);
  }
  return dequeue_entities<D>(model, m, task_entity<D>(model, m, cpu, p), how);
}

}  // namespace schedcheck
