// SPDX-License-Identifier: Apache-2.0
/// \file The scheduler step inside do_exit: sched_autogroup_exit_task -> sched_move_task,
/// kernel/sched/autogroup.c and core.c, by version (switch exit_move).
#pragma once

#include "model/groups/sched_move_task.hpp"

namespace schedcheck {

/// The position in do_exit where PF_EXITING is set and the task p, current, may be moved. From
/// there on it belongs to its cgroup's group: in a session's group, or in none, that changes its
/// group or not.
template <ValueDomain D>
void exit_step(const Model& model, Machine<D>& m, int cpu, int p) {
  Task<D>& task = task_of(m, p);
  task.ghost.exiting = true;
  const IntOf<D> since = D::sub_or_zero(m.now, task.avg.last_update_time);
  task.ghost.before_exit_units = task.ghost.unsynced_units + D::shr(since, 10);
  if (model.kernel.exit_move == ExitMove::kNone) return;
  move_to_its_group<D>(model, m, cpu, p);
}

}  // namespace schedcheck
