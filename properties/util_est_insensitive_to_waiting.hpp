// SPDX-License-Identifier: Apache-2.0
/// \file util-est-insensitive-to-waiting
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct UtilEstInsensitiveToWaiting {
  static constexpr bool kNeedsGroups = true;
  static constexpr PropertyInfo kInfo = {
      "util-est-insensitive-to-waiting",
      "The estimated utilisation of a task does not fall at a sleep before which the task had "
      "to wait for its CPU.",
      "Two equal tasks on one CPU would each look half as big as they are.",
      "50181c0cff31 (case A9)",
      "waited: runnable_avg is more than 10 above util_avg",
      "util_est_skip_if_waiting=1 (v6.8)",
      "util_est_skip_if_waiting=0 (up to v6.7)"};
  static bool documented(const Model& model) { return !model.kernel.util_est_skip_if_waiting; }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& /*model*/,
                                                          const Machine<D>& m,
                                                          const Event& /*event*/) {
    return judge<D>(m.event.waited, m.event.estimate_fell);
  }
};

}  // namespace schedcheck
