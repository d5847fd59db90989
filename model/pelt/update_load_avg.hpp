// SPDX-License-Identifier: Apache-2.0
/// \file Ageing a queue and a task on it: update_cfs_rq_load_avg, __update_load_avg_se and
/// update_load_avg of kernel/sched/fair.c. Root level only (limit L3).
#pragma once

#include "model/pelt/attach_detach.hpp"

namespace schedcheck {

/// Subtracts the queued removals (at least one), with the divider of the queue's last update.
template <ValueDomain D>
void apply_removed(const Model& model, Machine<D>& m, int cpu) {
  using Int = IntOf<D>;
  CfsRq<D>& cfs_rq = cpu_rq(m, cpu).cfs;
  const Removed<D> removed = cfs_rq.removed;
  const Int divider = pelt_divider<D>(cfs_rq.avg);
  const Int util_sum = model.kernel.death_removes == DeathRemoves::kExact
                           ? Int(removed.util_sum)
                           : Int(removed.util_avg * divider);
  const Int clamped =
      subtract_signal<D>(cfs_rq.avg, removed.load_avg, removed.load_avg * divider, removed.util_avg,
                         util_sum, removed.runnable_avg, removed.runnable_avg * divider);
  cfs_rq.removed = Removed<D>{};
  book_removed<D>(model, m, cpu, divider, clamped);
}

/// update_cfs_rq_load_avg: removals first, then time, up to the CPU's clock.
template <ValueDomain D>
void update_cfs_rq_load_avg(const Model& model, Machine<D>& m, int cpu) {
  count_work<D>(Work::kQueueUpdate);
  Rq<D>& rq = cpu_rq(m, cpu);
  CfsRq<D>& cfs_rq = rq.cfs;
  D::join(
      [&] {
        if (cfs_rq.removed.nr > 0) apply_removed<D>(model, m, cpu);
      },
      rq, accounts_of(m, cpu), m.event);
  const Accrual<D> step = update_load_sum<D>(rq.clock, cfs_rq.avg, cfs_rq.load_weight,
                                             cfs_rq.h_nr_queued, D::to_int(cfs_rq.curr != kNoTask));
  book_accrual<D>(model, m, cpu, step);
  D::join(
      [&] {
        if (step.windows > 0) {
          update_averages<D>(cfs_rq.avg, 1);
          note_dead_run_average<D>(model, m, cpu);
        }
      },
      cfs_rq.avg, rq.ghost);
}

/// __update_load_avg_se for a task that is attached to `cpu`'s queue.
template <ValueDomain D>
inline void update_load_avg_se(const Model& model, Machine<D>& m, int cpu, int p) {
  count_work<D>(Work::kTaskUpdate);
  Rq<D>& rq = cpu_rq(m, cpu);
  Task<D>& task = task_of(m, p);
  const IntOf<D> queued = D::to_int(task.on_rq);
  const IntOf<D> running = D::to_int(rq.cfs.curr == p);
  const Accrual<D> step = update_load_sum<D>(rq.clock, task.avg, queued, queued, running);
  D::join(
      [&] {
        if (step.windows > 0) {
          derive_task_averages<D>(task);
        } else if (model.ledger) {
          task.ghost.unsynced_units = task.ghost.unsynced_units + running * step.units;
        }
      },
      task.avg, task.ghost);
}

enum class UpdateFlag : std::uint8_t { kNone, kDoAttach, kDoDetach };

/// update_load_avg of p on `cpu`'s queue: the task first, then the queue, then attach or detach.
/// The CPU's clock must be up to date.
template <ValueDomain D>
void update_load_avg(const Model& model, Machine<D>& m, int cpu, int p, UpdateFlag flag) {
  Task<D>& task = task_of(m, p);
  const BoolOf<D> attached = task.avg.last_update_time != 0;
  D::join(
      [&] {
        if (attached) update_load_avg_se<D>(model, m, cpu, p);
      },
      task);
  update_cfs_rq_load_avg<D>(model, m, cpu);
  if (flag == UpdateFlag::kNone) return;
  D::join(
      [&] {
        if (flag == UpdateFlag::kDoAttach && !attached) attach_entity_load_avg<D>(model, m, cpu, p);
        if (flag == UpdateFlag::kDoDetach && attached) detach_entity_load_avg<D>(model, m, cpu, p);
      },
      cpu_rq(m, cpu), task, accounts_of(m, cpu));
}

}  // namespace schedcheck
