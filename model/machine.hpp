// SPDX-License-Identifier: Apache-2.0
/// \file The state of the modelled machine. Field names are the kernel's.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "model/fair/sched_entity.hpp"
#include "model/ghost.hpp"
#include "model/kernel_switches.hpp"
#include "model/pelt/sched_avg.hpp"
#include "model/topology/sched_domains.hpp"

namespace schedcheck {

inline constexpr std::int64_t kBootTime = std::int64_t{1} << 30;  ///< ns, every clock at boot.
inline constexpr std::int64_t kMaxWeight = 88761;                 ///< nice -20.

/// Task states. A number not yet given to a task is kUnborn.
enum TaskState : std::int64_t { kUnborn = 0, kRunnable = 1, kBlocked = 2, kDead = 3 };

/// `task_struct` with its `sched_entity`.
template <ValueDomain D>
struct Task : SchedEntity<D> {
  FieldOf<D, 0, 3> state{};  ///< A sleeper may still be queued: sched_delayed.
  FieldOf<D, 0, kMaxCpus - 1> cpu{};
  FieldOf<D, 0, kMaxTaskGroups> group{};      ///< sched_task_group: the queue it is on.
  FieldOf<D, 0, kMaxTaskGroups> cgroup{};     ///< cpu cgroup.
  FieldOf<D, 0, kMaxTaskGroups> autogroup{};  ///< Of its session; 0: none.
  typename D::Mask cpus_ptr{};                ///< Affinity.
  UtilEst<D> util_est{};
  FieldOf<D, 0, 99> rt_priority{};  ///< 0: fair; else SCHED_FIFO or SCHED_RR, higher first.
  BoolOf<D> rt_round_robin{}, rt_queued{};
  FieldOf<D, -kTimeMax, kTimeMax> rt_place{};  ///< Lower is first among equal priorities.
  FieldOf<D, -kTimeMax, kTimeMax> rr_left{};   ///< ns of its turn, SCHED_RR.
  TaskGhost<D> ghost{};

  auto fields() {
    return std::tuple_cat(
        SchedEntity<D>::fields(),
        std::tie(state, cpu, group, cgroup, autogroup, cpus_ptr, util_est, rt_priority,
                 rt_round_robin, rt_queued, rt_place, rr_left, ghost));
  }
};

/// Averages of dead or departed entities that the next queue update subtracts (`cfs_rq->removed`).
template <ValueDomain D>
struct Removed {
  DataOf<D, 0, kMaxTasks> nr{};
  DataOf<D, 0, kU32Max> util_avg{}, load_avg{}, runnable_avg{};
  DataOf<D, 0, kTimeMax> util_sum{};  ///< Only under death_removes=exact.

  auto fields() { return std::tie(nr, util_avg, load_avg, runnable_avg, util_sum); }
};

/// The queue of a group on a CPU; the root's is inside the Rq.
template <ValueDomain D>
struct CfsRq {
  FieldOf<D, 0, kQueueWeightMax> load_weight{};  ///< Sum over queued entities, as stored there.
  FieldOf<D, 0, kMaxTasks> nr_queued{};          ///< Entities of this level, delayed ones too.
  FieldOf<D, 0, kMaxTasks> h_nr_queued{};        ///< Tasks below, delayed ones too.
  FieldOf<D, 0, kMaxTasks> h_nr_runnable{};      ///< Tasks below that do not sleep.
  FieldOf<D, 0, kMaxTasks> h_nr_idle{};  ///< Queued SCHED_IDLE tasks; only vectors set it so far.
  FieldOf<D, kNoTask, kMaxEntity> curr{};
  FieldOf<D, kNoTask, kMaxEntity> next{kNoTask};  ///< Buddy that the next pick prefers.
  FieldOf<D, 0, kU32Max> util_est{};              ///< Root only: sum over queued tasks.
  VirtualTime<D> time{};
  SchedAvg<D> avg{};
  Removed<D> removed{};
  Propagation<D> up{};

  auto fields() {
    return std::tie(load_weight, nr_queued, h_nr_queued, h_nr_runnable, h_nr_idle, curr, next,
                    util_est, time, avg, removed, up);
  }
};

/// The deadline server of a CPU's fair tasks, `rq->fair_server`.
template <ValueDomain D>
struct DlServer {
  BoolOf<D> active{};            ///< Started; `dl_server_active`.
  BoolOf<D> queued{};            ///< Fair tasks go before RT tasks.
  BoolOf<D> deferred_running{};  ///< It ran in this period: the next starts without waiting.
  BoolOf<D> at_deadline{};       ///< `timer` is the next period, else the zero-laxity point.
  FieldOf<D, -kTimeMax, kTimeMax> runtime{};  ///< ns left.
  FieldOf<D, 0, kTimeMax> deadline{};         ///< ns
  FieldOf<D, 0, kTimeMax> timer{};            ///< ns; 0: not armed.

