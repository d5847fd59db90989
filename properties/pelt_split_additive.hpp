// SPDX-License-Identifier: Apache-2.0
/// \file pelt-split-additive
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct PeltSplitAdditive {
  static constexpr PropertyInfo kInfo = {
      "pelt-split-additive",
      "Ageing a queue in two steps gives the same util_sum as in one: equal inside a window, less "
      "than 46718 apart across boundaries. Averages are not compared.",
      "How often somebody looks at a queue must not change what it measures.",
      "kernel-facts I-14",
      "judged where a queue is about to be refreshed (update_blocked), split in the middle and at "
      "the "
      "last boundary",
      "every kernel",
      "mutant M-09 (util_sum is not decayed at a boundary of one step)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  static IntOf<D> sum_after(const Rq<D>& rq, const IntOf<D>& middle, const IntOf<D>& end) {
    SchedAvg<D> sa = rq.cfs.avg;
    const IntOf<D> running = D::to_int(rq.cfs.curr != kNoTask);
    update_load_sum<D>(middle, sa, scale_load_down<D>(rq.cfs.load_weight), rq.cfs.h_nr_runnable,
                       running);
    update_load_sum<D>(end, sa, scale_load_down<D>(rq.cfs.load_weight), rq.cfs.h_nr_runnable,
                       running);
    return sa.util_sum;
  }

  template <ValueDomain D>
  static Judgement<D> before_event(const Model& /*model*/, const Machine<D>& m,
                                   const Event& event) {
    if (event.kind != EventKind::kUpdateBlocked) return not_relevant<D>();
    const Rq<D>& rq = cpu_rq(m, event.cpu);
    const IntOf<D> start = rq.cfs.avg.last_update_time;
    const IntOf<D> end = m.now;
    const IntOf<D> once = sum_after<D>(rq, end, end);
    const IntOf<D> windows =
        D::shr(D::shr(D::sub_or_zero(end, start), 10) + rq.cfs.avg.period_contrib, 10);
    BoolOf<D> apart = false;
    for (const IntOf<D>& middle : {IntOf<D>(start + D::shr(D::sub_or_zero(end, start), 1)),
                                   D::max(start, D::shr(end, 20) * kWindowNs)}) {
      const IntOf<D> twice = sum_after<D>(rq, middle, end);
      const IntOf<D> gap = D::max(once - twice, twice - once);
      apart = apart || (windows == 0 && gap != 0) || gap >= kPeltMinDivider;
    }
    return judge<D>(end > start, apart);
  }
};

}  // namespace schedcheck
