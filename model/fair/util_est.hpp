// SPDX-License-Identifier: Apache-2.0
/// \file Estimated utilisation: util_est_enqueue, util_est_dequeue, util_est_update of
/// kernel/sched/fair.c, v6.7 and later. 6.1's two-value form is not modelled.
#pragma once

#include "model/machine.hpp"

namespace schedcheck {

inline constexpr std::int64_t kUtilEstMargin = 10;  ///< About 1 % of a CPU.

template <ValueDomain D>
void util_est_enqueue(Machine<D>& m, int cpu, int p) {
  CfsRq<D>& root = cpu_rq(m, cpu).cfs;
  root.util_est = root.util_est + task_of(m, p).util_est.value;
}

template <ValueDomain D>
void util_est_dequeue(Machine<D>& m, int cpu, int p) {
  CfsRq<D>& root = cpu_rq(m, cpu).cfs;
  root.util_est = D::sub_or_zero(root.util_est, task_of(m, p).util_est.value);
}

/// p goes to sleep: what it used now enters its estimate.
template <ValueDomain D>
void util_est_update(const Model& model, Machine<D>& m, int p) {
  using Int = IntOf<D>;
  Task<D>& task = task_of(m, p);
  UtilEst<D>& est = task.util_est;
  D::join(
      [&] {
        if (est.unchanged) return;
        const Int used = task.avg.util_avg;
        if (est.value <= used) {
          est.value = used;
        } else if (est.value - used >= kUtilEstMargin) {
          if (used > kCapacity) return;
          const bool waited = static_cast<bool>(used + kUtilEstMargin < task.avg.runnable_avg);
          const bool falls = !(waited && model.kernel.util_est_skip_if_waiting);
          if (waited) m.event.waited = true;
          if (waited && falls) m.event.estimate_fell = true;
          if (falls) est.value = D::shr(est.value * 4 - (est.value - used), 2);
        }
        est.unchanged = true;
      },
      est, m.event);
}

}  // namespace schedcheck
