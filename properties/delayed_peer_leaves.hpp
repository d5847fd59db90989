// SPDX-License-Identifier: Apache-2.0
/// \file delayed-peer-leaves-within-a-slice
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct DelayedPeerLeaves {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "delayed-peer-leaves-within-a-slice",
      "Beside a running entity that has no other peers, a delayed one that is eligible leaves its "
      "queue before the running one is a slice and a tick beyond its deadline.",
      "Was rq->nr_running in the check of slice ends to flush delayed entities? It is what keeps a "
      "delayed group there: rq.nr_running counts tasks, and the group has none.",
      "the reviewer's question in the EEVDF thread (hackbench, 85e511df3cec)",
      "ticks are on; no nice value changed: a delayed entity whose deadline is later may rightly "
      "stay longer (nice -20 beside nice 0: 87 slices of the former)",
      "slice_end_check=cfs_nr_in_update_deadline, cfs_nr, cfs_nr_or_unprotected",
      "slice_end_check=rq_nr (v6.12-rc1), cfs_nr_expired_only: neither asks for a reschedule while "
      "rq.nr_running is 1; mutant M-10"};
  static bool documented(const Model& model) {
    return model.kernel.slice_end_check == SliceEndCheck::kRqNr ||
           model.kernel.slice_end_check == SliceEndCheck::kCfsNrExpiredOnly;
  }

  /// A delayed peer that is overdue beside the running entity of a queue after `passed_ns`, in
  /// which a slice must have ended (new weights make virtual times jump, so time must pass);
  /// kNoTask: none. Sets `relevant` if all peers are delayed.
  static int overdue_peer(const Model& model, const Machine<NativeDomain>& m, int cpu, int group,
                          std::int64_t passed_ns, bool& relevant) {
    using D = NativeDomain;
    const CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, group);
    const int curr = queued_curr<D>(model, m, cpu, group);
    if (curr == kNoTask || cfs_rq.nr_queued < 2) return kNoTask;
    const SchedEntity<D>& running = se_of(m, {cpu, curr, group});
    if (passed_ns < running.slice + model.tick_ns || !within_a_slice<D>(running)) return kNoTask;
    const Mean<D> mean = mean_of<D>(model, m, cpu, group);
    const std::int64_t patience = calc_delta_fair<D>(running.slice + model.tick_ns, running);
    bool awake = false;
    int overdue = kNoTask;
    for_each_waiting<D>(m, cpu, group, [&](EntityRef e) {
      const SchedEntity<D>& se = se_of(m, e);
      awake = awake || !se.sched_delayed;
      if (running.vruntime - se.deadline > patience && entity_eligible<D>(cfs_rq.time, mean, se))
        overdue = e.entity;
    });
    if (awake) return kNoTask;
    relevant = true;
    return overdue;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, const Machine<D>& m,
                                                          const Event& event) {
    if (!model.eevdf || model.tick_ns == 0 || event.kind != EventKind::kRun)
      return not_relevant<D>();
    for (int p = 0; p < m.nr_tasks; ++p)
      if (task_of(m, p).ghost.reweighted) return not_relevant<D>();
    bool relevant = false;
    bool violated = false;
    for_each_cfs_rq(model, [&](int cpu, int g) {
      violated = overdue_peer(model, m, cpu, g, event.duration_ns, relevant) != kNoTask || violated;
    });
    return judge<D>(relevant, violated);
  }
};

}  // namespace schedcheck
