// SPDX-License-Identifier: Apache-2.0
/// \file reweight-keeps-lag
#pragma once

#include <cstdlib>

#include "properties/property.hpp"

namespace schedcheck {

struct ReweightKeepsLag {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "reweight-keeps-lag",
      "A new weight for a waiting entity leaves its weight times its lag as it was, within four "
      "of the larger weight for rounding.",
      "A group that becomes nearly empty and comes back must not be thrown out of the "
      "competition.",
      "6d71a9c61604 (case A1), reverted by 101f3498b4bd",
      "the lag is within the clamp; the running entity is left out: under place_entity it counts "
      "in "
      "the mean that it is placed against, and its lag changes too",
      "reweight_mode=place_entity (v6.13 to v7.0)",
      "reweight_mode=eevdf_V (v6.7 to v6.12, v7.1), none (v6.6)"};
  static bool documented(const Model& model) {
    return model.kernel.reweight_mode != ReweightMode::kPlace;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& /*model*/,
                                                          const Machine<D>& m,
                                                          const Event& /*event*/) {
    const ReweightRecord<D>& note = m.event.reweight;
    const std::int64_t change = note.lag_after - note.lag_before;
    return judge<D>(note.happened, std::abs(change) > 4 * note.larger_weight);
  }

  static void numbers(const Model& /*model*/, const Machine<NativeDomain>& m, Numbers& out) {
    out["weighted_lag_before"] = m.event.reweight.lag_before;
    out["weighted_lag_after"] = m.event.reweight.lag_after;
    out["larger_weight"] = m.event.reweight.larger_weight;
  }
};

}  // namespace schedcheck
