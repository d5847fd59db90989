// SPDX-License-Identifier: Apache-2.0
/// \file Where an entity joins the virtual time of a queue: place_entity, kernel/sched/fair.c,
/// v6.12.
#pragma once

#include "model/fair/timeline_insert.hpp"

namespace schedcheck {

/// Lag that e has to be placed with so that it has `se.vlag` once it is counted in the mean of its
/// queue, which has `queue_load` without it.
template <ValueDomain D>
IntOf<D> inflated_lag(const Model& model, const Machine<D>& m, EntityRef e,
                      const IntOf<D>& queue_load) {
  using Int = IntOf<D>;
  const CfsRq<D>& cfs_rq = cfs_rq_of(m, e);
  const SchedEntity<D>& se = se_of(m, e);
  return D::eval([&]() -> Int {
    if (!model.kernel.place_lag || cfs_rq.nr_queued == 0) return Int(0);
    const Int load = D::max(queue_load, Int(1));
    const Int weight = scale_load_down<D>(se.load_weight);
    return div_trunc<D>(D::narrow(se.vlag, -kKeyMax, kKeyMax) * (load + weight), load);
  });
}

/// e, not queued, gets its virtual runtime and deadline. `initial`: first time after a fork.
template <ValueDomain D>
void place_entity(const Model& model, Machine<D>& m, EntityRef e, bool initial) {
  using Int = IntOf<D>;
  const Mean<D> mean = mean_of<D>(model, m, e.cpu, e.group);
  const Int average = avg_vruntime<D>(model, cfs_rq_of(m, e).time, mean);
  const Int lag = inflated_lag<D>(model, m, e, mean.load);
  SchedEntity<D>& se = se_of(m, e);
  D::join(
      [&] {
        if (!se.custom_slice) se.slice = model.base_slice_ns;
        se.vruntime = average - lag;
        if (model.kernel.place_rel_deadline && se.rel_deadline) {
          se.deadline = se.deadline + se.vruntime;
          se.rel_deadline = false;
          return;
        }
        const Int vslice = calc_delta_fair<D>(se.slice, se);
        const bool half = initial && !mutant<D>(Mutant::kChildGetsFullSlice);
        se.deadline = se.vruntime + (half ? D::shr(vslice, 1) : vslice);
      },
      se);
}

}  // namespace schedcheck
