// SPDX-License-Identifier: Apache-2.0
/// \file slice-end-reschedules
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct SliceEndReschedules {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "slice-end-reschedules",
      "When the slice of the running entity ends and its queue has another one, the CPU is "
      "asked to reschedule.",
      "A task that is never asked keeps the CPU from its peers.",
      "kernel-facts I-49",
      "a delayed peer counts",
      "slice_end_check=cfs_nr_in_update_deadline, cfs_nr, cfs_nr_or_unprotected",
      "slice_end_check=rq_nr (v6.12-rc1), cfs_nr_expired_only: a delayed group beside the only "
      "task is never flushed, since rq.nr_running counts tasks; mutant M-10"};
  static bool documented(const Model& model) {
    return model.kernel.slice_end_check == SliceEndCheck::kRqNr ||
           model.kernel.slice_end_check == SliceEndCheck::kCfsNrExpiredOnly;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& /*model*/,
                                                          const Machine<D>& m,
                                                          const Event& /*event*/) {
    return judge<D>(m.event.slice_end.contended, m.event.slice_end.contended_missed);
  }
};

}  // namespace schedcheck
