// SPDX-License-Identifier: Apache-2.0
/// \file lag-within-clamp
#pragma once

#include <cstdlib>

#include "properties/property.hpp"

namespace schedcheck {

struct LagWithinClamp {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "lag-within-clamp",
      "A task that left its queue keeps no more lag than two of its slices (at least a tick) of "
      "virtual time, to either side.",
      "A task that comes back with unbounded lag starves the others, or itself.",
      "kernel-facts I-43",
      "the task's weight never changed: that rescales a kept lag, which rounds",
      "every kernel",
      "mutant M-13 (lag is not clamped)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    if (!model.eevdf) return not_relevant<D>();
    bool relevant = false;
    bool violated = false;
    for (int p = 0; p < m.nr_tasks; ++p) {
      const Task<D>& task = task_of(m, p);
      if (task.state != kBlocked || task.on_rq || task.slice == 0 || task.ghost.reweighted)
        continue;
      relevant = true;
      const std::int64_t limit =
          calc_delta_fair<D>(std::max<std::int64_t>(task.slice * 2, model.lag_tick_ns), task);
      violated = violated || std::abs(std::int64_t{task.vlag}) > limit;
    }
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
