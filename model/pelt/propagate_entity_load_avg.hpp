// SPDX-License-Identifier: Apache-2.0
/// \file What changed on a group's queue reaches the entity that stands for the group, and the
/// queue that this entity is on: propagate_entity_load_avg, kernel/sched/fair.c.
#pragma once

#include "model/pelt/attach_detach.hpp"

namespace schedcheck {

/// An average and its sum on the parent's queue change by differences; neither falls below its
/// bound.
template <class D, class Average, class Sum>
void change_signal(Average& average, Sum& sum, const IntOf<D>& average_delta,
                   const IntOf<D>& sum_delta) {
  average = D::max(average + average_delta, IntOf<D>(0));
  sum = clamp_sum<D>(D::max(sum + sum_delta, IntOf<D>(0)), average);
}

/// util_avg or runnable_avg of the group becomes that of its entity; the sum is derived.
template <class D, class Average, class Sum>
void take_over_average(const IntOf<D>& below, const IntOf<D>& divider, bool wraps, Average& se_avg,
                       Sum& se_sum, Average& queue_avg, Sum& queue_sum) {
  using Int = IntOf<D>;
  const Int delta = below - se_avg;
  if (delta == 0) return;
  const Int product = below * divider;
  const Int sum = wraps ? Int(D::wrap_u32(product)) : product;
  const Int sum_delta = sum - se_sum;
  se_avg = below;
  se_sum = sum;
  change_signal<D>(queue_avg, queue_sum, delta, sum_delta);
}

/// The part of the group's load change that its entity passes on (update_tg_cfs_load).
template <ValueDomain D>
void propagate_load(CfsRq<D>& below, SchedEntity<D>& se, CfsRq<D>& queue, const IntOf<D>& divider) {
  using Int = IntOf<D>;
  const Int pending = below.up.prop_runnable_sum;
  if (pending == 0) return;
  below.up.prop_runnable_sum = 0;
  Int load_sum = 0;
  if (pending >= 0) {
    load_sum = D::min(pending + se.avg.load_sum, divider);
  } else {
    const Int weight = scale_load_down<D>(below.load_weight);
    Int average = 0;
    if (weight != 0) average = D::div(below.avg.load_sum, weight);
    load_sum = D::min(se.avg.load_sum, average);
  }
  load_sum = D::max(load_sum, D::shr(se.avg.util_sum, 10));
  const Int weight = scale_load_down<D>(se.load_weight);
  const Int weighted = weight * load_sum;
  const Int load_avg = D::div(weighted, divider);
  const Int delta = load_avg - se.avg.load_avg;
  if (delta == 0) return;
  const Int sum_delta = weighted - weight * se.avg.load_sum;
  se.avg.load_sum = load_sum;
  se.avg.load_avg = load_avg;
  change_signal<D>(queue.avg.load_avg, queue.avg.load_sum, delta, sum_delta);
}

/// For the entity e of a group. Yields whether anything was pending.
template <ValueDomain D>
BoolOf<D> propagate_entity_load_avg(const Model& model, Machine<D>& m, EntityRef e) {
  using Int = IntOf<D>;
  CfsRq<D>& below = cfs_rq_of(m, e.cpu, e.entity - kGroupEntity);
  if (!below.up.propagate) return false;
  SchedEntity<D>& se = se_of(m, e);
  CfsRq<D>& queue = cfs_rq_of(m, e);
  below.up.propagate = false;
  add_tg_cfs_propagate<D>(model, queue, below.up.prop_runnable_sum);
  const Int divider = pelt_divider<D>(queue.avg);
  const Int before = queue.avg.util_sum;
  const Int own_before = se.avg.util_sum;
  take_over_average<D>(below.avg.util_avg, divider, true, se.avg.util_avg, se.avg.util_sum,
                       queue.avg.util_avg, queue.avg.util_sum);
  book_propagate<D>(model, m, e, se.avg.util_sum - own_before, queue.avg.util_sum - before);
  take_over_average<D>(below.avg.runnable_avg, divider, false, se.avg.runnable_avg,
                       se.avg.runnable_sum, queue.avg.runnable_avg, queue.avg.runnable_sum);
  propagate_load<D>(below, se, queue, divider);
  return true;
}

}  // namespace schedcheck
