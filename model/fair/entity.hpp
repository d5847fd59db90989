// SPDX-License-Identifier: Apache-2.0
/// \file An entity on its queue: enqueue_entity, dequeue_entity, set_next_entity, put_prev_entity,
/// requeue_delayed_entity of kernel/sched/fair.c, v6.12. Without model.eevdf only PELT and
/// counters.
#pragma once

#include "model/groups/update_cfs_group.hpp"
#include "model/pelt/update_load_avg.hpp"

namespace schedcheck {

/// update_rq_clock: the CPU's clock catches up with the global time.
template <ValueDomain D>
void update_rq_clock(Machine<D>& m, int cpu) {
  cpu_rq(m, cpu).clock = m.now;
}

/// A group's entity learns how many runnable tasks it stands for.
template <ValueDomain D>
void se_update_runnable(Machine<D>& m, EntityRef e) {
  if (e.is_task()) return;
  se_of(m, e).runnable_weight =
      IntOf<D>(cfs_rq_of(m, e.cpu, e.entity - kGroupEntity).h_nr_runnable);
}

/// e's queue is visited by blocked updates from now on; the root's always is.
template <ValueDomain D>
void list_add_leaf_cfs_rq(Machine<D>& m, EntityRef e) {
  if (e.group != 0) group_on(m, e.group, e.cpu).on_list = true;
}

/// Why an entity joins a queue: every field false for a task that was moved or saved and restored.
struct Enqueue {
  bool initial = false;  ///< First time after a fork.
  bool wakeup = false;
};

template <ValueDomain D>
void enqueue_entity(const Model& model, Machine<D>& m, EntityRef e, Enqueue how) {
  CfsRq<D>& cfs_rq = cfs_rq_of(m, e);
  const bool current = model.eevdf && static_cast<bool>(cfs_rq.curr == e.entity);
  if (current) place_entity<D>(model, m, e, how.initial);
  update_curr<D>(model, m, e.cpu, e.group);
  update_load_avg<D>(model, m, e, LoadUpdate::kAttach);
  se_update_runnable<D>(m, e);
  update_cfs_group<D>(model, m, e);
  if (model.eevdf && !current) place_entity<D>(model, m, e, how.initial);
  SchedEntity<D>& se = se_of(m, e);
  cfs_rq.load_weight = cfs_rq.load_weight + se.load_weight;
  cfs_rq.nr_queued = cfs_rq.nr_queued + 1;
  if (model.eevdf && !current) timeline_insert<D>(model, m, e);
  se.on_rq = true;
  list_add_leaf_cfs_rq<D>(m, e);
}

/// Why an entity leaves a queue.
struct Dequeue {
  bool sleep = false;      ///< Its averages stay behind, and it may be kept for its lag.
  bool delayed = false;    ///< Completes an earlier dequeue that was delayed.
  bool special = false;    ///< A dead task is never kept.
  bool migrating = false;  ///< It takes its exact sums along.
};

/// set_delayed and clear_delayed: a sleeping task that stays queued is not runnable.
template <ValueDomain D>
void count_delayed(const Model& model, Machine<D>& m, EntityRef e, bool delayed) {
  se_of(m, e).sched_delayed = delayed;
  if (!e.is_task() && !model.kernel.delayed_counts_group_entities) return;
  for_each_sched_entity(model, e, [&](EntityRef level) {
    CfsRq<D>& cfs_rq = cfs_rq_of(m, level);
    cfs_rq.h_nr_runnable = cfs_rq.h_nr_runnable + (delayed ? -1 : 1);
  });
}

/// Yields false if e stays queued because it still owes time (DELAY_DEQUEUE).
template <ValueDomain D>
bool dequeue_entity(const Model& model, Machine<D>& m, EntityRef e, Dequeue how) {
  CfsRq<D>& cfs_rq = cfs_rq_of(m, e);
  update_curr<D>(model, m, e.cpu, e.group);
  if (model.eevdf) {
    clear_buddies<D>(model, m, e);
    if (!how.delayed && how.sleep && !how.special && model.kernel.delay_dequeue &&
        !entity_eligible<D>(model, m, e)) {
      update_load_avg<D>(model, m, e, LoadUpdate::kAge);
      count_delayed<D>(model, m, e, true);
      return false;
    }
  }
  update_load_avg<D>(model, m, e,
                     how.migrating && e.is_task() ? LoadUpdate::kDetach : LoadUpdate::kUpdateTg);
  se_update_runnable<D>(m, e);
  SchedEntity<D>& se = se_of(m, e);
  if (model.eevdf) {
    update_entity_lag<D>(model, m, e);
    if (model.kernel.place_rel_deadline && !how.sleep) {
      se.deadline = se.deadline - se.vruntime;
      se.rel_deadline = true;
    }
    if (cfs_rq.curr != e.entity) timeline_erase<D>(model, m, e);
  }
  se.on_rq = false;
  cfs_rq.load_weight = cfs_rq.load_weight - se.load_weight;
  cfs_rq.nr_queued = cfs_rq.nr_queued - 1;
  update_cfs_group<D>(model, m, e);
  if (how.delayed) {
    count_delayed<D>(model, m, e, false);
    if (model.kernel.delay_zero) se.vlag = D::min(se.vlag, IntOf<D>(0));
  }
  return true;
}

/// A delayed entity is wanted again before it left.
template <ValueDomain D>
void requeue_delayed_entity(const Model& model, Machine<D>& m, EntityRef e) {
  CfsRq<D>& cfs_rq = cfs_rq_of(m, e);
  SchedEntity<D>& se = se_of(m, e);
  if (model.kernel.delay_zero) {
    update_entity_lag<D>(model, m, e);
    if (se.vlag > 0) {
      const bool current = static_cast<bool>(cfs_rq.curr == e.entity);
      cfs_rq.nr_queued = cfs_rq.nr_queued - 1;
      if (!current) timeline_erase<D>(model, m, e);
      se.vlag = 0;
      place_entity<D>(model, m, e, false);
      if (!current) timeline_insert<D>(model, m, e);
      cfs_rq.nr_queued = cfs_rq.nr_queued + 1;
    }
  }
  update_load_avg<D>(model, m, e, LoadUpdate::kAge);
  count_delayed<D>(model, m, e, false);
}

/// e starts to run; its waiting time is accounted while the queue has no current entity.
template <ValueDomain D>
void set_next_entity(const Model& model, Machine<D>& m, EntityRef e) {
  SchedEntity<D>& se = se_of(m, e);
  if (!model.eevdf) {
    update_load_avg<D>(model, m, e, LoadUpdate::kUpdateTg);
  } else {
    clear_buddies<D>(model, m, e);
    if (se.on_rq) {
      timeline_erase<D>(model, m, e);
      update_load_avg<D>(model, m, e, LoadUpdate::kUpdateTg);
      set_protect_slice<D>(model, m, e);
    }
    se.exec_start = cpu_rq(m, e.cpu).clock;
  }
  cfs_rq_of(m, e).curr = e.entity;
}

/// e stops running; if it stays queued its running time is accounted first.
template <ValueDomain D>
void put_prev_entity(const Model& model, Machine<D>& m, EntityRef e) {
  SchedEntity<D>& se = se_of(m, e);
  D::join(
      [&] {
        if (!se.on_rq) return;
        update_curr<D>(model, m, e.cpu, e.group);
        if (model.eevdf) timeline_insert<D>(model, m, e);
        update_load_avg<D>(model, m, e, LoadUpdate::kAge);
      },
      cpu_rq(m, e.cpu), m.task, m.group, m.ledger, m.event);
  cfs_rq_of(m, e).curr = kNoTask;
}

}  // namespace schedcheck
