// SPDX-License-Identifier: Apache-2.0
/// \file The mean of a queue's virtual runtimes, lag and eligibility: avg_vruntime, entity_lag,
/// entity_eligible of kernel/sched/fair.c (form of v6.19 and 6.12.117; the mean is the same in
/// all).
#pragma once

#include "model/fair/timeline.hpp"

namespace schedcheck {

/// The weighted mean of a queue relative to its base is sum / load.
template <ValueDomain D>
struct Mean {
  IntOf<D> sum{}, load{};
};

/// Over the waiting entities and, if it is queued, the running one.
template <ValueDomain D>
Mean<D> mean_of(const Model& model, const Machine<D>& m, int cpu, int group) {
  const VirtualTime<D>& time = cfs_rq_of(m, cpu, group).time;
  Mean<D> mean{time.avg_vruntime, time.avg_load};
  const int curr = queued_curr<D>(model, m, cpu, group);
  if (curr == kNoTask) return mean;
  const SchedEntity<D>& se = se_of(m, {cpu, curr, group});
  const IntOf<D> weight = scale_load_down<D>(se.load_weight);
  mean.sum = mean.sum + entity_key<D>(time, se) * weight;
  mean.load = mean.load + weight;
  return mean;
}

/// `mean` relative to its base, rounded down; 0 for an empty queue.
template <ValueDomain D>
IntOf<D> floor_of(const Mean<D>& mean) {
  using Int = IntOf<D>;
  return D::eval([&]() -> Int {
    if (mean.load == 0) return Int(0);
    return div_floor<D>(D::narrow(mean.sum, -kVirtualMax, kVirtualMax), mean.load);
  });
}

/// The base moves by `delta`; the mean stays where it is.
template <ValueDomain D>
void shift_zero_vruntime(VirtualTime<D>& time, const IntOf<D>& delta) {
  time.avg_vruntime =
      D::narrow(time.avg_vruntime - time.avg_load * D::narrow(delta, -kKeyMax, kKeyMax),
                -kVirtualMax, kVirtualMax);
  time.zero_vruntime = time.zero_vruntime + delta;
}

/// `mean` of a queue, rounded down; its base moves there unless only insertions move it (v6.19).
template <ValueDomain D>
IntOf<D> avg_vruntime(const Model& model, VirtualTime<D>& time, const Mean<D>& mean) {
  const IntOf<D> delta = floor_of<D>(mean);
  if (model.kernel.zero_update == ZeroUpdate::kEnqueueDequeue) return time.zero_vruntime + delta;
  shift_zero_vruntime<D>(time, delta);
  return time.zero_vruntime;
}
template <ValueDomain D>
IntOf<D> avg_vruntime(const Model& model, Machine<D>& m, int cpu, int group) {
  return avg_vruntime<D>(model, cfs_rq_of(m, cpu, group).time, mean_of<D>(model, m, cpu, group));
}

/// Whether a queued entity received no more service than its share: compared without rounding.
template <ValueDomain D>
BoolOf<D> entity_eligible(const VirtualTime<D>& time, const Mean<D>& mean,
                          const SchedEntity<D>& se) {
  return mean.sum >= entity_key<D>(time, se) * mean.load;
}
template <ValueDomain D>
BoolOf<D> entity_eligible(const Model& model, const Machine<D>& m, EntityRef e) {
  return entity_eligible<D>(cfs_rq_of(m, e).time, mean_of<D>(model, m, e.cpu, e.group),
                            se_of(m, e));
}

/// Lag of e when the mean is `average`, within two slices (at least a tick of `tick_ns`).
template <ValueDomain D>
IntOf<D> entity_lag(const Model& model, const IntOf<D>& average, const SchedEntity<D>& se) {
  using Int = IntOf<D>;
  if (mutant<D>(Mutant::kLagNotClamped)) return average - se.vruntime;
  const Int real = D::max(se.slice * 2, Int(model.lag_tick_ns));
  const Int limit = calc_delta_fair<D>(real, se);
  return D::min(D::max(average - se.vruntime, Int(0) - limit), limit);
}

/// update_entity_lag, for a queued entity.
template <ValueDomain D>
void update_entity_lag(const Model& model, Machine<D>& m, EntityRef e) {
  const IntOf<D> average = avg_vruntime<D>(model, m, e.cpu, e.group);
  SchedEntity<D>& se = se_of(m, e);
  se.vlag = entity_lag<D>(model, average, se);
}

}  // namespace schedcheck
