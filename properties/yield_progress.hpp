// SPDX-License-Identifier: Apache-2.0
/// \file yield-progress
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct YieldProgress {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "yield-progress",
      "No queued task's deadline lies more than one slice of virtual time after its virtual "
      "runtime.",
      "Under the old rule a task that yields while nobody else is eligible pushes its deadline "
      "out by a slice each time, and must then wait for all of it.",
      "79104becf42b (case A3)",
      "nice values did not change: a new weight rescales what is left",
      "yield_mode=forfeit_if_eligible (v6.19)",
      "yield_mode=deadline_only (v6.6 to v6.18)"};
  static bool documented(const Model& model) {
    return model.kernel.yield_mode == YieldMode::kPushDeadline;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    if (!model.eevdf) return not_relevant<D>();
    bool relevant = false;
    bool violated = false;
    for (int p = 0; p < m.nr_tasks; ++p) {
      const Task<D>& task = task_of(m, p);
      if (!task.on_rq || task.rel_deadline || task.ghost.reweighted) continue;
      relevant = true;
      violated = violated || !within_a_slice<D>(task);
    }
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
