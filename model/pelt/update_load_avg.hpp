// SPDX-License-Identifier: Apache-2.0
/// \file Ageing a queue and an entity on it: update_cfs_rq_load_avg, __update_load_avg_se and
/// update_load_avg of kernel/sched/fair.c.
#pragma once

#include "model/pelt/propagate_entity_load_avg.hpp"
#include "model/pelt/update_tg_load_avg.hpp"

namespace schedcheck {

/// Subtracts the queued removals (at least one), with the divider of the queue's last update.
template <ValueDomain D>
void apply_removed(const Model& model, Machine<D>& m, int cpu, int group) {
  using Int = IntOf<D>;
  CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, group);
  const Removed<D> removed = cfs_rq.removed;
  const Int divider = pelt_divider<D>(cfs_rq.avg);
  const Int util_sum = model.kernel.death_removes == DeathRemoves::kExact
                           ? Int(removed.util_sum)
                           : Int(removed.util_avg * divider);
  const Int runnable_sum = removed.runnable_avg * divider;
  const Int clamped =
      subtract_signal<D>(cfs_rq.avg, removed.load_avg, removed.load_avg * divider, removed.util_avg,
                         util_sum, removed.runnable_avg, runnable_sum);
  cfs_rq.removed = Removed<D>{};
  add_tg_cfs_propagate<D>(model, cfs_rq, D::shr(Int(0) - runnable_sum, 10));
  book_removed<D>(model, m, cpu, group, divider, clamped);
}

/// update_cfs_rq_load_avg: removals first, then time, up to the CPU's clock. Yields `decayed`:
/// whether the averages changed.
template <ValueDomain D>
BoolOf<D> update_cfs_rq_load_avg(const Model& model, Machine<D>& m, int cpu, int group = 0) {
  count_work<D>(Work::kQueueUpdate);
  CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, group);
  RqGhost<D>& ghost = ghost_of(m, cpu, group);
  const BoolOf<D> removes = cfs_rq.removed.nr > 0;
  D::join(
      [&] {
        if (removes) apply_removed<D>(model, m, cpu, group);
      },
      cfs_rq, ghost, accounts_of(m, cpu, group), m.event);
  const Accrual<D> step =
      update_load_sum<D>(cpu_rq(m, cpu).clock, cfs_rq.avg, scale_load_down<D>(cfs_rq.load_weight),
                         cfs_rq.h_nr_runnable, D::to_int(cfs_rq.curr != kNoTask));
  book_accrual<D>(model, m, cpu, group, step);
  const BoolOf<D> crossed = step.windows > 0;
  D::join(
      [&] {
        if (crossed) {
          update_averages<D>(cfs_rq.avg, 1);
          note_dead_run_average<D>(model, m, cpu, group);
        }
      },
      cfs_rq.avg, ghost);
  return removes || crossed;
}

/// se_runnable: how many runnable tasks e stands for.
template <ValueDomain D>
IntOf<D> se_runnable(const Machine<D>& m, EntityRef e) {
  const SchedEntity<D>& se = se_of(m, e);
  const IntOf<D> below = e.is_task() ? IntOf<D>(D::to_int(se.on_rq)) : IntOf<D>(se.runnable_weight);
  return D::select(se.sched_delayed, IntOf<D>(0), below);
}

/// __update_load_avg_se for an entity that is attached to its queue.
template <ValueDomain D>
inline void update_load_avg_se(const Model& model, Machine<D>& m, EntityRef e) {
  count_work<D>(Work::kTaskUpdate);
  SchedEntity<D>& se = se_of(m, e);
  const IntOf<D> running = D::to_int(cfs_rq_of(m, e).curr == e.entity);
  const Accrual<D> step = update_load_sum<D>(cpu_rq(m, e.cpu).clock, se.avg, D::to_int(se.on_rq),
                                             se_runnable<D>(m, e), running);
  if (!e.is_task()) {
    if (step.windows > 0) derive_entity_averages<D>(m, e);
    return;
  }
  Task<D>& task = task_of(m, e.entity);
  D::join(
      [&] {
        if (step.windows > 0) {
          derive_entity_averages<D>(m, e);
          task.util_est.unchanged = false;
        } else if (model.ledger) {
          task.ghost.unsynced_units = task.ghost.unsynced_units + running * step.units;
        }
      },
      task.avg, task.util_est, task.ghost);
}

/// What update_load_avg does besides ageing.
enum class LoadUpdate : std::uint8_t { kAge, kUpdateTg, kAttach, kDetach };

/// update_load_avg of e on its queue: the entity first, then the queue, what a group's entity has
/// to pass on, then attach or detach or the group's sum. The CPU's clock must be up to date.
template <ValueDomain D>
void update_load_avg(const Model& model, Machine<D>& m, EntityRef e, LoadUpdate update) {
  SchedEntity<D>& se = se_of(m, e);
  const BoolOf<D> attached = se.avg.last_update_time != 0;
  if (e.is_task()) {
    Task<D>& task = task_of(m, e.entity);
    D::join(
        [&] {
          if (attached) update_load_avg_se<D>(model, m, e);
        },
        task);
  } else if (attached) {
    update_load_avg_se<D>(model, m, e);
  }
  BoolOf<D> decayed = update_cfs_rq_load_avg<D>(model, m, e.cpu, e.group);
  if (!e.is_task()) decayed = propagate_entity_load_avg<D>(model, m, e) || decayed;
  if (update == LoadUpdate::kAge || (update == LoadUpdate::kUpdateTg && e.group == 0)) return;
  TaskGhost<D> none{};
  D::join(
      [&] {
        if (update == LoadUpdate::kAttach && !attached) {
          attach_entity_load_avg<D>(model, m, e);
          update_tg_load_avg<D>(model, m, e.cpu, e.group);
        } else if (update == LoadUpdate::kDetach && attached) {
          detach_entity_load_avg<D>(model, m, e);
          update_tg_load_avg<D>(model, m, e.cpu, e.group);
        } else if (e.group != 0 && decayed) {
          update_tg_load_avg<D>(model, m, e.cpu, e.group);
        }
      },
      cfs_rq_of(m, e), se, ghost_of(m, e.cpu, e.group), accounts_of(m, e.cpu, e.group), m.group,
      e.is_task() ? task_of(m, e.entity).ghost : none);
}

}  // namespace schedcheck
