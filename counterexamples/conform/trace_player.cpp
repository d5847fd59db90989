// SPDX-License-Identifier: Apache-2.0
/// \file Operations of full-state traces.
#include "counterexamples/conform/trace_player.hpp"

#include <algorithm>

#include "counterexamples/conform/json_reader.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;

constexpr std::int64_t kMaxOpTime = std::int64_t{1} << 50;

int last_task(const JsonReader& file) {
  std::int64_t last = 1;
  for (const JsonReader& op : file.at("ops").elements())
    if (op.has("task")) last = std::max(last, op.integer("task", 1, kMaxTasks));
  return static_cast<int>(last);
}

}  // namespace

TracePlayer::TracePlayer(const JsonReader& file, Model model, int nr_cpus)
    : model_(std::move(model)) {
  model_.topology = build_sched_domains(parse_topology("smp:" + std::to_string(nr_cpus)));
  model_.ledger = false;
  model_.leaf_list = false;
  model_.max_tasks = last_task(file);
  const JsonReader parents = file.at("group_parents");
  for (std::size_t i = 0; i < parents.size(); ++i)
    model_.group_parent.push_back(
        static_cast<int>(parents.at(i).integer(0, static_cast<std::int64_t>(i))));
  m_ = empty_machine<D>(model_, 0);
  m_.now = file.integer("t0", 1, kMaxOpTime);
  for (Rq<D>& rq : m_.rq) {
    rq.clock = m_.now;
    rq.cfs.avg.last_update_time = m_.now;
  }
  for (int g = 1; g < model_.nr_groups(); ++g) create_group<D>(model_, m_, g, kNice0Load);
}

int TracePlayer::task(const JsonReader& op) const {
  return static_cast<int>(op.integer("task", 1, model_.max_tasks)) - 1;
}

void TracePlayer::fork(const JsonReader& op) {
  const int p = task(op);
  const int cpu = static_cast<int>(op.integer("cpu", 0, model_.topology.nr_cpus - 1));
  const auto nice = static_cast<std::size_t>(op.integer("nice", kMinNice, kMaxNice) - kMinNice);
  copy_process<D>(m_, p, op.integer("parent_cpu", 0, model_.topology.nr_cpus - 1),
                  kNiceWeights.at(nice) * 1024, kNiceInverses.at(nice), ~CpuMask{0});
  Task<D>& child = task_of(m_, p);
  child.group = op.integer("group", 0, model_.nr_groups() - 1);
  if (op.has("slice") && !op.at("slice").is_null()) {
    child.slice = op.integer("slice", 1, kMaxSlice);
    child.custom_slice = true;
  }
  update_rq_clock<D>(m_, cpu);
  post_init_entity_util_avg<D>(model_, m_, task_entity<D>(model_, m_, cpu, p));
  start_new_task<D>(model_, m_, cpu, p);
}

void TracePlayer::reschedule(const JsonReader& op, int cpu, bool imposed) {
  const int prev = static_cast<int>(cpu_rq(m_, cpu).curr);
  if (!imposed) return schedule_cpu<D>(model_, m_, cpu, prev);
  switch_to<D>(model_, m_, cpu, prev,
               static_cast<int>(op.integer("next", 0, model_.max_tasks)) - 1);
}

void TracePlayer::sleep(const JsonReader& op, int cpu, bool imposed) {
  const int p = static_cast<int>(cpu_rq(m_, cpu).curr);
  if (p == kNoTask) op.fail("nothing runs on CPU " + std::to_string(cpu) + " that could block");
  dequeue_task_fair<D>(model_, m_, cpu, p, {.sleep = true});
  task_of(m_, p).state = kBlocked;
  reschedule(op, cpu, imposed);
}

void TracePlayer::exit(const JsonReader& op, int cpu, bool imposed) {
  const int p = task(op);
  if (cpu_rq(m_, cpu).curr != p) op.fail("the task that exits does not run on this CPU");
  if (op.at("detach_attach").flag())
    sched_move_task<D>(model_, m_, cpu, p, static_cast<int>(task_of(m_, p).group));
  dequeue_task_fair<D>(model_, m_, cpu, p, {.sleep = true, .special = true});
  task_of(m_, p).state = kDead;
  reschedule(op, cpu, imposed);
  remove_entity_load_avg<D>(model_, m_, task_entity<D>(model_, m_, cpu, p), true);
}

void TracePlayer::wake(int p, int cpu) {
  wake_to_cpu<D>(model_, m_, p, static_cast<int>(task_of(m_, p).cpu), cpu);
}

void TracePlayer::play(const JsonReader& op, bool imposed) {
  m_.now = op.integer("now", static_cast<std::int64_t>(m_.now), kMaxOpTime);
  const std::string kind = op.at("op").text();
  const int cpu =
      op.has("cpu") ? static_cast<int>(op.integer("cpu", 0, model_.topology.nr_cpus - 1)) : 0;
  if (kind == "fork") return fork(op);
  if (kind == "wake") return wake(task(op), cpu);
  if (kind == "migrate_queued") {
    const int p = task(op);
    const int from = static_cast<int>(task_of(m_, p).cpu);
    if (from == cpu || !task_of(m_, p).on_rq) op.fail("the task is not queued on another CPU");
    return move_queued_task<D>(model_, m_, p, from, cpu);
  }
  if (kind == "move_group") {
    const int p = task(op);
    return sched_move_task<D>(model_, m_, static_cast<int>(task_of(m_, p).cpu), p,
                              static_cast<int>(op.integer("group", 0, model_.nr_groups() - 1)));
  }
  update_rq_clock<D>(m_, cpu);
  if (kind == "update_blocked") return update_blocked_averages<D>(model_, m_, cpu);
  if (kind == "tick") {
    const int curr = static_cast<int>(cpu_rq(m_, cpu).curr);
    if (curr != kNoTask) task_tick_fair<D>(model_, m_, cpu, curr);
    return;
  }
  if (kind == "schedule") return reschedule(op, cpu, imposed);
  if (kind == "block") return sleep(op, cpu, imposed);
  if (kind == "exit") return exit(op, cpu, imposed);
  op.fail("unknown operation '" + kind + "'");
}

}  // namespace schedcheck
