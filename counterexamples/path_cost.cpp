// SPDX-License-Identifier: Apache-2.0
/// \file Runs the model over the counting domain.
#include "counterexamples/path_cost.hpp"

#include "counterexamples/replay.hpp"

namespace schedcheck {
namespace {

using C = CountingDomain;

Machine<C> start(const Model& model, const Schedule& schedule) {
  Machine<C> m = empty_machine<C>(model, 0);
  for (const InitialTask& task : schedule.tasks) add_initial_task<C>(model, m, task);
  for (const Event& event : schedule.preamble) step<C>(model, m, event);
  return m;
}

WorkCounts counted_step(const Model& model, Machine<C>& m, const Event& event, bool& happened) {
  C::counts = {};
  happened = step<C>(model, m, event);
  return C::counts;
}

/// Before any difference: the tasks are where they are on the other kernel.
bool same_places(const Machine<C>& a, const Machine<C>& b) {
  if (a.nr_tasks != b.nr_tasks) return false;
  for (int p = 0; p < a.nr_tasks; ++p)
    if (task_of(a, p).cpu != task_of(b, p).cpu) return false;
  return true;
}

}  // namespace

CostCounter::CostCounter(const Schedule& base, const std::string& a, const std::string& b) {
  for (std::size_t side = 0; side < 2; ++side) {
    Schedule s = base;
    s.kernel = side == 0 ? a : b;
    models_[side] = make_model(s);
    models_[side].tick_ns = 0;
    models_[side].ledger = false;
  }
}

void CostCounter::add(const Schedule& schedule) {
  for (Model& model : models_) model.max_tasks = schedule.max_tasks;
  Machine<C> a = start(models_[0], schedule);
  Machine<C> b = start(models_[1], schedule);
  for (const Event& event : schedule.events) {
    bool on_a = false;
    bool on_b = false;
    const WorkCounts cost_a = counted_step(models_[0], a, event, on_a);
    const WorkCounts cost_b = counted_step(models_[1], b, event, on_b);
    if (!on_a || !on_b || !same_places(a, b)) return;
    KindCost& kind = total_[static_cast<std::size_t>(event.kind)];
    ++kind.events;
    for (std::size_t i = 0; i < kWorkKinds; ++i) {
      kind.a[i] += cost_a[i];
      kind.b[i] += cost_b[i];
    }
  }
}

Accounting spawn_loop_accounting(const Schedule& base, const std::string& kernel, int loops) {
  Schedule s = base;
  s.round_robin = true;  // The loops say who runs.
  s.kernel = kernel;
  s.topology = "smp:1";
  s.tick_ns = 0;
  s.max_tasks = loops + 1;
  s.tasks = {InitialTask{}};
  s.preamble.clear();
  s.finding.reset();
  s.events.clear();
  for (int child = 1; child <= loops; ++child) {
    s.events.push_back({.kind = EventKind::kFork, .task = 0, .after_ns = 50 * kNsPerUnit});
    s.events.push_back({.kind = EventKind::kBlock, .task = 0, .after_ns = 10 * kNsPerUnit});
    s.events.push_back({.kind = EventKind::kExit,
                        .task = child,
                        .wakes = 0,
                        .duration_ns = 20 * kNsPerUnit,
                        .after_ns = 100 * kNsPerUnit});
  }
  // Applies the last child's removal, so that nothing is counted that is about to go.
  s.events.push_back({.kind = EventKind::kUpdateBlocked, .cpu = 0});
  const Replay run = replay(s, 0);
  const CpuSnapshot& at = run.steps.back().cpus.front();
  Accounting result;
  result.busy = at.busy_sum / at.divider;
  result.util = at.util_sum / at.divider;
  result.dead = at.dead_sum / at.divider;
  result.forgotten = result.busy > result.util ? result.busy - result.util : 0;
  return result;
}

}  // namespace schedcheck
