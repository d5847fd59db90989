// SPDX-License-Identifier: Apache-2.0
/// \file Operations of vectors.
#include "counterexamples/conform/operation_player.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;

}  // namespace

OperationPlayer::OperationPlayer(Model model, int nr_cpus, std::int64_t t0)
    : model_(std::move(model)) {
  model_.topology = build_sched_domains(parse_topology("smp:" + std::to_string(nr_cpus)));
  model_.ledger = false;
  model_.leaf_list = false;
  m_ = empty_machine<D>(model_, 0);
  m_.now = t0;
  for (Rq<D>& rq : m_.rq) {
    rq.clock = t0;
    rq.cfs.avg.last_update_time = t0;
  }
  for (int g = 1; g < model_.nr_groups(); ++g) create_group<D>(model_, m_, g, kNice0Load);
}

void OperationPlayer::fork(int p, int cpu, const NewTask& task) {
  const auto nice = static_cast<std::size_t>(task.nice - kMinNice);
  copy_process<D>(m_, p, task.parent_cpu, kNiceWeights.at(nice) * 1024, kNiceInverses.at(nice),
                  ~CpuMask{0});
  Task<D>& child = task_of(m_, p);
  child.group = task.group;
  child.cgroup = task.group;
  if (task.slice != 0) {
    child.slice = task.slice;
    child.custom_slice = true;
  }
  update_rq_clock<D>(m_, cpu);
  post_init_entity_util_avg<D>(model_, m_, task_entity<D>(model_, m_, cpu, p));
  start_new_task<D>(model_, m_, cpu, p);
}

void OperationPlayer::tick(int cpu) {
  update_rq_clock<D>(m_, cpu);
  if (curr(cpu) != kNoTask) task_tick_fair<D>(model_, m_, cpu, curr(cpu));
}

void OperationPlayer::schedule(int cpu, std::optional<int> next) {
  update_rq_clock<D>(m_, cpu);
  if (next) return switch_to<D>(model_, m_, cpu, curr(cpu), *next);
  schedule_cpu<D>(model_, m_, cpu, curr(cpu));
}

void OperationPlayer::deschedule(int cpu, bool dies, std::optional<int> next) {
  const int p = curr(cpu);
  update_rq_clock<D>(m_, cpu);
  dequeue_task_fair<D>(model_, m_, cpu, p, {.sleep = true, .special = dies});
  task_of(m_, p).state = dies ? kDead : kBlocked;
  schedule(cpu, next);
}

void OperationPlayer::block(int cpu, std::optional<int> next) { deschedule(cpu, false, next); }

void OperationPlayer::move_at_exit(int cpu) { exit_step<D>(model_, m_, cpu, curr(cpu)); }

void OperationPlayer::exit(int cpu, std::optional<int> next) {
  const int p = curr(cpu);
  deschedule(cpu, true, next);
  remove_entity_load_avg<D>(model_, m_, task_entity<D>(model_, m_, cpu, p), true);
}

void OperationPlayer::wake(int p, int cpu) {
  if (task_of(m_, p).state != kRunnable)
    return wake_to_cpu<D>(model_, m_, p, static_cast<int>(task_of(m_, p).cpu), cpu);
  // Of the wakeup of a task that waits already, only the check for preemption is left.
  update_rq_clock<D>(m_, cpu);
  wakeup_preempt<D>(model_, m_, cpu, p);
}

void OperationPlayer::migrate_queued(int p, int cpu) {
  move_queued_task<D>(model_, m_, p, static_cast<int>(task_of(m_, p).cpu), cpu);
}

void OperationPlayer::move_group(int p, int group) {
  sched_move_task<D>(model_, m_, static_cast<int>(task_of(m_, p).cpu), p, group);
}

void OperationPlayer::update_blocked(int cpu) {
  update_rq_clock<D>(m_, cpu);
  update_blocked_averages<D>(model_, m_, cpu);
}

}  // namespace schedcheck
