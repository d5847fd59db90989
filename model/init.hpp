// SPDX-License-Identifier: Apache-2.0
/// \file The state that a schedule starts from: init of the transition system.
#pragma once

#include "model/fair/nice_weight.hpp"
#include "model/fair/wake.hpp"
#include "model/groups/task_group.hpp"
#include "model/pelt/post_init_entity_util_avg.hpp"
#include "model/rt/set_scheduler.hpp"

namespace schedcheck {

/// A task that exists from the start. Averages are given as util_avg, or derived as for a fork on
/// an empty CPU (512) when negative.
struct InitialTask {
  int cpu = 0;
  std::int64_t weight = kNice0Weight;
  CpuMask cpus = ~CpuMask{0};
  std::int64_t policy = 0;  ///< rt/set_scheduler.hpp; 0: fair.
  int group = 0;            ///< Its cgroup.
  std::int64_t util_avg = -1;
  bool blocked = false;

  friend bool operator==(const InitialTask&, const InitialTask&) = default;
};

/// A machine with every clock at kBootTime at the start of a window and nothing on it.
template <ValueDomain D>
Machine<D> empty_machine(const Model& model, int judgements) {
  Machine<D> m{};
  m.now = kBootTime;
  m.rq.resize(static_cast<std::size_t>(model.topology.nr_cpus));
  m.task.resize(static_cast<std::size_t>(model.max_tasks));
  m.judged.resize(static_cast<std::size_t>(judgements));
  for (Rq<D>& rq : m.rq) {
    rq.clock = kBootTime;
    rq.idle_stamp = 1;
    rq.curr = kNoTask;
    rq.cfs.curr = kNoTask;
    rq.ghost.fair_since = kBootTime;
    rq.cfs.avg.last_update_time = kBootTime;
  }
  m.group.resize(static_cast<std::size_t>(model.nr_groups()) - 1);
  for (TaskGroup<D>& tg : m.group) {
    tg.cpu.resize(m.rq.size());
    for (GroupCpu<D>& here : tg.cpu) here.cfs_rq.curr = kNoTask;
  }
  const std::size_t groups = m.group.size();
  m.ledger.accounts.assign(m.rq.size() * (groups + 1),
                           std::vector<Account<D>>(model.ledger ? m.task.size() + groups : 0));
  m.event.residue_cpu = -1;
  return m;
}

/// Gives p its number and a fresh, unattached state in `group`. `weight` is scaled by 1024.
template <ValueDomain D>
void copy_process(Machine<D>& m, int p, const IntOf<D>& cpu, const IntOf<D>& weight,
                  const IntOf<D>& inv_weight, const typename D::Mask& cpus) {
  Task<D>& task = task_of(m, p);
  task = Task<D>{};
  task.state = kBlocked;
  task.cpu = cpu;
  task.load_weight = weight;
  task.inv_weight = inv_weight;
  task.cpus_ptr = cpus;
  task.avg.load_avg = scale_load_down<D>(weight);
  m.nr_tasks = m.nr_tasks + 1;
}

/// wake_up_new_task, after the CPU was chosen.
template <ValueDomain D>
void start_new_task(const Model& model, Machine<D>& m, int cpu, int p) {
  task_of(m, p).state = kRunnable;
  activate_task<D>(model, m, cpu, p, {.initial = true});
}

/// p goes to sleep, or dies (`special`): __schedule of a task that does not run on. Requires that p
/// is current and the clock up to date.
template <ValueDomain D>
void deschedule(const Model& model, Machine<D>& m, int cpu, int p, bool dies) {
  dequeue_task<D>(model, m, cpu, p, {.sleep = true, .special = dies});
  task_of(m, p).state = dies ? kDead : kBlocked;
  schedule_cpu<D>(model, m, cpu, p);
}

/// Adds an initial task as if it had been forked onto its CPU (then put to sleep if `blocked`).
/// `util_avg` replaces init.util_avg so that the symbolic reading can leave it free.
template <ValueDomain D>
void add_initial_task(const Model& model, Machine<D>& m, const InitialTask& init,
                      const IntOf<D>* util_avg = nullptr) {
  const int p = static_cast<int>(D::which(m.nr_tasks, 0, model.max_tasks - 1));
  copy_process<D>(m, p, init.cpu, init.weight * 1024, inverse_of_weight(init.weight),
                  typename D::Mask(init.cpus & model.topology.all));
  if (model.nr_groups() > 1) {
    task_of(m, p).cgroup = init.group;
    task_of(m, p).group = init.group;
  }
  if (util_avg == nullptr && init.util_avg < 0) {
    post_init_entity_util_avg<D>(model, m, task_entity<D>(model, m, init.cpu, p));
  } else {
    const IntOf<D> average = util_avg != nullptr ? *util_avg : IntOf<D>(init.util_avg);
    task_of(m, p).avg.util_avg = average;
    task_of(m, p).avg.runnable_avg = average;
  }
  if (init.policy != 0) set_policy_fields<D>(task_of(m, p), init.policy);
  start_new_task<D>(model, m, init.cpu, p);
  serve_resched<D>(model, m, init.cpu);
  // What ran before the start is what the start averages say.
  cpu_rq(m, init.cpu).ghost.busy_sum = IntOf<D>(cpu_rq(m, init.cpu).cfs.avg.util_sum);
  if (!init.blocked) return;
  if (cpu_rq(m, init.cpu).curr == p) return deschedule<D>(model, m, init.cpu, p, false);
  dequeue_task<D>(model, m, init.cpu, p, {.sleep = true, .special = true});
  task_of(m, p).state = kBlocked;
}

}  // namespace schedcheck
