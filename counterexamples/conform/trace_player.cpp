// SPDX-License-Identifier: Apache-2.0
/// \file Operations of full-state traces.
#include "counterexamples/conform/trace_player.hpp"

#include <algorithm>

#include "counterexamples/conform/json_reader.hpp"

namespace schedcheck {
namespace {

constexpr std::int64_t kMaxOpTime = std::int64_t{1} << 50;

int last_task(const JsonReader& file) {
  std::int64_t last = 1;
  for (const JsonReader& op : file.at("ops").elements())
    if (op.has("task")) last = std::max(last, op.integer("task", 1, kMaxTasks));
  return static_cast<int>(last);
}

Model with_tasks_and_groups(Model model, const JsonReader& file) {
  model.max_tasks = last_task(file);
  const JsonReader parents = file.at("group_parents");
  for (std::size_t i = 0; i < parents.size(); ++i)
    model.group_parent.push_back(
        static_cast<int>(parents.at(i).integer(0, static_cast<std::int64_t>(i))));
  return model;
}

}  // namespace

TracePlayer::TracePlayer(const JsonReader& file, const Model& model, int nr_cpus)
    : player_(with_tasks_and_groups(model, file), nr_cpus, file.integer("t0", 1, kMaxOpTime)) {}

int TracePlayer::task(const JsonReader& op) const {
  return static_cast<int>(op.integer("task", 1, model().max_tasks)) - 1;
}

int TracePlayer::cpu(const JsonReader& op, const char* key) const {
  return static_cast<int>(op.integer(key, 0, model().topology.nr_cpus - 1));
}

int TracePlayer::group(const JsonReader& op) const {
  return static_cast<int>(op.integer("group", 0, model().nr_groups() - 1));
}

void TracePlayer::fork(const JsonReader& op) {
  OperationPlayer::NewTask child;
  child.parent_cpu = cpu(op, "parent_cpu");
  child.group = group(op);
  child.nice = static_cast<int>(op.integer("nice", kMinNice, kMaxNice));
  if (op.has("slice") && !op.at("slice").is_null()) child.slice = op.integer("slice", 1, kMaxSlice);
  player_.fork(task(op), cpu(op, "cpu"), child);
}

void TracePlayer::exit(const JsonReader& op, int cpu, std::optional<int> next) {
  const int p = task(op);
  if (player_.curr(cpu) != p) op.fail("the task that exits does not run on this CPU");
  if (op.at("detach_attach").flag())
    player_.move_group(p, static_cast<int>(task_of(machine(), p).group));
  player_.exit(cpu, next);
}

void TracePlayer::play(const JsonReader& op, bool imposed) {
  player_.at(op.integer("now", static_cast<std::int64_t>(machine().now), kMaxOpTime));
  const std::string kind = op.at("op").text();
  if (kind == "fork") return fork(op);
  if (kind == "move_group") return player_.move_group(task(op), group(op));
  const int cpu = op.has("cpu") ? this->cpu(op, "cpu") : 0;
  if (kind == "wake") return player_.wake(task(op), cpu);
  if (kind == "migrate_queued") {
    const Task<NativeDomain>& moved = task_of(machine(), task(op));
    if (moved.cpu == cpu || !moved.on_rq) op.fail("the task is not queued on another CPU");
    return player_.migrate_queued(task(op), cpu);
  }
  if (kind == "update_blocked") return player_.update_blocked(cpu);
  if (kind == "tick") return player_.tick(cpu);
  std::optional<int> next;
  if (imposed) next = static_cast<int>(op.integer("next", 0, model().max_tasks)) - 1;
  if (kind == "schedule") return player_.schedule(cpu, next);
  if (kind == "exit") return exit(op, cpu, next);
  if (kind != "block") op.fail("unknown operation '" + kind + "'");
  if (player_.curr(cpu) == kNoTask)
    op.fail("nothing runs on CPU " + std::to_string(cpu) + " that could block");
  player_.block(cpu, next);
}

}  // namespace schedcheck
