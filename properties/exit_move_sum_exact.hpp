// SPDX-License-Identifier: Apache-2.0
/// \file exit-move-sum-exact
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct ExitMoveSumExact {
  static constexpr PropertyInfo kInfo = {
      "exit-move-sum-exact",
      "A detach/attach of a task that stays in its group leaves util_avg alone and changes "
      "util_sum "
      "by exactly u x D - s (u, s: the task's average and sum after the update, D: the divider).",
      "It is the one term by which the exit move deletes the time a task ran since its averages "
      "were "
      "last derived.",
      "exit/util regression thread; kernel-facts I-02, I-03 (signed form)",
      "no window boundary is crossed, nothing is pending, no lower bound acts",
      "every kernel that moves (exit_move=full, bail_unless_exiting)",
      "attach_keeps_sum=1 (the sum then does not change at all)"};
  static bool documented(const Model& model) { return model.kernel.attach_keeps_sum; }

  template <ValueDomain D>
  static Judgement<D> after_event(const Model& /*model*/, const Machine<D>& m,
                                  const Event& /*event*/) {
    const MoveRecord<D>& move = m.event.move;
    const IntOf<D> change = move.util_sum_after - move.util_sum_before;
    const BoolOf<D> exact = move.util_avg_after == move.util_avg_before &&
                            change == move.se_util_avg * move.divider - move.se_util_sum;
    return judge<D>(move.happened && move.clean, !exact);
  }

  static void numbers(const Model& /*model*/, const Machine<NativeDomain>& m, Numbers& out) {
    const auto& move = m.event.move;
    out["util_sum_before"] = move.util_sum_before;
    out["util_sum_after"] = move.util_sum_after;
    out["task_util_avg"] = move.se_util_avg;
    out["task_util_sum"] = move.se_util_sum;
    out["divider"] = move.divider;
    out["expected_change"] = move.se_util_avg * move.divider - move.se_util_sum;
  }
};

}  // namespace schedcheck
