// SPDX-License-Identifier: Apache-2.0
/// \file zero-sum-lag
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct ZeroSumLag {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "zero-sum-lag",
      "The sums that a queue keeps are those over its waiting entities (weight, and weight times "
      "distance to the base), so weighted lags add up to zero, to less than the sum of the weights "
      "after rounding.",
      "A mean that is off gives service to nobody, or twice.",
      "kernel-facts I-41",
      "sums are compared modulo 2^64",
      "every kernel",
      "mutant M-12 (a waiting entity counts one too little)"};
  static bool documented(const Model& /*model*/) { return false; }

  static bool sums_are_exact(const Model& model, const Machine<NativeDomain>& m, int cpu,
                             int group) {
    using D = NativeDomain;
    const VirtualTime<D>& time = cfs_rq_of(m, cpu, group).time;
    std::uint64_t sum = 0;
    std::int64_t load = 0;
    const auto add = [&](EntityRef e) {
      const std::int64_t weight = scale_load_down<D>(se_of(m, e).load_weight);
      const auto key = static_cast<std::uint64_t>(se_of(m, e).vruntime - time.zero_vruntime);
      sum += key * static_cast<std::uint64_t>(weight);
      load += weight;
    };
    for_each_waiting<D>(m, cpu, group, add);
    if (load != time.avg_load || sum != static_cast<std::uint64_t>(time.avg_vruntime)) return false;
    const int curr = queued_curr<D>(model, m, cpu, group);
    if (curr != kNoTask) add({cpu, curr, group});
    if (load == 0) return true;
    const std::int64_t mean = floor_of<D>(mean_of<D>(model, m, cpu, group));
    const auto lags = static_cast<std::int64_t>(sum - static_cast<std::uint64_t>(mean) *
                                                          static_cast<std::uint64_t>(load));
    return lags >= 0 && lags < load;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    if (!model.eevdf) return not_relevant<D>();
    bool relevant = false;
    bool violated = false;
    for_each_cfs_rq(model, [&](int cpu, int g) {
      relevant = relevant || cfs_rq_of(m, cpu, g).time.first != kNoTask;
      violated = violated || !sums_are_exact(model, m, cpu, g);
    });
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
