// SPDX-License-Identifier: Apache-2.0
/// \file sums-follow-averages
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct SumsFollowAverages {
  static constexpr bool kNeedsGroups = true;  // Nice values change only with them.
  static constexpr PropertyInfo kInfo = {
      "sums-follow-averages",
      "A queue's load_sum and runnable_sum are not 2^31 or more below 46718 times their averages.",
      "The lower bound that a removal applies to a sum is computed in 32 bits: with sums beyond "
      "2^32 it cuts the sum instead, and the next update makes a tenth of the load from it.",
      "kernel-facts 1.15 and I-11; a 6.18 kernel's load_avg fell from 93885 to 9366",
      "less than 2^31 is rounding: an attach rounds load_sum down to a multiple of the weight",
      "no kernel",
      "every kernel, once the weights of a queue sum to more than 90,000 (one task of nice -20 "
      "and a few of nice 0), when one of them exits or moves away"};
  static bool documented(const Model& /*model*/) { return true; }

  static constexpr std::int64_t kCut = std::int64_t{1} << 31;

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& /*event*/) {
    bool relevant = false;
    bool violated = false;
    for_each_cfs_rq(model, [&](int cpu, int g) {
      const SchedAvg<D>& avg = cfs_rq_of(m, cpu, g).avg;
      const std::int64_t load = avg.load_avg * kPeltMinDivider;
      const std::int64_t runnable = avg.runnable_avg * kPeltMinDivider;
      relevant = relevant || load > kU32Max || runnable > kU32Max;
      violated = violated || load - avg.load_sum >= kCut || runnable - avg.runnable_sum >= kCut;
    });
    return judge<D>(relevant, violated);
  }

  static void numbers(const Model& model, const Machine<NativeDomain>& m, Numbers& out) {
    for_each_cfs_rq(model, [&](int cpu, int g) {
      const SchedAvg<NativeDomain>& avg = cfs_rq_of(m, cpu, g).avg;
      const std::string at = "cpu" + std::to_string(cpu) + ".group" + std::to_string(g) + ".";
      out[at + "load_sum"] = avg.load_sum;
      out[at + "load_floor"] = avg.load_avg * kPeltMinDivider;
      out[at + "runnable_sum"] = avg.runnable_sum;
      out[at + "runnable_floor"] = avg.runnable_avg * kPeltMinDivider;
    });
  }
};

}  // namespace schedcheck
