// SPDX-License-Identifier: Apache-2.0
/// \file Earliest eligible virtual deadline first: pick_eevdf, kernel/sched/fair.c, v6.6 to v6.18.
#pragma once

#include "model/fair/protect_slice.hpp"

namespace schedcheck {

/// Whether the pick prefers `a` over `b`; both are eligible.
template <ValueDomain D>
BoolOf<D> comes_before(const SchedEntity<D>& a, const SchedEntity<D>& b) {
  if (mutant<D>(Mutant::kLaterDeadlineWins)) return a.deadline > b.deadline;
  return a.deadline < b.deadline;
}

/// The entity number that a queue with at least one entity would run next; changes nothing.
/// `protect`: a running entity may keep the CPU until its protection ends. Equal deadlines: who
/// came first.
template <ValueDomain D>
IntOf<D> pick_eevdf(const Model& model, const Machine<D>& m, int cpu, int group,
                    bool protect = true) {
  const CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, group);
  const int curr = queued_curr<D>(model, m, cpu, group);
  if (cfs_rq.nr_queued == 1) return curr != kNoTask ? IntOf<D>(curr) : IntOf<D>(cfs_rq.time.first);
  const Mean<D> mean = mean_of<D>(model, m, cpu, group);
  const SchedEntity<D>* running = nullptr;
  if (curr != kNoTask) {
    const SchedEntity<D>& se = se_of(m, {cpu, curr, group});
    if (entity_eligible<D>(cfs_rq.time, mean, se)) running = &se;
  }
  const bool protects = model.kernel.run_to_parity || model.kernel.run_to_parity_min_slice;
  if (running != nullptr && protect && protects && protect_slice<D>(model, *running)) return curr;
  const SchedEntity<D>* best = nullptr;
  // Somebody is eligible; if not (property someone-eligible), a kernel would find nobody here.
  int best_entity = curr != kNoTask ? curr : entity_number<D>(cfs_rq.time.first);
  for_each_waiting<D>(m, cpu, group, [&](EntityRef e) {
    const SchedEntity<D>& se = se_of(m, e);
    if (best != nullptr && !comes_before<D>(se, *best)) return;
    if (!entity_eligible<D>(cfs_rq.time, mean, se)) return;
    best = &se;
    best_entity = e.entity;
  });
  if (running != nullptr && (best == nullptr || comes_before<D>(*running, *best))) return curr;
  return best_entity;
}

}  // namespace schedcheck
