// SPDX-License-Identifier: Apache-2.0
/// \file The native reading once more, counting calls of kernel functions. A domain without
/// `tally` (the native and the symbolic one) compiles count_work() to nothing.
#pragma once

#include <array>
#include <string_view>

#include "model/domain/native_domain.hpp"

namespace schedcheck {

/// What the cost of a path is counted in: calls of these kernel functions.
enum class Work : std::uint8_t {
  kQueueUpdate,  ///< update_cfs_rq_load_avg
  kTaskUpdate,   ///< __update_load_avg_se
  kAttach,       ///< attach_entity_load_avg
  kDetach,       ///< detach_entity_load_avg
  kGroupStats,   ///< update_sg_wakeup_stats
  kIdlestCpu,    ///< sched_balance_find_dst_group_cpu
};
inline constexpr std::size_t kWorkKinds = 6;
inline constexpr std::array<std::string_view, kWorkKinds> kWorkNames = {
    "queue updates", "task updates",     "attaches",
    "detaches",      "group statistics", "scans of a group"};
using WorkCounts = std::array<std::int64_t, kWorkKinds>;

/// Called where the model enters such a function.
template <class D>
inline void count_work([[maybe_unused]] Work work) {
  if constexpr (requires { D::tally(work); }) D::tally(work);
}

struct CountingDomain : NativeDomain {
  static inline thread_local WorkCounts counts{};
  static void tally(Work work) { ++counts[static_cast<std::size_t>(work)]; }
};
static_assert(ValueDomain<CountingDomain>);

}  // namespace schedcheck
