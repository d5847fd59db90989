// SPDX-License-Identifier: Apache-2.0
/// \file Whether a task that was just queued takes the CPU: wakeup_preempt, kernel/sched/core.c,
/// and check_preempt_wakeup_fair, kernel/sched/fair.c, by version.
#pragma once

#include "model/fair/pick_task_fair.hpp"
#include "model/rt/rt_task.hpp"

namespace schedcheck {

/// Two entities on one queue.
struct Rivals {
  EntityRef running, woken;
};

inline int depth_of(const Model& model, EntityRef e) {
  int depth = 0;
  for (int g = e.group; g != 0; g = model.group_parent[static_cast<std::size_t>(g)]) ++depth;
  return depth;
}

/// find_matching_se: the ancestors of two entities that share a queue.
inline Rivals find_matching_se(const Model& model, Rivals r) {
  while (depth_of(model, r.running) > depth_of(model, r.woken))
    r.running = parent_entity(model, r.running);
  while (depth_of(model, r.woken) > depth_of(model, r.running))
    r.woken = parent_entity(model, r.woken);
  while (r.running.group != r.woken.group)
    r = {parent_entity(model, r.running), parent_entity(model, r.woken)};
  return r;
}

/// preempt_short up to v6.16: the woken one has a shorter slice and an earlier claim.
template <ValueDomain D>
bool do_preempt_short(const Model& model, const Machine<D>& m, Rivals r) {
  const SchedEntity<D>& se = se_of(m, r.running);
  const SchedEntity<D>& pse = se_of(m, r.woken);
  if (!model.kernel.preempt_short || pse.slice >= se.slice) return false;
  // Since v6.17 the shorter slice alone counts.
  if (model.kernel.run_to_parity_min_slice) return true;
  return static_cast<bool>(
      entity_eligible<D>(model, m, r.woken) &&
      (pse.deadline < se.deadline || !entity_eligible<D>(model, m, r.running)));
}

/// Protection of the running entity ends no later than after the smallest slice that is queued.
template <ValueDomain D>
void update_protect_slice(const Model& model, Machine<D>& m, EntityRef e) {
  SchedEntity<D>& se = se_of(m, e);
  const IntOf<D> slice = cfs_rq_min_slice<D>(model, m, e.cpu, e.group);
  se.vlag = D::min(se.vlag, se.vruntime + calc_delta_fair<D>(D::narrow(slice, 0, kMaxSlice), se));
}

template <ValueDomain D>
void check_preempt_wakeup_fair(const Model& model, Machine<D>& m, int cpu, int p) {
  Rq<D>& rq = cpu_rq(m, cpu);
  const int curr = D::which(rq.curr, 0, model.max_tasks - 1);
  if (curr == p || rq.need_resched) return;
  const Rivals r = find_matching_se(
      model, {task_entity<D>(model, m, cpu, curr), task_entity<D>(model, m, cpu, p)});
  update_curr<D>(model, m, cpu, r.running.group);
  const bool is_short = do_preempt_short<D>(model, m, r);
  SchedEntity<D>& se = se_of(m, r.running);
  const bool min_slice = model.kernel.run_to_parity_min_slice;
  if (is_short && !min_slice) cancel_protect_slice<D>(model, se);
  const bool picked = static_cast<bool>(
      pick_eevdf<D>(model, m, cpu, r.running.group, !(is_short && min_slice)) == r.woken.entity);
  if (picked) {
    if (is_short) cancel_protect_slice<D>(model, se);
    rq.need_resched = true;
  } else if (is_short && min_slice && model.kernel.run_to_parity) {
    update_protect_slice<D>(model, m, r.running);
  }
}

/// p was just queued on `cpu`.
template <ValueDomain D>
void wakeup_preempt(const Model& model, Machine<D>& m, int cpu, int p) {
  Rq<D>& rq = cpu_rq(m, cpu);
  if (rq.curr == kNoTask) {
    rq.need_resched = true;
    return;
  }
  if constexpr (!D::kSymbolic) {
    const auto curr = static_cast<int>(rq.curr);
    if (is_rt(m, p)) {
      if (task_of(m, p).rt_priority > task_of(m, curr).rt_priority &&
          !mutant<D>(Mutant::kRtDoesNotPreempt))
        rq.need_resched = true;
      return;
    }
    if (is_rt(m, curr)) return;
  }
  check_preempt_wakeup_fair<D>(model, m, cpu, p);
}

}  // namespace schedcheck
