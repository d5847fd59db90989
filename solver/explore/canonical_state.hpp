// SPDX-License-Identifier: Apache-2.0
/// \file The bytes by which a search compares states: equal bytes, equal futures. Times are ages,
/// dead tasks have no number, ghost state counts only where a property needs it.
///
/// Each struct is taken apart by a structured binding of its fields(), so that a new field does not
/// compile here until somebody has said what it means.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "properties/observer.hpp"
#include "solver/explore/cpu_symmetry.hpp"
#include "solver/explore/state_leaves.hpp"

namespace schedcheck {

/// The ghost state that judgements of a set of properties depend on.
struct Cone {
  bool burst = false;       ///< TaskGhost::burst_cpus
  bool spawn = false;       ///< RqGhost::spawn_*
  bool fair = false;        ///< RqGhost::fair_*
  bool reweighted = false;  ///< TaskGhost::reweighted
  bool lone = false;        ///< RqGhost::lone_*
  bool pair = false;        ///< RqGhost::pair_*
  bool ledger = false;      ///< What dead tasks leave behind.
  bool balances = false;    ///< All of the ledger.
};
Cone cone_of(PropertySet properties);
inline constexpr Cone kWholeCone{true, true, true, true, true, true, true, true};

struct Comparison {
  Cone cone;
  bool drop_dead = true;  ///< Numbers of dead tasks are forgotten.
  bool sort_tasks =
      true;  ///< Living tasks are interchangeable; requires that no pick asks for numbers.
  bool idle_order = true;  ///< Which CPU went idle last matters.
};

/// Writes states of one model.
template <class D>
class CanonicalState {
 public:
  CanonicalState(const Model& model, const Comparison& comparison)
      : model_(model), compare_(comparison) {}

  /// The bytes of `m` with its CPUs renamed; valid until the next call.
  const std::string& bytes(Machine<D>& m, const CpuRenaming& name);

 private:
  void number(std::int64_t x) { put_number(out_, x); }
  /// An age; `none` stands for 0, which means "never" or "not armed".
  void time(std::int64_t t) { number(t == 0 ? -1 : 2 * (now_ - t)); }
  void entity(std::int64_t e) {
    number(e >= 0 && e < kGroupEntity ? task_name_[static_cast<std::size_t>(e)] : e);
  }
  void put(SchedAvg<D>& avg);
  void put(SchedEntity<D>& se, bool runs);
  void put(CfsRq<D>& cfs);
  void put(DlServer<D>& server);
  void put(Rq<D>& rq, std::int64_t idle_rank);
  void put(Task<D>& task, bool runs);
  void put(RqGhost<D>& ghost);
  void put(Account<D>& account);
  void put_groups(Machine<D>& m);
  void put_accounts(Machine<D>& m, std::size_t index);
  void name_tasks(Machine<D>& m);
  std::int64_t idle_rank(Machine<D>& m, const Rq<D>& rq) const;
  bool dead(Machine<D>& m, std::size_t p) const {
    return compare_.drop_dead && m.task[p].state == kDead;
  }

