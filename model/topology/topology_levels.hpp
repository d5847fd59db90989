// SPDX-License-Identifier: Apache-2.0
/// \file
/// The raw domain levels of a machine: for each level, which CPUs a domain there would span.

#pragma once

#include <string>
#include <vector>

#include "model/topology/machine_description.hpp"

namespace schedcheck {

enum class LevelKind { kSmt, kCluster, kMc, kPkg, kNuma };

/// One row of the level table, before any domain is found superfluous.
struct TopologyLevel {
  std::string name;
  LevelKind kind = LevelKind::kSmt;
  int node_distance = 0;       ///< Largest distance inside a span; kNuma only, otherwise 0.
  std::vector<CpuMask> spans;  ///< Indexed by CPU. Disjoint or equal.
};

/// SMT, MC, PKG, then a NUMA level per distinct distance between nodes, bottom up.
/// PKG spans the node, as in the kernel: a package does not matter for domains.
/// Throws InputError for a machine whose NUMA spans overlap (such as nodes in a ring of four):
/// its groups depend on the CPU they are seen from, which is not modelled (L-OVERLAP).
std::vector<TopologyLevel> topology_levels(const MachineDescription& machine);

}  // namespace schedcheck
