// SPDX-License-Identifier: Apache-2.0
/// \file someone-eligible
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct SomeoneEligible {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "someone-eligible",
      "A queue that has entities has an eligible one.",
      "A pick that finds nobody crashes or idles a CPU that has work.",
      "kernel-facts I-40",
      "none",
      "every kernel",
      "mutant M-12 (the sum over waiting entities is too small)"};
  static bool documented(const Model& /*model*/) { return false; }

  static bool has_eligible(const Model& model, const Machine<NativeDomain>& m, int cpu, int group) {
    using D = NativeDomain;
    const VirtualTime<D>& time = cfs_rq_of(m, cpu, group).time;
    const Mean<D> mean = mean_of<D>(model, m, cpu, group);
    bool found = false;
    for_each_queued<D>(model, m, cpu, group, [&](EntityRef e) {
      found = found || entity_eligible<D>(time, mean, se_of(m, e));
    });
    return found;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    bool relevant = false;
    bool violated = false;
    if (!model.eevdf) return not_relevant<D>();
    for_each_cfs_rq(model, [&](int cpu, int g) {
      if (cfs_rq_of(m, cpu, g).nr_queued == 0) return;
      relevant = true;
      violated = violated || !has_eligible(model, m, cpu, g);
    });
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