  const Model& model_;
  Comparison compare_;
  std::string out_;
  std::int64_t now_ = 0;
  const CpuRenaming* name_ = nullptr;
  std::vector<int> cpu_at_;     ///< The CPU that comes first, second, ..
  std::vector<int> task_name_;  ///< Of each number.
  std::vector<int> task_at_;    ///< Living tasks in the order of their names.
};

template <class D>
void CanonicalState<D>::put(SchedAvg<D>& avg) {
  auto [last_update_time, load_sum, runnable_sum, util_sum, load_avg, runnable_avg, util_avg,
        period_contrib] = avg.fields();
  time(last_update_time);
  for (const std::int64_t x :
       {std::int64_t{load_sum}, std::int64_t{runnable_sum}, std::int64_t{util_sum},
        std::int64_t{load_avg}, std::int64_t{runnable_avg}, std::int64_t{util_avg},
        std::int64_t{period_contrib}})
    number(x);
}

/// exec_start is set anew whenever the entity starts to run; nothing reads sum_exec_runtime.
template <class D>
void CanonicalState<D>::put(SchedEntity<D>& se, bool runs) {
  auto [load_weight, inv_weight, on_rq, sched_delayed, rel_deadline, custom_slice, vruntime,
        deadline, vlag, slice, exec_start, sum_exec_runtime, left, right, runnable_weight, avg] =
      se.SchedEntity<D>::fields();
  number(load_weight);
  number(inv_weight);
  number(on_rq + 2 * sched_delayed + 4 * rel_deadline + 8 * custom_slice);
  for (const std::int64_t x : {std::int64_t{vruntime}, std::int64_t{deadline}, std::int64_t{vlag},
                               std::int64_t{slice}, std::int64_t{runnable_weight}})
    number(x);
  if (runs) time(exec_start);
  entity(left);
  entity(right);
  put(avg);
}

template <class D>
void CanonicalState<D>::put(CfsRq<D>& cfs) {
  auto [load_weight, nr_queued, h_nr_queued, h_nr_runnable, h_nr_idle, curr, next, util_est,
        virtual_time, avg, removed, up] = cfs.fields();
  for (const std::int64_t x :
       {std::int64_t{load_weight}, std::int64_t{nr_queued}, std::int64_t{h_nr_queued},
        std::int64_t{h_nr_runnable}, std::int64_t{h_nr_idle}, std::int64_t{util_est}})
    number(x);
  entity(curr);
  entity(next);
  auto [avg_vruntime, avg_load, zero_vruntime, first, last] = virtual_time.fields();
  number(avg_vruntime);
  number(avg_load);
  number(zero_vruntime);
  entity(first);
  entity(last);
  put(avg);
  for_each_leaf(removed, [&](auto& leaf) { number(leaf); });
  auto [propagate, prop_runnable_sum, contrib, last_update_tg_load_avg] = up.fields();
  number(propagate);
  number(prop_runnable_sum);
  number(contrib);
  time(last_update_tg_load_avg);
}

template <class D>
void CanonicalState<D>::put(DlServer<D>& server) {
  auto [active, queued, deferred_running, at_deadline, runtime, deadline, timer] = server.fields();
  number(active + 2 * queued + 4 * deferred_running + 8 * at_deadline);
  number(runtime);
  time(deadline);
  time(timer);
}

template <class D>
void CanonicalState<D>::put(RqGhost<D>& ghost) {
  auto [clamp, rounding, dead_run_sum, dead_run_avg, busy_sum, fair_ran, fair_since, fair_ran_then,
        lone_runner, lone_weight, lone_since, pair_first, pair_second, pair_apart, spawn_phase,
        spawn_since] = ghost.fields();
  if (compare_.cone.balances)
    for (const std::int64_t x : {std::int64_t{clamp}, std::int64_t{rounding},
                                 std::int64_t{dead_run_sum}, std::int64_t{dead_run_avg}})
      number(x);
  (void)busy_sum;  // For reports only.
  if (compare_.cone.fair) {
    time(fair_since);
    number(fair_ran - fair_ran_then);
  }
  if (compare_.cone.lone) {
    entity(lone_runner);
    number(lone_weight);
    number(lone_since);
  }
  if (compare_.cone.pair) {
    entity(pair_first);
    entity(pair_second);
    number(pair_apart);
  }
  if (compare_.cone.spawn) {
    number(spawn_phase);
    if (spawn_phase != kSpawnBroken) time(spawn_since);
  }
}

template <class D>
void CanonicalState<D>::put(Rq<D>& rq, std::int64_t idle_rank) {
  auto [clock, idle_stamp, curr, nr_running, need_resched, ttwu_pending, rt_nr_running, rt_places,
        rt_throttled, rt_time, rt_timer, server, cfs, ghost] = rq.fields();
  time(clock);
  (void)idle_stamp;
  number(idle_rank);
  entity(curr);
  for (const std::int64_t x : {std::int64_t{nr_running}, std::int64_t{rt_nr_running},
                               std::int64_t{rt_places}, std::int64_t{rt_time}})
    number(x);
  number(need_resched + 2 * ttwu_pending + 4 * rt_throttled);
  time(rt_timer);
  put(server);
  put(cfs);
  put(ghost);
}

template <class D>
void CanonicalState<D>::put(Task<D>& task, bool runs) {
  put(static_cast<SchedEntity<D>&>(task), runs);
  number(task.state);
  number((*name_)[static_cast<std::size_t>(std::int64_t{task.cpu})]);
  number(task.group);
  number(task.cgroup);
  number(task.autogroup);
  number(static_cast<std::int64_t>(renamed(task.cpus_ptr, *name_)));
  number(task.util_est.value);
  number(task.util_est.unchanged + 2 * task.rt_round_robin + 4 * task.rt_queued);
  number(task.rt_priority);
  number(task.rt_place);
  number(task.rr_left);
  auto [unsynced, before_exit, exiting, reweighted, burst_cpus] = task.ghost.fields();
  number(exiting);
  if (compare_.cone.ledger) {
    number(unsynced);
    number(before_exit);
  }
  if (compare_.cone.reweighted) number(reweighted);
  if (compare_.cone.burst) number(static_cast<std::int64_t>(renamed(burst_cpus, *name_)));
}

template <class D>
void CanonicalState<D>::put(Account<D>& account) {
  auto [balance, pending, residue_units, pending_death] = account.fields();
  number(residue_units);
  number(pending_death);
  if (!compare_.cone.balances) return;
  number(balance);
  number(pending);
}

/// Group state is taken as it is: with groups CPUs are not renamed.
template <class D>
void CanonicalState<D>::put_groups(Machine<D>& m) {
  number(m.nr_sessions);
  for (TaskGroup<D>& group : m.group) {
    number(group.shares);
    number(group.load_avg);
    for (GroupCpu<D>& here : group.cpu) {
      number(here.online + 2 * here.on_list);
      put(here.se, true);
      put(here.cfs_rq);
      put(here.ghost);
    }
  }
}

/// One entity's accounts on all queues.
template <class D>
void CanonicalState<D>::put_accounts(Machine<D>& m, std::size_t index) {
  const std::size_t nr_cpus = m.rq.size();
  for (std::size_t group = 0; group * nr_cpus < m.ledger.accounts.size(); ++group)
    for (const int cpu : cpu_at_) {
      auto& row = m.ledger.accounts[group * nr_cpus + static_cast<std::size_t>(cpu)];
      if (index < row.size()) put(row[index]);
    }
}

/// 0: since now; else how many idle CPUs went idle later, and 1. Only their order is ever asked
/// for.
template <class D>
std::int64_t CanonicalState<D>::idle_rank(Machine<D>& m, const Rq<D>& rq) const {
  if (!compare_.idle_order || rq.curr != kNoTask || rq.idle_stamp == now_) return 0;
  std::int64_t rank = 1;
  for (const Rq<D>& other : m.rq)
    if (other.curr == kNoTask && other.idle_stamp > rq.idle_stamp) ++rank;
  return rank;
}

/// Living tasks keep the order of their numbers unless they are interchangeable; then they are
/// sorted by their own state. Equal ones keep their order, which only costs a state more.
template <class D>
void CanonicalState<D>::name_tasks(Machine<D>& m) {
  task_at_.clear();
  task_name_.assign(m.task.size(), -2);
  for (std::size_t p = 0; p < static_cast<std::size_t>(m.nr_tasks); ++p)
    if (!dead(m, p)) task_at_.push_back(static_cast<int>(p));
  if (compare_.sort_tasks) {
    std::vector<std::pair<std::string, int>> keys;
    for (const int p : task_at_) {
      out_.clear();
      Task<D>& task = m.task[static_cast<std::size_t>(p)];
      put(task, cpu_rq(m, static_cast<int>(task.cpu)).curr == p);
      keys.emplace_back(out_, p);
    }
    std::stable_sort(keys.begin(), keys.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < keys.size(); ++i) task_at_[i] = keys[i].second;
  }
  for (std::size_t i = 0; i < task_at_.size(); ++i)
    task_name_[static_cast<std::size_t>(task_at_[i])] = static_cast<int>(i);
}

template <class D>
const std::string& CanonicalState<D>::bytes(Machine<D>& m, const CpuRenaming& name) {
  now_ = m.now;
  name_ = &name;
  cpu_at_.resize(name.size());
  for (std::size_t cpu = 0; cpu < name.size(); ++cpu)
    cpu_at_[static_cast<std::size_t>(name[cpu])] = static_cast<int>(cpu);
  name_tasks(m);
  out_.clear();
  // Ticks fall at multiples from boot on.
  if (model_.tick_ns > 0) number((now_ - kBootTime) % model_.tick_ns);
  number(m.nr_tasks);
  number(static_cast<std::int64_t>(task_at_.size()));
  for (const int p : task_at_) {
    Task<D>& task = m.task[static_cast<std::size_t>(p)];
    put(task, cpu_rq(m, static_cast<int>(task.cpu)).curr == p);
  }
  for (const int cpu : cpu_at_) put(cpu_rq(m, cpu), idle_rank(m, cpu_rq(m, cpu)));
  if (model_.nr_groups() > 1) put_groups(m);
  if (!compare_.cone.ledger || !model_.ledger) return out_;
  for (const int p : task_at_) put_accounts(m, static_cast<std::size_t>(p));
  for (std::size_t g = 0; g < m.group.size(); ++g)
    put_accounts(m, static_cast<std::size_t>(model_.max_tasks) + g);
  // What dead tasks left, whoever they were.
  std::vector<std::string> rows;
  const std::size_t living = out_.size();
  for (std::size_t p = 0; p < static_cast<std::size_t>(m.nr_tasks); ++p) {
    if (!dead(m, p)) continue;
    put_accounts(m, p);
    rows.push_back(out_.substr(living));
    out_.resize(living);
  }
  std::sort(rows.begin(), rows.end());
  for (const std::string& row : rows) out_ += row;
  return out_;
}

}  // namespace schedcheck
