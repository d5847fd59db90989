// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scheduling domains and groups: what placement and balancing see of the hardware.
///
/// Kernel: sd_init(), build_sched_groups(), build_overlap_sched_groups(), build_sched_domains(),
/// sd_parent_degenerate(), cpu_attach_domain(), kernel/sched/topology.c, v6.1 and v6.12 by
/// switches. Left out: asymmetric capacity and packing, cpusets, isolated CPUs (README.md, Limits).

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/kernel_switches.hpp"
#include "model/topology/machine_description.hpp"
#include "model/topology/topology_levels.hpp"

namespace schedcheck {

/// A set of SD_* flags; bits are our own, names the kernel's.
using SdFlags = std::uint32_t;
constexpr SdFlags kSdBalanceNewidle = 1U << 0;
constexpr SdFlags kSdBalanceExec = 1U << 1;
constexpr SdFlags kSdBalanceFork = 1U << 2;
constexpr SdFlags kSdWakeAffine = 1U << 3;
constexpr SdFlags kSdShareCpucapacity = 1U << 4;
constexpr SdFlags kSdCluster = 1U << 5;
constexpr SdFlags kSdShareLlc = 1U << 6;
constexpr SdFlags kSdPreferSibling = 1U << 7;
constexpr SdFlags kSdSerialize = 1U << 8;
constexpr SdFlags kSdOverlap = 1U << 9;
constexpr SdFlags kSdNuma = 1U << 10;

/// The kernel's spelling behind SD_; bit i has name i.
inline constexpr std::array<const char*, 11> kSdFlagNames = {
    "BALANCE_NEWIDLE",   "BALANCE_EXEC", "BALANCE_FORK", "WAKE_AFFINE",
    "SHARE_CPUCAPACITY", "CLUSTER",      "SHARE_LLC",    "PREFER_SIBLING",
    "SERIALIZE",         "OVERLAP",      "NUMA"};

/// One domain as one CPU sees it.
struct SchedDomain {
  std::string name;  ///< "SMT", "CLS", "MC", "PKG", "NODE" or "NUMA" (several may be called NUMA).
  CpuMask span = 0;
  int span_weight = 0;  ///< CPUs in span.
  /// Ring order: the own CPU's group, then ascending, wrapping. Groups of NUMA domains may overlap.
  std::vector<CpuMask> groups;
  int imbalance_pct = 0;  ///< Percent, 117 = 17 % more.
  bool balance_fork = false;
  bool numa = false;
  /// The next group of the ring has SD_PREFER_SIBLING, as v6.12 reads it from the busiest group, or
  /// there is a child domain with it, as v6.1 asks. They differ where a remote group keeps the flag
  /// of a dropped child (2 nodes x 1 CPU).
  bool prefer_sibling = false;
  bool share_llc = false;
  int imb_numa_nr = 0;  ///< Tasks that may stay imbalanced between nodes; rule of v6.0 and later.

  SdFlags flags = 0;
  std::vector<SdFlags> group_flags;  ///< Parallel to groups; [0] = the child domain's flags or 0.
  /// Parallel to groups: the CPUs that balance on behalf of a group (group_balance_mask).
  std::vector<CpuMask> balance_masks;
  int cache_nice_tries = 0;
  int busy_factor = 0;  ///< Intervals are so many times longer on a busy CPU.
  int level = 0;        ///< Row of the level table.

  /// Of balancing, ms: 1 and 2 per CPU.
  [[nodiscard]] int min_interval() const { return span_weight; }
  [[nodiscard]] int max_interval() const { return 2 * span_weight; }
};

struct Topology {
  std::string spec;
  int nr_cpus = 0;
  CpuMask all = 0;
  std::vector<std::vector<SchedDomain>> domains;  ///< [cpu], lowest level first; may be empty.
};

/// The domains of a described machine.
Topology build_sched_domains(const MachineDescription& machine, const KernelSwitches& kernel = {});

/// The same from a level table, bottom up; all `spans` have one entry per CPU, at most 64.
Topology build_sched_domains(std::string spec, const std::vector<TopologyLevel>& levels,
                             const KernelSwitches& kernel = {});

}  // namespace schedcheck
