// SPDX-License-Identifier: Apache-2.0
/// \file What one balance pass of a domain works with: `lb_env`, kernel/sched/fair.c, v6.1, v6.12.
/// Left out: asymmetric capacities and packing, NUMA balancing's preferred nodes, core scheduling.
#pragma once

#include <span>

#include "model/machine.hpp"
#include "model/pelt/pelt_constants.hpp"

namespace schedcheck {

enum class CpuIdleType : std::uint8_t { kNotIdle, kIdle, kNewlyIdle };
/// What `imbalance` counts: weight, capacity units or tasks.
enum class MigrationType : std::uint8_t { kLoad, kUtil, kTask };

/// What a pass asks about a CPU and the machine's state does not hold.
struct BalanceCpu {
  std::int64_t capacity = kCapacity;  ///< 1 to 1024, what other classes leave (limit L6).
  CpuMask smt_mask = 0;               ///< The CPUs of its core, itself too.
};

template <ValueDomain D>
struct LbEnv {
  const SchedDomain& sd;
  CpuIdleType idle;
  int dst_cpu;
  CpuMask cpus;                     ///< Active CPUs of the domain that still count.
  std::span<const BalanceCpu> cpu;  ///< [CPU]
  IntOf<D> nr_balance_failed = 0;   ///< Of the domain.
  IntOf<D> imbalance = 0;           ///< Units of `migration_type`.
  MigrationType migration_type = MigrationType::kLoad;
  int src_cpu = kNoTask;

  [[nodiscard]] bool is_idle() const { return idle != CpuIdleType::kNotIdle; }
  [[nodiscard]] std::int64_t capacity_of(int which) const {
    return cpu[static_cast<std::size_t>(which)].capacity;
  }
  /// check_cpu_capacity: other classes take more of it than the domain tolerates.
  [[nodiscard]] bool capacity_is_reduced(int which) const {
    return capacity_of(which) * sd.imbalance_pct < kCapacity * 100;
  }
};

}  // namespace schedcheck
