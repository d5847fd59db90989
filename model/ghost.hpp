// SPDX-License-Identifier: Apache-2.0
/// \file Ghost state: what properties need to know and the kernel does not keep. It never
/// influences a decision of the model.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "model/fair/sched_entity.hpp"

namespace schedcheck {

inline constexpr std::int64_t kSumMax = std::int64_t{1} << 50;
inline constexpr std::int64_t kLagProductMax = std::int64_t{1} << 62;  ///< Weight x virtual ns.
inline constexpr std::int64_t kUnitsMax = std::int64_t{1} << 52;       ///< Of 1024 ns.

/// One task's share of one queue's util_sum.
template <ValueDomain D>
struct Account {
  DataOf<D, -kSumMax, kSumMax> balance{};  ///< In units of util_sum; may be negative.
  DataOf<D, 0, kLoadSumMax> pending{};     ///< Queued for removal: average or, if exact, the sum.
  FieldOf<D, 0, kUnitsMax>
      residue_units{};  ///< Run before the exit step, not in the removed average.
  BoolOf<D> pending_death{};

  auto fields() { return std::tie(balance, pending, residue_units, pending_death); }
};

/// accounts[cpu][task]; the rows are empty when the ledger is off.
template <ValueDomain D>
struct Ledger {
  std::vector<std::vector<Account<D>>> accounts;

  auto fields() { return std::tie(accounts); }
};

template <ValueDomain D>
struct RqGhost {
  DataOf<D, -kSumMax, kSumMax> clamp{};  ///< util_sum that only the lower bounds put there.
  DataOf<D, 0, kSumMax> rounding{};      ///< Bound on what decaying accounts separately loses.
  DataOf<D, 0, kSumMax> dead_run_sum{};  ///< Residues of dead tasks, decayed.
  DataOf<D, 0, kU32Max> dead_run_avg{};  ///< Their share of util_avg at the last boundary.
  DataOf<D, 0, kSumMax> busy_sum{};      ///< util_sum of a queue that nobody ever left.
  FieldOf<D, 0, kTimeMax> fair_ran{};    ///< ns of all fair tasks.
  /// properties/fair_never_starves.hpp: since when, and from how much, fair tasks wait for 50 ms.
  FieldOf<D, 0, kTimeMax> fair_since{}, fair_ran_then{};
  /// properties/reference_tracks.hpp: who has its queue for itself, at which weight, since which
  /// virtual runtime.
  FieldOf<D, kNoTask, kMaxEntity> lone_runner{kNoTask};
  FieldOf<D, 0, kMaxScaledWeight> lone_weight{};
  DataOf<D, -kVirtualMax, kVirtualMax> lone_since{};
  /// properties/equal_tasks_share.hpp: the two tasks of the queue, and how far apart they were.
  FieldOf<D, kNoTask, kMaxEntity> pair_first{kNoTask}, pair_second{kNoTask};
  DataOf<D, 0, kVirtualMax> pair_apart{};
  FieldOf<D, 0, 4> spawn_phase{};  ///< properties/spawn_monitor.hpp
  FieldOf<D, 0, kTimeMax> spawn_since{};

  auto fields() {
    return std::tie(clamp, rounding, dead_run_sum, dead_run_avg, busy_sum, fair_ran, fair_since,
                    fair_ran_then, lone_runner, lone_weight, lone_since, pair_first, pair_second,
                    pair_apart, spawn_phase, spawn_since);
  }
};

template <ValueDomain D>
struct TaskGhost {
  DataOf<D, 0, kSumMax> unsynced_units{};  ///< Ran since its averages were last derived.
  FieldOf<D, 0, kUnitsMax>
      before_exit_units{};        ///< The part of them that lies before the exit step.
  BoolOf<D> exiting{};            ///< Past the exit step of do_exit.
  BoolOf<D> reweighted{};         ///< It got another nice value once.
  typename D::Mask burst_cpus{};  ///< CPUs that got a child since it last blocked.

  auto fields() {
    return std::tie(unsynced_units, before_exit_units, exiting, reweighted, burst_cpus);
  }
};

/// A detach/attach pair of sched_move_task within the last event.
template <ValueDomain D>
struct MoveRecord {
  BoolOf<D> happened{};
  BoolOf<D> clean{};  ///< No clamp, nothing pending, no boundary between.
  DataOf<D, 0, kU32Max> util_avg_before{}, util_avg_after{};
  DataOf<D, 0, kU32Max> util_sum_before{}, util_sum_after{};
  DataOf<D, 0, kU32Max> se_util_avg{}, se_util_sum{};
  DataOf<D, 0, kU32Max> divider{};

  auto fields() {
    return std::tie(happened, clean, util_avg_before, util_avg_after, util_sum_before,
                    util_sum_after, se_util_avg, se_util_sum, divider);
  }
};

/// What update_curr saw within the event, on any queue: `alone` and `contended` say whether the
/// running entity had its queue for itself when its slice ended.
template <ValueDomain D>
struct SliceEndRecord {
  BoolOf<D> alone{}, alone_resched{};
  BoolOf<D> contended{}, contended_missed{};
  DataOf<D, 0, kU32Max> requests{};  ///< To reschedule, by whatever rule is in force.

  auto fields() { return std::tie(alone, alone_resched, contended, contended_missed, requests); }
};

/// A weight change of a waiting entity within the clamp of lags: weight x lag before and after, and
/// the larger weight; weights times 1024.
template <ValueDomain D>
struct ReweightRecord {
  BoolOf<D> happened{};
  DataOf<D, -kLagProductMax, kLagProductMax> lag_before{}, lag_after{};
  DataOf<D, 0, kLoadSumMax> larger_weight{};

  auto fields() { return std::tie(happened, lag_before, lag_after, larger_weight); }
};

/// What happened within the current event.
template <ValueDomain D>
struct EventGhost {
  BoolOf<D> death_removed{};                ///< A dead task's removal was applied.
  FieldOf<D, 0, kTimeMax> residue_units{};  ///< Units run before the exit step that it left behind.
  FieldOf<D, -1, 63> residue_cpu{};         ///< Where; -1: nowhere.
  MoveRecord<D> move{};
  SliceEndRecord<D> slice_end{};
  ReweightRecord<D> reweight{};
  BoolOf<D> waited{};         ///< A task that slept had waited for its CPU,
  BoolOf<D> estimate_fell{};  ///< and its util_est went down all the same.

  auto fields() {
    return std::tie(death_removed, residue_units, residue_cpu, move, slice_end, reweight, waited,
                    estimate_fell);
  }
};

/// A property's view of the last event.
template <ValueDomain D>
struct Judgement {
  BoolOf<D> relevant{};  ///< The antecedent was true.
  BoolOf<D> violated{};

  auto fields() { return std::tie(relevant, violated); }
};

}  // namespace schedcheck
