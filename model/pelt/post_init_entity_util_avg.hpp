// SPDX-License-Identifier: Apache-2.0
/// \file The utilisation a new task starts with: post_init_entity_util_avg, kernel/sched/fair.c.
#pragma once

#include "model/machine.hpp"
#include "model/pelt/pelt_constants.hpp"

namespace schedcheck {

/// Initial util_avg for a task of `weight` (unscaled) on a queue with these averages: half of what
/// is left, or the queue's util per load times the weight if that is less. Before v6.10 the weight
/// was taken 1024 times too large (72bffbf57c52).
template <ValueDomain D>
IntOf<D> initial_util_avg(NewTaskUtilWeight rule, const IntOf<D>& cfs_util,
                          const IntOf<D>& cfs_load, const IntOf<D>& weight) {
  using Int = IntOf<D>;
  return D::eval([&]() -> Int {
    const Int cap = D::shr(D::sub_or_zero(Int(kCapacity), cfs_util), 1);
    if (cap == 0) return Int(0);
    if (cfs_util == 0) return cap;
    const Int w = rule == NewTaskUtilWeight::kScaled ? Int(weight * 1024) : Int(weight);
    return D::min(D::div(cfs_util * w, cfs_load + 1), cap);
  });
}

/// Gives task e its initial averages from its queue as last written: the queue is not aged first.
template <ValueDomain D>
void post_init_entity_util_avg(const Model& model, Machine<D>& m, EntityRef e) {
  Task<D>& task = task_of(m, e.entity);
  const SchedAvg<D>& cfs = cfs_rq_of(m, e).avg;
  task.avg.util_avg = initial_util_avg<D>(model.kernel.new_task_util_weight, cfs.util_avg,
                                          cfs.load_avg, scale_load_down<D>(task.load_weight));
  task.avg.runnable_avg = task.avg.util_avg;
}

}  // namespace schedcheck
