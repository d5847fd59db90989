// SPDX-License-Identifier: Apache-2.0
/// \file no-resched-without-fair-peer
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct NoReschedWithoutFairPeer {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "no-resched-without-fair-peer",
      "The end of a slice asks for a reschedule only if another fair entity is on the running "
      "one's queue, whatever else the CPU has.",
      "Otherwise a task that is alone in its group gives way at the end of every slice for "
      "nothing: twice the requests and 1.5 times the switches with two groups of one task each.",
      "EEVDF thread (hackbench), 85e511df3cec; kernel-facts 4.6, I-47, I-48",
      "none",
      "slice_end_check=cfs_nr_in_update_deadline (v6.6), cfs_nr (v6.12), cfs_nr_or_unprotected "
      "(v6.17)",
      "slice_end_check=rq_nr (v6.12-rc1)"};
  static bool documented(const Model& model) {
    return model.kernel.slice_end_check == SliceEndCheck::kRqNr;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& /*model*/,
                                                          const Machine<D>& m,
                                                          const Event& /*event*/) {
    return judge<D>(m.event.slice_end.alone, m.event.slice_end.alone_resched);
  }
};

}  // namespace schedcheck
