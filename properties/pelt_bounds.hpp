// SPDX-License-Identifier: Apache-2.0
/// \file pelt-bounds
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct PeltBounds {
  /// How far an always-running signal can settle above 1024 x divider. One boundary maps an excess
  /// e to at most y e + 1024 (47742 y - 46718), y the decay of a window: the fixed point is 47184.
  /// Updates exactly at boundaries give 8309; with ticks of 1 ms 16000 and more occur.
  static constexpr std::int64_t kRounding = 47184;
  static constexpr PropertyInfo kInfo = {
      "pelt-bounds",
      "For every task 0 <= util_avg <= 1024, util_avg <= runnable_avg, and util_sum <= 1024 x "
      "(46718 + period_contrib) + 47184.",
      "Readers treat 1024 as a full CPU.",
      "kernel-facts I-09, whose 8309 holds only for updates exactly at boundaries",
      "the task started with util_avg <= 1024",
      "every kernel",
      "mutant M-08 (units of an open window count twice)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  static Judgement<D> after_event(const Model& /*model*/, const Machine<D>& m,
                                  const Event& /*event*/) {
    BoolOf<D> attached = false;
    BoolOf<D> violated = false;
    for (std::size_t p = 0; p < task_slots(m); ++p) {
      const SchedAvg<D>& sa = m.task[p].avg;
      const BoolOf<D> counts = sa.last_update_time != 0;
      attached = attached || counts;
      violated =
          violated || (counts && (sa.util_avg > kCapacity || sa.util_avg > sa.runnable_avg ||
                                  sa.util_sum > pelt_divider<D>(sa) * kCapacity + kRounding));
    }
    return judge<D>(attached, violated);
  }

  static void numbers(const Model& /*model*/, const Machine<NativeDomain>& m, Numbers& out) {
    for (std::size_t p = 0; p < m.task.size(); ++p) {
      const auto& sa = m.task[p].avg;
      if (sa.last_update_time == 0) continue;
      const std::string at = "task" + std::to_string(p) + ".";
      out[at + "util_avg"] = sa.util_avg;
      out[at + "runnable_avg"] = sa.runnable_avg;
      out[at + "util_sum"] = sa.util_sum;
    }
  }
};

}  // namespace schedcheck
