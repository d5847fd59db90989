// SPDX-License-Identifier: Apache-2.0
/// \file child-starts-with-half-a-slice
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct ChildStartsWithHalfASlice {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "child-starts-with-half-a-slice",
      "Right after a fork the child has no lag to pay off, and its deadline is half a slice of "
      "virtual time after its virtual runtime.",
      "A child that got a whole slice, or an earlier deadline, would be favoured over tasks that "
      "compete already.",
      "kernel-facts I-55 (PLACE_DEADLINE_INITIAL)",
      "the child is queued and did not run yet",
      "every kernel",
      "mutant M-18 (a whole slice)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& event) {
    if (!model.eevdf || event.kind != EventKind::kFork) return not_relevant<D>();
    const Task<D>& child = task_of(m, static_cast<int>(m.nr_tasks) - 1);
    if (!child.on_rq || child.sum_exec_runtime != 0) return not_relevant<D>();
    const bool current =
        cfs_rq_of(m, static_cast<int>(child.cpu), static_cast<int>(child.group)).curr ==
        static_cast<int>(m.nr_tasks) - 1;
    const std::int64_t half = calc_delta_fair<D>(child.slice, child) / 2;
    return judge<D>(true, child.deadline - child.vruntime != half || (!current && child.vlag != 0));
  }
};

}  // namespace schedcheck
