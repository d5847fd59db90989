// SPDX-License-Identifier: Apache-2.0
/// \file The running entity pays for its time, and its slice may end: update_curr and
/// update_deadline of kernel/sched/fair.c, by version (switch slice_end_check).
#pragma once

#include "model/fair/pick_eevdf.hpp"
#include "model/rt/fair_server.hpp"

namespace schedcheck {

/// What the end of update_curr looks at.
template <ValueDomain D>
struct SliceEnd {
  BoolOf<D> expired{};       ///< The deadline was reached; a new one is set.
  BoolOf<D> is_protected{};  ///< The slice protection still holds.
  BoolOf<D> eligible{};      ///< The running entity is eligible; read if not protected.
  IntOf<D> cfs_nr{};         ///< Entities of this level.
  IntOf<D> rq_nr{};          ///< Tasks of every class on the CPU.
};

/// Whether the CPU is asked to reschedule.
template <ValueDomain D>
BoolOf<D> slice_end_reschedules(const KernelSwitches& kernel, const SliceEnd<D>& end) {
  using Bool = BoolOf<D>;
  if (mutant<D>(Mutant::kSliceEndIgnored)) return false;
  const Bool preempted_short = Bool(kernel.preempt_short) && !end.is_protected && !end.eligible;
  switch (kernel.slice_end_check) {
    case SliceEndCheck::kCfsNrInUpdateDeadline:
      return end.expired && end.cfs_nr > 1;
    case SliceEndCheck::kRqNr:
      return !(end.rq_nr == 1) && (end.expired || preempted_short);
    case SliceEndCheck::kCfsNrExpiredOnly:
      return !(end.rq_nr == 1) && ((end.expired && end.cfs_nr > 1) || preempted_short);
    case SliceEndCheck::kCfsNr:
      return !(end.cfs_nr == 1) && (end.expired || preempted_short);
    case SliceEndCheck::kCfsNrOrUnprotected:
      break;
  }
  return !(end.cfs_nr == 1) && (end.expired || !end.is_protected);
}

/// clear_buddies: e is no longer anybody's next choice, nor are the groups above through it.
template <ValueDomain D>
void clear_buddies(const Model& model, Machine<D>& m, EntityRef e) {
  for (; e.entity != kNoTask; e = parent_entity(model, e)) {
    CfsRq<D>& cfs_rq = cfs_rq_of(m, e);
    if (cfs_rq.next != e.entity) return;
    cfs_rq.next = kNoTask;
  }
}

/// Sets a new deadline once the old one is reached; yields whether it was.
template <ValueDomain D>
BoolOf<D> update_deadline(const Model& model, Machine<D>& m, EntityRef e) {
  SchedEntity<D>& se = se_of(m, e);
  if (se.vruntime < se.deadline) return false;
  if (!se.custom_slice) se.slice = model.base_slice_ns;
  se.deadline = se.vruntime + calc_delta_fair<D>(se.slice, se);
  avg_vruntime<D>(model, m, e.cpu, e.group);
  return true;
}

/// For the properties about slice ends.
template <ValueDomain D>
void note_slice_end(Machine<D>& m, const SliceEnd<D>& end, const BoolOf<D>& resched) {
  SliceEndRecord<D>& note = m.event.slice_end;
  if (!end.expired && !resched) return;
  if (resched) note.requests = note.requests + 1;
  if (end.cfs_nr == 1) {
    note.alone = true;
    if (resched) note.alone_resched = true;
  } else {
    note.contended = true;
    if (!resched) note.contended_missed = true;
  }
}

/// Brings the running entity of a queue (if any) up to the CPU's clock.
template <ValueDomain D>
void update_curr(const Model& model, Machine<D>& m, int cpu, int group) {
  if (!model.eevdf) return;
  Rq<D>& rq = cpu_rq(m, cpu);
  CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, group);
  const int curr = D::which(cfs_rq.curr, kNoTask, last_entity(model));
  if (curr == kNoTask) return;
  const EntityRef e{cpu, curr, group};
  SchedEntity<D>& se = se_of(m, e);
  const IntOf<D> ran = rq.clock - se.exec_start;
  if (ran <= 0) return;
  se.exec_start = rq.clock;
  se.sum_exec_runtime = se.sum_exec_runtime + ran;
  if constexpr (!D::kSymbolic) {
    if (group == 0) {
      rq.ghost.fair_ran = rq.ghost.fair_ran + ran;
      dl_server_update<D>(m, cpu, ran);
    }
  }
  se.vruntime = se.vruntime + calc_delta_fair<D>(D::narrow(ran, 0, kMaxRun), se);
  SliceEnd<D> end;
  end.expired = update_deadline<D>(model, m, e);
  end.is_protected = protect_slice<D>(model, se);
  end.eligible = true;
  if (model.kernel.preempt_short && !end.is_protected && se.on_rq)
    end.eligible = entity_eligible<D>(model, m, e);
  end.cfs_nr = cfs_rq.nr_queued;
  end.rq_nr = rq.nr_running;
  const BoolOf<D> resched = slice_end_reschedules<D>(model.kernel, end);
  note_slice_end<D>(m, end, resched);
  if (resched) {
    rq.need_resched = true;
    clear_buddies<D>(model, m, e);
  }
}

}  // namespace schedcheck
