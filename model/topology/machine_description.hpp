// SPDX-License-Identifier: Apache-2.0
/// \file
/// What hardware a machine has: which CPUs share a core, a last level cache, a node.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace schedcheck {

/// A set of CPUs: bit i is CPU i.
using CpuMask = std::uint64_t;

constexpr int kMaxCpus = 64;

/// Where a CPU sits. Two CPUs share a part exactly if the numbers are equal; each kind of part is
/// numbered 0, 1, .. over the whole machine.
struct CpuPlace {
  int core = 0;
  int llc = 0;
  int node = 0;

  friend bool operator==(const CpuPlace&, const CpuPlace&) = default;
};

struct MachineDescription {
  std::string spec;            ///< How the user named it, for messages and reports.
  std::vector<CpuPlace> cpus;  ///< Indexed by CPU, 1..64 of them.
  /// [node][node] in ACPI units: 10 local, 20 remote.
  std::vector<std::vector<int>> node_distance;
  std::vector<int> host_cpu;  ///< The host's number of each CPU; i itself unless read from a host.
};

/// Distance 10 inside each node, 20 between any two.
std::vector<std::vector<int>> default_distances(int nodes);

/// Reads `smp:N`, `llc:AxB`, `smt:CxT`, `numa:NxC` or `host` (README.md says what they mean).
/// Throws InputError for anything else, also for more than 64 CPUs.
MachineDescription parse_topology(std::string_view spec);

/// The shortest spec that describes the same machine (`host` becomes smp:2 and the like), so that
/// what was found on one machine can be replayed on another; the machine's own spec if there is
/// none.
std::string canonical_spec(const MachineDescription& machine);

/// Reads the online CPUs below `sysfs_root` and numbers them 0..n-1 in ascending order.
/// What a virtual machine does not tell falls back: no cache list to one LLC per package, no
/// package list to one package, no node directory to one node, no node distances to 10 and 20.
/// Throws InputError if no CPU is found, a list is malformed, or more than 64 CPUs are online.
MachineDescription read_host_topology(const std::filesystem::path& sysfs_root = "/sys");

}  // namespace schedcheck