  auto fields() {
    return std::tie(active, queued, deferred_running, at_deadline, runtime, deadline, timer);
  }
};

template <ValueDomain D>
struct Rq {
  FieldOf<D, 0, kTimeMax> clock{};         ///< ns; advances only when the queue is touched.
  FieldOf<D, 0, kTimeMax> idle_stamp{};    ///< ns; when the CPU last went idle.
  FieldOf<D, kNoTask, kMaxEntity> curr{};  ///< A task; kNoTask: the idle task.
  FieldOf<D, 0, kMaxTasks> nr_running{};   ///< Of every class, delayed tasks too.
  BoolOf<D> need_resched{};
  BoolOf<D> ttwu_pending{};                  ///< Only vectors set it so far (L-ATOMIC).
  FieldOf<D, 0, kMaxTasks> rt_nr_running{};  ///< Throttled ones too.
  FieldOf<D, 0, kTimeMax> rt_places{};       ///< Numbers for Task::rt_place given out so far.
  BoolOf<D> rt_throttled{};
  FieldOf<D, 0, kTimeMax> rt_time{};   ///< ns of RT tasks in this period.
  FieldOf<D, 0, kTimeMax> rt_timer{};  ///< ns, end of the period; 0: not armed.
  DlServer<D> server{};
  CfsRq<D> cfs{};
  RqGhost<D> ghost{};

  auto fields() {
    return std::tie(clock, idle_stamp, curr, nr_running, need_resched, ttwu_pending, rt_nr_running,
                    rt_places, rt_throttled, rt_time, rt_timer, server, cfs, ghost);
  }
};

/// What a group has on one CPU.
template <ValueDomain D>
struct GroupCpu {
  BoolOf<D> online{};   ///< The group was made.
  BoolOf<D> on_list{};  ///< `my_q` is among the leaf queues, which blocked updates visit.
  SchedEntity<D> se{};  ///< Stands for the group on the parent's queue.
  CfsRq<D> cfs_rq{};    ///< `my_q`
  RqGhost<D> ghost{};

  auto fields() { return std::tie(online, on_list, se, cfs_rq, ghost); }
};

/// `task_group`, without the root.
template <ValueDomain D>
struct TaskGroup {
  FieldOf<D, 0, kMaxScaledWeight> shares{};  ///< Times 1024: 2^20 by default.
  DataOf<D, 0, kLoadSumMax> load_avg{};      ///< Sum of what the CPUs last contributed.
  std::vector<GroupCpu<D>> cpu;

  auto fields() { return std::tie(shares, load_avg, cpu); }
};

/// Everything that an event may change.
template <ValueDomain D>
struct Machine {
  FieldOf<D, 0, kTimeMax> now{};                ///< ns, the one global time that `run` advances.
  FieldOf<D, 0, kMaxTasks> nr_tasks{};          ///< Numbers given out so far.
  FieldOf<D, 0, kMaxTaskGroups> nr_sessions{};  ///< Autogroups made so far.
  std::vector<Rq<D>> rq;
  std::vector<Task<D>> task;
  std::vector<TaskGroup<D>> group;  ///< Group g is at g - 1.
  Ledger<D> ledger;
  EventGhost<D> event{};
  std::vector<Judgement<D>> judged;  ///< One slot per property of the observer.

  auto fields() {
    return std::tie(now, nr_tasks, nr_sessions, rq, task, group, ledger, event, judged);
  }
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
/// An entity, or nothing (entity == kNoTask), and the queue it belongs to.
struct EntityRef {
  int cpu, entity, group;

