// SPDX-License-Identifier: Apache-2.0
/// \file
/// The raw domain levels of a machine: for each level, which CPUs a domain there would span.

#pragma once

#include <string>
#include <vector>

#include "model/topology/machine_description.hpp"

namespace schedcheck {

enum class LevelKind { kSmt, kCluster, kMc, kPkg, kNode, kNuma };

/// One row of the level table, before any domain is found superfluous.
struct TopologyLevel {
  std::string name;
  LevelKind kind = LevelKind::kSmt;
  int node_distance = 0;       ///< Largest distance inside a span; kNuma only, otherwise 0.
  std::vector<CpuMask> spans;  ///< Indexed by CPU. Disjoint or equal, except those of NUMA levels.

  friend bool operator==(const TopologyLevel&, const TopologyLevel&) = default;
};

/// SMT, CLS, MC, PKG, NODE, then a NUMA level per distinct distance between nodes, bottom up: the
/// kernel's table, arch/x86/kernel/smpboot.c and sched_init_numa(). PKG spans the node, because a
/// package does not matter for domains; a package with several nodes has no PKG level at all.
std::vector<TopologyLevel> topology_levels(const MachineDescription& machine);

/// Throws InputError unless there are 1..64 CPUs and a square symmetric table of distances, 10 on
/// the diagonal and 11..255 elsewhere, that covers every node.
void check_machine(const MachineDescription& machine);

}  // namespace schedcheck
