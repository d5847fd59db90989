// SPDX-License-Identifier: Apache-2.0
/// \file State words of the fair class: `sched_entity`, the virtual time of a queue, what a group's
/// queue owes to the levels above, and util_est. Names are the kernel's (v6.12).
#pragma once

#include <cstdint>
#include <tuple>

#include "model/pelt/sched_avg.hpp"

namespace schedcheck {

/// Weights are kept times 1024, as the kernel does on 64 bits: nice 0 is 2^20.
inline constexpr std::int64_t kNice0Load = 1 << 20;
inline constexpr std::int64_t kMaxScaledWeight = std::int64_t{1} << 28;  ///< MAX_SHARES.
inline constexpr std::int64_t kQueueWeightMax = std::int64_t{1} << 41;
/// Virtual times stay within 26 days of their start at weight 2; differences of queued entities
/// times their weight fit 64 bits.
inline constexpr std::int64_t kVirtualMax = std::int64_t{1} << 60;
inline constexpr std::int64_t kInt64Max = 0x7fffffffffffffff;
inline constexpr std::int64_t kKeyMax = std::int64_t{1} << 46;  ///< |vruntime - mean| when queued.
/// Lag and what is left of a slice; times the weight both stay below 2^44 (100 ms at nice 0).
inline constexpr std::int64_t kLagMax = std::int64_t{1} << 44;
inline constexpr std::int64_t kMaxRun = std::int64_t{1} << 42;  ///< ns between two updates.
inline constexpr std::int64_t kMaxSlice = kU32Max;              ///< ns
inline constexpr std::int64_t kNoSlice = kInt64Max;             ///< Nobody is queued.
/// Entities are named by one number on every CPU: a task's own, or kGroupEntity + g for the entity
/// that stands for group g there.
inline constexpr int kNoTask = -1;
inline constexpr int kMaxTasks = 8192;
inline constexpr int kMaxTaskGroups = 63;  ///< Besides the root, which is group 0.
inline constexpr int kGroupEntity = kMaxTasks;
inline constexpr int kMaxEntity = kGroupEntity + kMaxTaskGroups;

template <ValueDomain D>
struct SchedEntity {
  FieldOf<D, 0, kMaxScaledWeight> load_weight{};  ///< Times 1024.
  FieldOf<D, 0, kU32Max> inv_weight{};            ///< About 2^32 / unscaled weight.
  BoolOf<D> on_rq{};
  BoolOf<D> sched_delayed{};  ///< Sleeps, but competes until its lag is used up.
  BoolOf<D> rel_deadline{};   ///< `deadline` is relative to `vruntime` while off the queue.
  BoolOf<D> custom_slice{};
  DataOf<D, -kVirtualMax, kVirtualMax> vruntime{}, deadline{};
  /// Lag while off the queue or waiting; while running, the mark of a protected slice.
  DataOf<D, -kVirtualMax, kVirtualMax> vlag{};
  DataOf<D, 0, kMaxSlice> slice{};      ///< ns
  DataOf<D, 0, kTimeMax> exec_start{};  ///< ns
  DataOf<D, 0, kTimeMax> sum_exec_runtime{};
  /// Neighbours among the waiting entities of the queue, in the order in which they came: the
  /// kernel's tree keeps that order among equal deadlines. kNoTask: none.
  FieldOf<D, kNoTask, kMaxEntity> left{kNoTask}, right{kNoTask};
  DataOf<D, 0, kLoadSumMax> runnable_weight{};  ///< Groups: h_nr_runnable when last refreshed.
  SchedAvg<D> avg{};

  auto fields() {
    return std::tie(load_weight, inv_weight, on_rq, sched_delayed, rel_deadline, custom_slice,
                    vruntime, deadline, vlag, slice, exec_start, sum_exec_runtime, left, right,
                    runnable_weight, avg);
  }
};

/// Estimated utilisation of a task.
template <ValueDomain D>
struct UtilEst {
  DataOf<D, 0, kU32Max> value{};
  BoolOf<D> unchanged{};  ///< UTIL_AVG_UNCHANGED: no window ended since the last estimate.

  auto fields() { return std::tie(value, unchanged); }
};

/// Weighted mean of a queue's virtual runtimes, kept relative to a moving base.
template <ValueDomain D>
struct VirtualTime {
  DataOf<D, -kVirtualMax, kVirtualMax> avg_vruntime{};  ///< Sum of weight x (vruntime - base).
  DataOf<D, 0, kLoadSumMax> avg_load{};                 ///< Unscaled weights, without curr.
  DataOf<D, -kVirtualMax, kVirtualMax> zero_vruntime{-kNice0Load};  ///< The base.
  FieldOf<D, kNoTask, kMaxEntity> first{kNoTask}, last{kNoTask};    ///< Of the waiting entities.

  auto fields() { return std::tie(avg_vruntime, avg_load, zero_vruntime, first, last); }
};

/// What a queue's changes mean for the levels above.
template <ValueDomain D>
struct Propagation {
  BoolOf<D> propagate{};
  DataOf<D, -kTimeMax, kTimeMax> prop_runnable_sum{};
  DataOf<D, 0, kLoadSumMax> tg_load_avg_contrib{};
  DataOf<D, 0, kTimeMax> last_update_tg_load_avg{};  ///< ns

  auto fields() {
    return std::tie(propagate, prop_runnable_sum, tg_load_avg_contrib, last_update_tg_load_avg);
  }
};

/// `scale_load_down`: 0 stays 0, anything else is at least 2.
template <ValueDomain D>
IntOf<D> scale_load_down(const IntOf<D>& weight) {
  return D::max(D::shr(weight, 10), D::min(weight, IntOf<D>(2)));
}

}  // namespace schedcheck