  [[nodiscard]] bool is_task() const { return entity < kGroupEntity; }
};

template <class M>
auto& group_on(M& m, int group, int cpu) {
  return m.group[static_cast<std::size_t>(group) - 1].cpu[static_cast<std::size_t>(cpu)];
}
template <class M>
auto& cfs_rq_of(M& m, int cpu, int group) {
  return group == 0 ? cpu_rq(m, cpu).cfs : group_on(m, group, cpu).cfs_rq;
}
template <class M>
auto& cfs_rq_of(M& m, EntityRef e) {
  return cfs_rq_of(m, e.cpu, e.group);
}
template <ValueDomain D>
SchedEntity<D>& se_of(Machine<D>& m, EntityRef e) {
  if (e.is_task()) return task_of(m, e.entity);
  return group_on(m, e.entity - kGroupEntity, e.cpu).se;
}
template <ValueDomain D>
const SchedEntity<D>& se_of(const Machine<D>& m, EntityRef e) {
  if (e.is_task()) return task_of(m, e.entity);
  return group_on(m, e.entity - kGroupEntity, e.cpu).se;
}
template <ValueDomain D>
RqGhost<D>& ghost_of(Machine<D>& m, int cpu, int group) {
  return group == 0 ? cpu_rq(m, cpu).ghost : group_on(m, group, cpu).ghost;
}
/// The accounts of all entities on a queue; empty when the ledger is off.
template <ValueDomain D>
std::vector<Account<D>>& accounts_of(Machine<D>& m, int cpu, int group = 0) {
  return m.ledger
      .accounts[static_cast<std::size_t>(group) * m.rq.size() + static_cast<std::size_t>(cpu)];
}

/// What stays fixed during a schedule.
struct Model {
  Topology topology;
  KernelSwitches kernel;
  std::int64_t tick_ns = 4'000'000;  ///< 0: no ticks.
  int max_tasks = 8;
  /// Parent of each group; [0] is the root itself, the last `max_sessions` are for the autogroups
  /// of sessions. At most kMaxTaskGroups + 1.
  std::vector<int> group_parent = {0};
  int max_sessions = 0;
  bool sched_autogroup_enabled = true;  ///< sysctl
  /// Virtual time, delayed dequeue, util_est. Off (root group only): limits L1 and L4 are in force,
  /// which makes symbolic steps small where the order of picks is irrelevant.
  bool eevdf = true;
  /// Queues without anything are not visited. Off: all of a group are, as the traces' source does.
  bool leaf_list = true;
  std::int64_t base_slice_ns = 2'800'000;  ///< sysctl_sched_base_slice.
  std::int64_t lag_tick_ns = 4'000'000;    ///< TICK_NSEC in the limit of lags.
  bool ledger = true;                      ///< Keep the utilisation ledger (off in benchmarks).
  /// Within the ledger: keep balances, not only what deaths leave behind. Off in queries about the
  /// latter: ageing every account is most of a step's formula.
  bool balances = true;

  /// The base slice before it is scaled by the number of CPUs.
  [[nodiscard]] std::int64_t normalized_base_slice_ns() const {
    return kernel.base_slice_700us ? 700'000 : 750'000;
  }
  [[nodiscard]] int nr_groups() const { return static_cast<int>(group_parent.size()); }
  /// The root and the groups of the schedule.
  [[nodiscard]] int nr_cgroups() const { return nr_groups() - max_sessions; }
};

/// Task p on its group's queue on `cpu`.
template <ValueDomain D>
EntityRef task_entity(const Model& model, const Machine<D>& m, int cpu, int p) {
  if (model.nr_groups() == 1) return {cpu, p, 0};
  return {cpu, p, D::which(task_of(m, p).group, 0, model.nr_groups() - 1)};
}

/// The entity that stands for `group`, which is not the root, on `cpu`.
inline EntityRef group_entity(const Model& model, int cpu, int group) {
  return {cpu, kGroupEntity + group, model.group_parent[static_cast<std::size_t>(group)]};
}

/// The entity that owns e's queue; nothing at the root.
inline EntityRef parent_entity(const Model& model, EntityRef e) {
  if (e.group == 0) return {e.cpu, kNoTask, 0};
  return group_entity(model, e.cpu, e.group);
}

/// A field that names an entity, as a plain number.
template <ValueDomain D, class Entity>
int entity_number(const Entity& entity) {
  return D::which(entity, kNoTask, kMaxEntity);
}

/// The largest entity number of this machine.
inline int last_entity(const Model& model) {
  return model.nr_groups() == 1 ? model.max_tasks - 1 : kGroupEntity + model.nr_groups() - 1;
}

/// `for_each_sched_entity`: e, then the entities of its groups up to the root.
template <class F>
void for_each_sched_entity(const Model& model, EntityRef e, F&& f) {
  for (; e.entity != kNoTask; e = parent_entity(model, e)) f(e);
}

}  // namespace schedcheck
