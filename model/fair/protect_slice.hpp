// SPDX-License-Identifier: Apache-2.0
/// \file A running entity that is protected is not preempted by an earlier deadline: RUN_TO_PARITY,
/// kernel/sched/fair.c, in its two forms (switch run_to_parity_min_slice). The mark is kept in
/// vlag.
#pragma once

#include "model/fair/avg_vruntime.hpp"

namespace schedcheck {

template <ValueDomain D>
BoolOf<D> protect_slice(const Model& model, const SchedEntity<D>& se) {
  if (model.kernel.run_to_parity_min_slice) return se.vlag > se.vruntime;
  return se.vlag == se.deadline;
}

/// e was picked and is not in the timeline any more, nor current yet.
template <ValueDomain D>
void set_protect_slice(const Model& model, Machine<D>& m, EntityRef e) {
  SchedEntity<D>& se = se_of(m, e);
  se.vlag = se.deadline;
  if (!model.kernel.run_to_parity_min_slice) return;
  IntOf<D> slice(model.normalized_base_slice_ns());
  if (model.kernel.run_to_parity) slice = cfs_rq_min_slice<D>(model, m, e.cpu, e.group);
  if (slice < se.slice) se.vlag = D::min(se.deadline, se.vruntime + calc_delta_fair<D>(slice, se));
}

template <ValueDomain D>
void cancel_protect_slice(const Model& model, SchedEntity<D>& se) {
  if (!protect_slice<D>(model, se)) return;
  se.vlag = model.kernel.run_to_parity_min_slice ? IntOf<D>(se.vruntime) : se.deadline + 1;
}

}  // namespace schedcheck
