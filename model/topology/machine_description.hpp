// SPDX-License-Identifier: Apache-2.0
/// \file
/// What hardware a machine has: which CPUs share a core, a cluster, a last level cache, a package,
/// a node.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedcheck {

/// A set of CPUs: bit i is CPU i.
using CpuMask = std::uint64_t;

constexpr int kMaxCpus = 64;
/// CPU numbers of a machine, offline CPUs and gaps included, stay below it.
constexpr int kMachineCpuEnd = 8192;
constexpr int kLocalDistance = 10;
constexpr int kMaxDistance = 255;

/// Where a CPU sits. Two CPUs share a part exactly if the numbers are equal; each kind of part is
/// numbered 0, 1, .. over the whole machine.
struct CpuPlace {
  int core = 0;
  int llc = 0;
  int node = 0;
  int package = 0;
  int cluster = -1;  ///< Cores that share an L2 cache; -1: none that are larger than the core.

  friend bool operator==(const CpuPlace&, const CpuPlace&) = default;
};

struct MachineDescription {
  std::string spec;            ///< How the user named it, for messages and reports.
  std::vector<CpuPlace> cpus;  ///< Indexed by CPU, 1..64 of them; offline CPUs are left out.
  /// [node][node] in ACPI units: 10 local, 20 remote.
  std::vector<std::vector<int>> node_distance;
  std::vector<int>
      host_cpu;  ///< The machine's number of each CPU; i itself unless some are offline.
};

/// A machine of equal parts; each holds adjacent CPUs.
struct MachineShape {
  int packages = 1;
  int llcs = 1;      ///< Of each package.
  int clusters = 0;  ///< Of each package; 0: none.
  int cores = 1;     ///< Of each package.
  int threads = 1;   ///< Of each core.
  int nodes = 1;     ///< Of the machine.
};

/// Requires: positive counts (clusters may be 0), each a divisor of what it divides; clusters a
/// multiple of LLCs.
MachineDescription describe(std::string spec, const MachineShape& shape);

/// Distance 10 inside each node, 20 between any two.
std::vector<std::vector<int>> default_distances(int nodes);

/// Reads `smp:N`, `llc:AxB`, `smt:CxT`, `numa:NxC`, `host` or `map:..` (README.md says what they
/// mean). Throws InputError for anything else, also for more than 64 CPUs.
MachineDescription parse_topology(std::string_view spec);

/// The shortest spec with the same domain levels (`host` becomes smp:2 and the like), so that what
/// was found on one machine can be replayed on another; a `map:` spec if no shorthand has them.
std::string canonical_spec(const MachineDescription& machine);

/// Parses "0-3,8"; an empty text is the empty list. Nothing for a text that is no such list or has
/// a number from kMachineCpuEnd on.
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

/// Reads the online CPUs below `sysfs_root` and numbers them 0..n-1 in ascending order.
/// What a virtual machine does not tell falls back: no cache list to one LLC per package, no
/// package list to one package, no node directory to one node, no node distances to 10 and 20. Of
/// distances that differ by direction the farther counts.
/// Throws InputError if no CPU is found, a list is malformed, or more than 64 CPUs are online.
MachineDescription read_host_topology(const std::filesystem::path& sysfs_root = "/sys");

}  // namespace schedcheck
