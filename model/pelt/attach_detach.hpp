// SPDX-License-Identifier: Apache-2.0
/// \file A task's averages join and leave a queue: attach_entity_load_avg, detach_entity_load_avg
/// and remove_entity_load_avg of kernel/sched/fair.c (same in every version modelled).
#pragma once

#include "model/domain/counting_domain.hpp"
#include "model/ledger.hpp"

namespace schedcheck {

/// Lower bound that a queue's sum keeps after a subtraction. The kernel compares in 32 bits.
template <ValueDomain D>
IntOf<D> clamp_sum(const IntOf<D>& sum, const IntOf<D>& avg) {
  return D::max(D::wrap_u32(sum), D::wrap_u32(avg * kPeltMinDivider));
}

/// Subtracts averages and sums from a queue's signal; yields what the bound put back on util_sum.
template <ValueDomain D>
IntOf<D> subtract_signal(SchedAvg<D>& sa, const IntOf<D>& load_avg, const IntOf<D>& load_sum,
                         const IntOf<D>& util_avg, const IntOf<D>& util_sum,
                         const IntOf<D>& runnable_avg, const IntOf<D>& runnable_sum) {
  using Int = IntOf<D>;
  const Int exact = sa.util_sum - util_sum;
  sa.load_avg = D::sub_or_zero(sa.load_avg, load_avg);
  sa.load_sum = clamp_sum<D>(D::sub_or_zero(sa.load_sum, load_sum), sa.load_avg);
  sa.util_avg = D::sub_or_zero(sa.util_avg, util_avg);
  sa.util_sum = mutant<D>(Mutant::kDetachForgetsClamp)
                    ? Int(D::sub_or_zero(sa.util_sum, util_sum))
                    : clamp_sum<D>(D::sub_or_zero(sa.util_sum, util_sum), sa.util_avg);
  sa.runnable_avg = D::sub_or_zero(sa.runnable_avg, runnable_avg);
  sa.runnable_sum = clamp_sum<D>(D::sub_or_zero(sa.runnable_sum, runnable_sum), sa.runnable_avg);
  return sa.util_sum - exact;
}

/// attach_entity_load_avg on plain signals; weight unscaled. The entity's sums are derived from its
/// averages at the queue's window position: that is what the exit move deletes time with.
template <ValueDomain D>
void attach_signal(SchedAvg<D>& queue, SchedAvg<D>& se, const IntOf<D>& weight, bool keeps_sum) {
  using Int = IntOf<D>;
  const Int divider =
      pelt_divider<D>(queue) + Int(mutant<D>(Mutant::kAttachOffByOneDivider) ? 1 : 0);
  se.last_update_time = queue.last_update_time;
  se.period_contrib = queue.period_contrib;
  if (!keeps_sum) se.util_sum = D::wrap_u32(se.util_avg * divider);
  se.runnable_sum = se.runnable_avg * divider;
  const Int load = se.load_avg * divider;
  se.load_sum = D::eval([&]() -> Int { return weight < load ? D::div(load, weight) : Int(1); });
  queue.load_avg = queue.load_avg + se.load_avg;
  queue.load_sum = queue.load_sum + weight * se.load_sum;
  queue.util_avg = queue.util_avg + se.util_avg;
  queue.util_sum = D::wrap_u32(queue.util_sum + se.util_sum);
  queue.runnable_avg = queue.runnable_avg + se.runnable_avg;
  queue.runnable_sum = queue.runnable_sum + se.runnable_sum;
}

/// detach_entity_load_avg on plain signals; yields the clamp of util_sum.
template <ValueDomain D>
IntOf<D> detach_signal(SchedAvg<D>& queue, const SchedAvg<D>& se, const IntOf<D>& weight) {
  return subtract_signal<D>(queue, se.load_avg, weight * se.load_sum, se.util_avg, se.util_sum,
                            se.runnable_avg, se.runnable_sum);
}

/// A queue's load changed by `load_sum` of an entity: what the levels above will hear of it.
template <ValueDomain D>
void add_tg_cfs_propagate(const Model& model, CfsRq<D>& cfs_rq, const IntOf<D>& load_sum) {
  if (!model.eevdf) return;
  cfs_rq.up.propagate = true;
  cfs_rq.up.prop_runnable_sum = cfs_rq.up.prop_runnable_sum + load_sum;
}

/// Attaches e to its queue. `keeps_sum`: the what-if switch attach_keeps_sum, for an entity that
/// was attached before.
template <ValueDomain D>
void attach_entity_load_avg(const Model& model, Machine<D>& m, EntityRef e,
                            bool keeps_sum = false) {
  count_work<D>(Work::kAttach);
  SchedEntity<D>& se = se_of(m, e);
  CfsRq<D>& cfs_rq = cfs_rq_of(m, e);
  attach_signal<D>(cfs_rq.avg, se.avg, scale_load_down<D>(se.load_weight), keeps_sum);
  add_tg_cfs_propagate<D>(model, cfs_rq, se.avg.load_sum);
  book_attach<D>(model, m, e, se.avg.util_sum, !keeps_sum);
}

/// Takes e's averages and current sums out of its queue. Yields the clamp of util_sum.
template <ValueDomain D>
IntOf<D> detach_entity_load_avg(const Model& model, Machine<D>& m, EntityRef e) {
  count_work<D>(Work::kDetach);
  const SchedEntity<D>& se = se_of(m, e);
  CfsRq<D>& cfs_rq = cfs_rq_of(m, e);
  const IntOf<D> clamped = detach_signal<D>(cfs_rq.avg, se.avg, scale_load_down<D>(se.load_weight));
  add_tg_cfs_propagate<D>(model, cfs_rq, IntOf<D>(0) - se.avg.load_sum);
  book_detach<D>(model, m, e, se.avg.util_sum, clamped);
  return clamped;
}

/// A boundary was crossed: e's averages are derived from its sums, so all it ran is in them.
template <ValueDomain D>
void derive_entity_averages(Machine<D>& m, EntityRef e) {
  SchedEntity<D>& se = se_of(m, e);
  update_averages<D>(se.avg, scale_load_down<D>(se.load_weight));
  if (!e.is_task()) return;
  TaskGhost<D>& ghost = task_of(m, e.entity).ghost;
  ghost.unsynced_units = 0;
  ghost.before_exit_units = 0;
}

/// Ages task p as a blocked entity up to `now` (__update_load_avg_blocked_se).
template <ValueDomain D>
void update_load_avg_blocked_se(Machine<D>& m, int p, const IntOf<D>& now) {
  Task<D>& task = task_of(m, p);
  const Accrual<D> step = update_load_sum<D>(now, task.avg, 0, 0, 0);
  D::join(
      [&] {
        if (step.windows > 0) derive_entity_averages<D>(m, {0, p, 0});
      },
      task.avg, task.ghost);
}

/// Queues task e's averages for removal from its queue, without the lock: e is first aged to the
/// queue's own last update. Only averages are queued, never sums.
template <ValueDomain D>
void remove_entity_load_avg(const Model& model, Machine<D>& m, EntityRef e, bool death) {
  Task<D>& task = task_of(m, e.entity);
  CfsRq<D>& cfs_rq = cfs_rq_of(m, e);
  update_load_avg_blocked_se<D>(m, e.entity, cfs_rq.avg.last_update_time);
  Removed<D>& removed = cfs_rq.removed;
  removed.nr = removed.nr + 1;
  removed.load_avg = removed.load_avg + task.avg.load_avg;
  removed.util_avg = removed.util_avg + task.avg.util_avg;
  removed.runnable_avg = removed.runnable_avg + task.avg.runnable_avg;
  if (death && model.kernel.death_removes == DeathRemoves::kExact)
    removed.util_sum = removed.util_sum + task.avg.util_sum;
  book_pending<D>(model, m, e, death);
}

}  // namespace schedcheck
