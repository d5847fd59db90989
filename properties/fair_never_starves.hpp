// SPDX-License-Identifier: Apache-2.0
/// \file fair-never-starves
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct FairNeverStarves {
  static constexpr bool kNeedsGroups = true;
  static constexpr std::int64_t kShareNs = 50'000'000;
  static constexpr std::int64_t kShareWithinNs = 2'000'000'000;
  static constexpr PropertyInfo kInfo = {
      "fair-never-starves",
      "While fair tasks are runnable on a CPU they get 50 ms less a tick of it within any 2 s "
      "and a tick, whatever RT tasks do.",
      "A spinning RT task must not stop the machine.",
      "case A10 (locktorture); dl_server since v6.12, RT throttling before",
      "ticks are on: without them nobody charges the server",
      "fair_server=server with dl_timer_no_task=stop_at_dequeue (v6.12), arm_zero_laxity (v6.17); "
      "fair_server=rt_throttling (before)",
      "fair_server=none (sched_rt_runtime_us=-1); dl_timer_no_task=stop_without_flag (6.17-rc)"};
  static bool documented(const Model& model) {
    return model.kernel.fair_server == FairServer::kNone ||
           (model.kernel.fair_server == FairServer::kServer &&
            model.kernel.dl_timer_no_task == DlTimerNoTask::kStopWithoutFlag);
  }

  /// Starts a new wait when nobody waits any more or the share was got.
  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, Machine<D>& m,
                                                          const Event& /*event*/) {
    if (model.tick_ns == 0 || !model.eevdf) return not_relevant<D>();
    bool relevant = false;
    bool violated = false;
    for (Rq<D>& rq : m.rq) {
      RqGhost<D>& ghost = rq.ghost;
      if (rq.cfs.h_nr_runnable == 0 ||
          ghost.fair_ran - ghost.fair_ran_then >= kShareNs - model.tick_ns) {
        ghost.fair_since = m.now;
        ghost.fair_ran_then = ghost.fair_ran;
        continue;
      }
      relevant = relevant || rq.rt_nr_running > 0;
      violated = violated || m.now - ghost.fair_since > kShareWithinNs + model.tick_ns;
    }
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
