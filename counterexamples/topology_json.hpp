// SPDX-License-Identifier: Apache-2.0
/// \file Machines as JSON (docs/topology-format.md).
#pragma once

#include <string>
#include <vector>

#include "model/topology/machine_description.hpp"

namespace schedcheck {

class JsonPlace;

/// Sets of CPUs, named by the machine's own numbers.
using CpuSets = std::vector<std::vector<int>>;

/// A machine as its parts. What is empty: every CPU its own core, no clusters, one LLC per package,
/// one package, one node, distance 20 between any two nodes.
struct MachineParts {
  std::vector<int> cpus;     ///< Ascending.
  std::vector<int> offline;  ///< Some of `cpus`.
  CpuSets cores, clusters, llcs, packages, nodes;
  std::vector<std::vector<int>> distances;
};

/// Numbers the online CPUs 0..n-1 in ascending order; nodes without one are dropped. Throws
/// InputError at a member of `place` unless 1..64 CPUs are online, each in one set of each kind
/// that is given; cores, clusters, LLCs and packages nest; and distances are 10 on the diagonal,
/// 11..255 elsewhere and the same in both directions.
MachineDescription describe(std::string spec, const MachineParts& parts, const JsonPlace& place);

/// The parts of a machine; what describe() assumes anyway is left empty. Offline CPUs are gaps.
MachineParts parts_of(const MachineDescription& machine);

/// Reads a shape or a list of parts; strict.
MachineDescription read_topology(std::string spec, const JsonPlace& place);

/// The parts as one line of JSON that read_topology() accepts; `as_file`: with format and version.
std::string topology_json(const MachineDescription& machine, bool as_file);

/// What a user calls a topology: a file (its name ends in .json) or a spec of parse_topology().
MachineDescription load_topology(const std::string& name);

/// "0-3,8".
std::string cpu_list_text(const std::vector<int>& cpus);
/// The CPUs of a mask by the machine's own numbers.
std::string cpu_list_text(const MachineDescription& machine, CpuMask cpus);

}  // namespace schedcheck
