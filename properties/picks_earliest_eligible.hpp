// SPDX-License-Identifier: Apache-2.0
/// \file picks-earliest-eligible
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct PicksEarliestEligible {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "picks-earliest-eligible",
      "The entity that a queue would run next is eligible and has no later deadline than any "
      "eligible one, unless it is the running one and still protected.",
      "This is the rule that the fairness of the class rests on.",
      "kernel-facts I-45",
      "queues with at least two entities, after each event",
      "pick_buddy=0 (up to v6.13)",
      "pick_buddy=1 (v6.14): a buddy left by a dequeue is preferred however late its deadline; "
      "mutant M-17 (the latest deadline wins)"};
  static bool documented(const Model& model) { return model.kernel.pick_buddy; }

  static bool picks_right(const Model& model, const Machine<NativeDomain>& m, int cpu, int group) {
    using D = NativeDomain;
    const VirtualTime<D>& time = cfs_rq_of(m, cpu, group).time;
    const Mean<D> mean = mean_of<D>(model, m, cpu, group);
    const int curr = queued_curr<D>(model, m, cpu, group);
    const int picked = pick_next_entity<D>(model, m, cpu, group);
    const SchedEntity<D>& se = se_of(m, {cpu, picked, group});
    if (!entity_eligible<D>(time, mean, se)) return false;
    const bool parity = model.kernel.run_to_parity || model.kernel.run_to_parity_min_slice;
    if (picked == curr && parity && protect_slice<D>(model, se)) return true;
    bool earliest = true;
    for_each_queued<D>(model, m, cpu, group, [&](EntityRef e) {
      const SchedEntity<D>& other = se_of(m, e);
      if (other.deadline < se.deadline && entity_eligible<D>(time, mean, other)) earliest = false;
    });
    return earliest;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    if (!model.eevdf) return not_relevant<D>();
    bool relevant = false;
    bool violated = false;
    for_each_cfs_rq(model, [&](int cpu, int g) {
      if (cfs_rq_of(m, cpu, g).nr_queued < 2) return;
      relevant = true;
      violated = violated || !picks_right(model, m, cpu, g);
    });
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
