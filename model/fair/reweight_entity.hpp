// SPDX-License-Identifier: Apache-2.0
/// \file A new weight for an entity: reweight_entity, kernel/sched/fair.c. What happens to its lag
/// and deadline differs by version (switch reweight_mode).
#pragma once

#include "model/fair/place_entity.hpp"
#include "model/fair/update_curr.hpp"

namespace schedcheck {

/// The load part of the PELT signals leaves the queue, or comes back with the new weight.
template <ValueDomain D>
void dequeue_load_avg(CfsRq<D>& cfs_rq, const SchedEntity<D>& se) {
  cfs_rq.avg.load_avg = D::sub_or_zero(cfs_rq.avg.load_avg, se.avg.load_avg);
  cfs_rq.avg.load_sum = clamp_sum<D>(
      D::sub_or_zero(cfs_rq.avg.load_sum, scale_load_down<D>(se.load_weight) * se.avg.load_sum),
      cfs_rq.avg.load_avg);
}
template <ValueDomain D>
void enqueue_load_avg(CfsRq<D>& cfs_rq, const SchedEntity<D>& se) {
  cfs_rq.avg.load_avg = cfs_rq.avg.load_avg + se.avg.load_avg;
  cfs_rq.avg.load_sum = cfs_rq.avg.load_sum + scale_load_down<D>(se.load_weight) * se.avg.load_sum;
}

/// x * old_weight / weight, the product in 64 bits that wrap as the kernel's: an entity that was
/// nearly weightless can be far away.
template <ValueDomain D>
IntOf<D> rescale(const IntOf<D>& x, const IntOf<D>& old_weight, const IntOf<D>& weight) {
  if constexpr (D::kSymbolic) {
    return div_trunc<D>(D::narrow(x, -kLagMax, kLagMax) * old_weight, weight);
  } else {
    const auto product = static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(old_weight);
    return static_cast<std::int64_t>(product) / weight;
  }
}

/// Lag and deadline of a queued entity, relative to the mean `average`, as if it had always had the
/// new weight (v6.7 to v6.12, v7.1).
template <ValueDomain D>
void reweight_around_mean(const Model& model, SchedEntity<D>& se, const IntOf<D>& average,
                          const IntOf<D>& weight) {
  using Int = IntOf<D>;
  const Int old = se.load_weight;
  if (average != se.vruntime) {
    se.vruntime = average - rescale<D>(entity_lag<D>(model, average, se), old, weight);
  }
  se.deadline = average + rescale<D>(se.deadline - average, old, weight);
}

/// Weight (times 1024) x lag of a queued entity, for the properties.
template <ValueDomain D>
IntOf<D> weighted_lag(const Model& model, const Machine<D>& m, EntityRef e) {
  using Int = IntOf<D>;
  const SchedEntity<D>& se = se_of(m, e);
  const Mean<D> mean = mean_of<D>(model, m, e.cpu, e.group);
  const Int lag = floor_of<D>(mean) - entity_key<D>(cfs_rq_of(m, e).time, se);
  const Int far = D::div(Int(kLagProductMax), se.load_weight);
  return D::min(D::max(lag, Int(0) - far), far) * se.load_weight;
}

/// `inv_weight`: of the new weight. Both weights are times 1024.
template <ValueDomain D>
void reweight_entity(const Model& model, Machine<D>& m, EntityRef e, const IntOf<D>& weight,
                     const IntOf<D>& inv_weight) {
  using Int = IntOf<D>;
  CfsRq<D>& cfs_rq = cfs_rq_of(m, e);
  SchedEntity<D>& se = se_of(m, e);
  const bool queued = static_cast<bool>(se.on_rq);
  const bool current = static_cast<bool>(cfs_rq.curr == e.entity);
  const bool by_placement = model.kernel.reweight_mode == ReweightMode::kPlace;
  Int average = 0;
  if (queued) {
    update_curr<D>(model, m, e.cpu, e.group);
    average = avg_vruntime<D>(model, m, e.cpu, e.group);
    ReweightRecord<D>& note = m.event.reweight;
    // A lag beyond the clamp is cut on purpose.
    note.happened = !current && entity_lag<D>(model, average, se) == average - se.vruntime;
    if (note.happened) {
      note.lag_before = weighted_lag<D>(model, m, e);
      note.larger_weight = D::max(IntOf<D>(se.load_weight), weight);
    }
    if (by_placement) {
      se.vlag = entity_lag<D>(model, average, se);
      se.deadline = se.deadline - se.vruntime;
      se.rel_deadline = true;
      cfs_rq.nr_queued = cfs_rq.nr_queued - 1;
    }
    if (!current) timeline_erase<D>(model, m, e);
    cfs_rq.load_weight = cfs_rq.load_weight - se.load_weight;
  }
  dequeue_load_avg<D>(cfs_rq, se);
  if (queued && !by_placement) {
    reweight_around_mean<D>(model, se, average, weight);
  } else {
    const Int old = se.load_weight;
    se.vlag = rescale<D>(se.vlag, old, weight);
    if (by_placement && se.rel_deadline) se.deadline = rescale<D>(se.deadline, old, weight);
  }
  se.load_weight = weight;
  se.inv_weight = inv_weight;
  se.avg.load_avg = D::div(scale_load_down<D>(weight) * se.avg.load_sum, pelt_divider<D>(se.avg));
  enqueue_load_avg<D>(cfs_rq, se);
  if (!queued) return;
  cfs_rq.load_weight = cfs_rq.load_weight + weight;
  if (by_placement) {
    // A current entity still counts in the mean: on_rq stays set.
    place_entity<D>(model, m, e, false);
    cfs_rq.nr_queued = cfs_rq.nr_queued + 1;
  }
  if (!current) timeline_insert<D>(model, m, e);
  if (m.event.reweight.happened) m.event.reweight.lag_after = weighted_lag<D>(model, m, e);
}

}  // namespace schedcheck
