// SPDX-License-Identifier: Apache-2.0
/// \file What the environment does to groups: cpu_cgroup_attach and setsid (kernel/sched/core.c,
/// autogroup.c), sched_group_set_shares (kernel/sched/fair.c).
#pragma once

#include "model/groups/sched_move_task.hpp"

namespace schedcheck {

/// p, alive, joins cgroup `group`, which it is not in yet.
template <ValueDomain D>
void cpu_cgroup_attach(const Model& model, Machine<D>& m, int cpu, int p, int group) {
  task_of(m, p).cgroup = group;
  move_to_its_group<D>(model, m, cpu, p);
}

/// `shares`: times 1024, within the bounds that the kernel clamps to.
template <ValueDomain D>
void sched_group_set_shares(const Model& model, Machine<D>& m, int group, const IntOf<D>& shares) {
  TaskGroup<D>& tg = m.group[static_cast<std::size_t>(group) - 1];
  if (tg.shares == shares) return;
  tg.shares = shares;
  for (int cpu = 0; cpu < static_cast<int>(m.rq.size()); ++cpu) {
    update_rq_clock(m, cpu);
    for_each_sched_entity(model, group_entity(model, cpu, group), [&](EntityRef e) {
      update_load_avg<D>(model, m, e, LoadUpdate::kUpdateTg);
      update_cfs_group<D>(model, m, e);
    });
  }
}

/// sched_autogroup_create_attach: p, which runs on `cpu`, leads a new session. Its autogroup exists
/// whatever the sysctl says; a kernel built without autogroup (exit_move=none) has none.
template <ValueDomain D>
void setsid(const Model& model, Machine<D>& m, int cpu, int p) {
  const int session = D::which(m.nr_sessions, 0, model.max_sessions - 1);
  m.nr_sessions = m.nr_sessions + 1;
  if (model.kernel.exit_move == ExitMove::kNone) return;
  const int group = model.nr_cgroups() + session;
  create_group<D>(model, m, group, IntOf<D>(kNice0Load));
  task_of(m, p).autogroup = group;
  move_to_its_group<D>(model, m, cpu, p);
}

}  // namespace schedcheck
