// SPDX-License-Identifier: Apache-2.0
/// \file The tick on a busy CPU: task_tick_fair and entity_tick, kernel/sched/fair.c.
#pragma once

#include "model/fair/schedule_cpu.hpp"

namespace schedcheck {

/// entity_tick on every level of the running task p. The clock must be up to date.
template <ValueDomain D>
void task_tick_fair(const Model& model, Machine<D>& m, int cpu, int p) {
  for_each_sched_entity(model, task_entity<D>(model, m, cpu, p), [&](EntityRef e) {
    update_curr<D>(model, m, e.cpu, e.group);
    update_load_avg<D>(model, m, e, LoadUpdate::kUpdateTg);
    update_cfs_group<D>(model, m, e);
  });
}

/// The tick, then the switch it may ask for unless `keep_current` (limit L1: always asked for).
template <ValueDomain D>
void task_tick(const Model& model, Machine<D>& m, int cpu, bool keep_current) {
  D::join(
      [&] {
        const int curr =
            D::which(cpu_rq(m, cpu).curr, kNoTask, static_cast<int>(m.task.size()) - 1);
        if (curr == kNoTask) return;
        update_rq_clock(m, cpu);
        if (is_rt(m, curr)) {
          task_tick_rt<D>(model, m, cpu, curr);
        } else {
          task_tick_fair<D>(model, m, cpu, curr);
        }
        if (keep_current) return;
        if (model.eevdf) return serve_resched<D>(model, m, cpu);
        if (cpu_rq(m, cpu).cfs.h_nr_queued > 1) schedule_cpu<D>(model, m, cpu, curr);
      },
      cpu_rq(m, cpu), m.task, m.group, m.ledger, m.event);
}

}  // namespace schedcheck
