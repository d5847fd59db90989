// SPDX-License-Identifier: Apache-2.0
/// \file The state of the modelled machine. Field names are the kernel's.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "model/ghost.hpp"
#include "model/kernel_switches.hpp"
#include "model/pelt/sched_avg.hpp"
#include "model/topology/sched_domains.hpp"

namespace schedcheck {

inline constexpr int kMaxTasks = 8192;
inline constexpr int kNoTask = -1;
inline constexpr std::int64_t kBootTime = std::int64_t{1} << 30;  ///< ns, every clock at boot.
inline constexpr std::int64_t kMaxWeight = 88761;                 ///< nice -20.

/// Task states. A number not yet given to a task is kUnborn.
enum TaskState : std::int64_t { kUnborn = 0, kRunnable = 1, kBlocked = 2, kDead = 3 };

/// `task_struct` with its `sched_entity`.
template <ValueDomain D>
struct Task {
  FieldOf<D, 0, 3> state{};
  FieldOf<D, 0, kMaxCpus - 1> cpu{};
  FieldOf<D, 0, kMaxWeight> load_weight{};  ///< Unscaled: nice 0 is 1024 (kernel: times 1024).
  BoolOf<D> on_rq{};
  typename D::Mask cpus_ptr{};  ///< Affinity.
  SchedAvg<D> avg{};
  TaskGhost<D> ghost{};

  auto fields() { return std::tie(state, cpu, load_weight, on_rq, cpus_ptr, avg, ghost); }
};

/// Averages of dead or departed entities that the next queue update subtracts (`cfs_rq->removed`).
template <ValueDomain D>
struct Removed {
  DataOf<D, 0, kMaxTasks> nr{};
  DataOf<D, 0, kU32Max> util_avg{}, load_avg{}, runnable_avg{};
  DataOf<D, 0, kTimeMax> util_sum{};  ///< Only under death_removes=exact.

  auto fields() { return std::tie(nr, util_avg, load_avg, runnable_avg, util_sum); }
};

/// The root `cfs_rq` of a CPU.
template <ValueDomain D>
struct CfsRq {
  FieldOf<D, 0, kU32Max> load_weight{};  ///< Unscaled sum over queued entities.
  FieldOf<D, 0, kMaxTasks> h_nr_queued{};
  FieldOf<D, 0, kMaxTasks> h_nr_idle{};  ///< Queued SCHED_IDLE tasks; only vectors set it so far.
  FieldOf<D, kNoTask, kMaxTasks> curr{};
  FieldOf<D, 0, kU32Max> util_est{};  ///< Only vectors set it so far (limit L4).
  SchedAvg<D> avg{};
  Removed<D> removed{};

  auto fields() {
    return std::tie(load_weight, h_nr_queued, h_nr_idle, curr, util_est, avg, removed);
  }
};

template <ValueDomain D>
struct Rq {
  FieldOf<D, 0, kTimeMax> clock{};        ///< ns; advances only when the queue is touched.
  FieldOf<D, 0, kTimeMax> idle_stamp{};   ///< ns; when the CPU last went idle.
  FieldOf<D, kNoTask, kMaxTasks> curr{};  ///< kNoTask: the idle task.
  FieldOf<D, 0, kMaxTasks> nr_running{};
  BoolOf<D> ttwu_pending{};  ///< Only vectors set it so far (L-ATOMIC).
  CfsRq<D> cfs{};
  RqGhost<D> ghost{};

  auto fields() { return std::tie(clock, idle_stamp, curr, nr_running, ttwu_pending, cfs, ghost); }
};

/// Everything that an event may change.
template <ValueDomain D>
struct Machine {
  FieldOf<D, 0, kTimeMax> now{};        ///< ns, the one global time that `run` advances.
  FieldOf<D, 0, kMaxTasks> nr_tasks{};  ///< Numbers given out so far.
  std::vector<Rq<D>> rq;
  std::vector<Task<D>> task;
  Ledger<D> ledger;
  EventGhost<D> event{};
  std::vector<Judgement<D>> judged;  ///< One slot per property of the observer.

  auto fields() { return std::tie(now, nr_tasks, rq, task, ledger, event, judged); }
};

template <ValueDomain D>
Rq<D>& cpu_rq(Machine<D>& m, int cpu) {
  return m.rq[static_cast<std::size_t>(cpu)];
}
template <ValueDomain D>
const Rq<D>& cpu_rq(const Machine<D>& m, int cpu) {
  return m.rq[static_cast<std::size_t>(cpu)];
}
template <ValueDomain D>
Task<D>& task_of(Machine<D>& m, int p) {
  return m.task[static_cast<std::size_t>(p)];
}
template <ValueDomain D>
const Task<D>& task_of(const Machine<D>& m, int p) {
  return m.task[static_cast<std::size_t>(p)];
}
/// The accounts of all tasks on `cpu`'s queue; empty when the ledger is off.
template <ValueDomain D>
std::vector<Account<D>>& accounts_of(Machine<D>& m, int cpu) {
  return m.ledger.accounts[static_cast<std::size_t>(cpu)];
}

/// What stays fixed during a schedule.
struct Model {
  Topology topology;
  KernelSwitches kernel;
  std::int64_t tick_ns = 4'000'000;  ///< 0: no ticks.
  int max_tasks = 8;
  bool ledger = true;  ///< Keep the utilisation ledger (off in benchmarks).
  /// Within the ledger: keep balances, not only what deaths leave behind. Off in queries about the
  /// latter: ageing every account is most of a step's formula.
  bool balances = true;
};

}  // namespace schedcheck
