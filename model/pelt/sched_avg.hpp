// SPDX-License-Identifier: Apache-2.0
/// \file One PELT signal: `sched_avg`, include/linux/sched.h.
#pragma once

#include <cstdint>
#include <tuple>

#include "model/domain/value_domain.hpp"

namespace schedcheck {

inline constexpr std::int64_t kTimeMax = std::int64_t{1} << 61;  ///< ns; far beyond any schedule.
inline constexpr std::int64_t kU32Max = 0xffffffffLL;
/// More than 8192 tasks of weight 88761 on one queue can reach (47742 x 88761 x 8192).
inline constexpr std::int64_t kLoadSumMax = std::int64_t{1} << 46;

/// Sums accrue per unit of 1024 ns; averages change only when a window boundary is crossed.
template <ValueDomain D>
struct SchedAvg {
  FieldOf<D, 0, kTimeMax> last_update_time{};  ///< ns; 0 = not attached.
  DataOf<D, 0, kLoadSumMax> load_sum{};        ///< Unweighted for an entity, weighted for a queue.
  DataOf<D, 0, kLoadSumMax> runnable_sum{};
  DataOf<D, 0, kU32Max> util_sum{};  ///< u32 in the kernel.
  DataOf<D, 0, kU32Max> load_avg{};
  DataOf<D, 0, kU32Max> runnable_avg{};
  DataOf<D, 0, kU32Max> util_avg{};
  DataOf<D, 0, 1023> period_contrib{};  ///< Units already passed in the current window.

  auto fields() {
    return std::tie(last_update_time, load_sum, runnable_sum, util_sum, load_avg, runnable_avg,
                    util_avg, period_contrib);
  }
};

}  // namespace schedcheck
