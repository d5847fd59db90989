// SPDX-License-Identifier: Apache-2.0
/// \file
/// Machine descriptions from a topology spec.

#include "model/topology/machine_description.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include "model/input_error.hpp"
#include "model/topology/topology_levels.hpp"

namespace schedcheck {
namespace {

constexpr int kRemoteDistance = 20;

[[noreturn]] void fail(std::string_view spec, const std::string& what, std::string_view remedy) {
  throw InputError("topology '" + std::string(spec) + "': " + what + "; try " +
                   std::string(remedy));
}

/// One row of the spec language. `second` is empty for kinds with one number.
struct Kind {
  std::string_view name;
  std::string_view first;
  std::string_view second;
  std::string_view example;
};

constexpr std::array<Kind, 4> kKinds = {{
    {"smp", "CPUs", "", "smp:4"},
    {"llc", "LLCs", "CPUs per LLC", "llc:2x2"},
    {"smt", "cores", "threads per core", "smt:4x2"},
    {"numa", "nodes", "CPUs per node", "numa:2x4"},
}};

/// Signs, blanks and leading zeros are refused, so that a machine has one spelling.
int parse_count(std::string_view spec, std::string_view text, std::string_view what,
                std::string_view example) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || value < 1 || value > kMaxCpus || text.front() == '0') {
    fail(spec, "the number of " + std::string(what) + " must be 1.." + std::to_string(kMaxCpus),
         example);
  }
  return value;
}

MachineShape parse_shape(std::string_view spec, const Kind& kind, std::string_view arguments) {
  if (kind.second.empty()) return {.cores = parse_count(spec, arguments, kind.first, kind.example)};
  const std::size_t x = arguments.find('x');
  if (x == std::string_view::npos) {
    fail(spec, "needs two numbers, " + std::string(kind.first) + " x " + std::string(kind.second),
         kind.example);
  }
  const int first = parse_count(spec, arguments.substr(0, x), kind.first, kind.example);
  const int second = parse_count(spec, arguments.substr(x + 1), kind.second, kind.example);
  if (first * second > kMaxCpus) {
    fail(spec,
         std::to_string(first * second) + " CPUs, but at most " + std::to_string(kMaxCpus) +
             " are modelled",
         kind.example);
  }
  if (kind.name == "llc") return {.llcs = first, .cores = first * second};
  if (kind.name == "smt") return {.cores = first, .threads = second};
  return {.packages = first, .cores = second, .nodes = first};
}

constexpr std::string_view kMap = "map:";
constexpr std::array kMapFields = {&CpuPlace::core, &CpuPlace::llc, &CpuPlace::node,
                                   &CpuPlace::package, &CpuPlace::cluster};

/// One list of numbers: how many CPUs, the fields of each, the distances row by row.
MachineDescription parse_map(std::string_view spec) {
  constexpr const char* kRemedy = "a topology file (.json)";
  std::vector<int> numbers;
  for (std::string_view rest = spec.substr(kMap.size() - 1); !rest.empty();) {
    rest.remove_prefix(1);  // The colon or a comma.
    const std::string_view item = rest.substr(0, rest.find(','));
    const auto at = std::from_chars(item.data(), item.data() + item.size(), numbers.emplace_back());
    if (at.ec != std::errc() || at.ptr != item.data() + item.size() || numbers.back() < -1 ||
        numbers.back() > kMaxDistance)
      fail(spec, "'" + std::string(item) + "' is not a number of a map", kRemedy);
    rest.remove_prefix(item.size());
  }
  MachineDescription machine{std::string(spec), {}, {}, {}};
  auto next = numbers.begin() + 1;
  for (int cpu = 0; cpu < numbers[0]; ++cpu) {
    if (numbers.end() - next < std::ssize(kMapFields)) fail(spec, "the map is cut short", kRemedy);
    machine.host_cpu.push_back(cpu);
    machine.cpus.emplace_back();
    for (const auto field : kMapFields) machine.cpus.back().*field = *next++;
  }
  const auto side = std::lround(std::sqrt(numbers.end() - next));
  for (; numbers.end() - next >= std::max(1L, side); next += side)
    machine.node_distance.emplace_back(next, next + side);
  if (next != numbers.end()) fail(spec, "its distances are not a square table", kRemedy);
  check_machine(machine);
  return machine;
}

std::string map_spec(const MachineDescription& machine) {
  std::string spec = std::string(kMap) + std::to_string(machine.cpus.size());
  for (const CpuPlace& place : machine.cpus)
    for (const auto field : kMapFields) spec += "," + std::to_string(place.*field);
  for (const auto& row : machine.node_distance)
    for (const int distance : row) spec += "," + std::to_string(distance);
  return spec;
}

}  // namespace

std::vector<std::vector<int>> default_distances(int nodes) {
  const auto n = static_cast<std::size_t>(nodes);
  std::vector<std::vector<int>> distance(n, std::vector<int>(n, kRemoteDistance));
  for (std::size_t i = 0; i < n; ++i) distance[i][i] = kLocalDistance;
  return distance;
}

MachineDescription describe(std::string spec, const MachineShape& shape) {
  const int per_package = shape.cores * shape.threads;
  const int nr_cpus = shape.packages * per_package;
  MachineDescription machine{std::move(spec), {}, default_distances(shape.nodes), {}};
  for (int cpu = 0; cpu < nr_cpus; ++cpu) {
    machine.cpus.push_back(
        {.core = cpu / shape.threads,
         .llc = cpu * shape.llcs / per_package,
         .node = cpu * shape.nodes / nr_cpus,
         .package = cpu / per_package,
         .cluster = shape.clusters == 0 ? -1 : cpu * shape.clusters / per_package});
    machine.host_cpu.push_back(cpu);
  }
  return machine;
}

MachineDescription parse_topology(std::string_view spec) {
  if (spec.find_first_of(" \t\r\n") != std::string_view::npos)
    fail(spec, "has a blank in it", "smp:4 or another one without blanks");
  if (spec == "host") return read_host_topology();
  if (spec.starts_with(kMap)) return parse_map(spec);
  const std::size_t colon = spec.find(':');
  for (const Kind& kind : kKinds) {
    if (spec.substr(0, colon) != kind.name) continue;
    const std::string_view arguments =
        colon == std::string_view::npos ? "" : spec.substr(colon + 1);
    return describe(std::string(spec), parse_shape(spec, kind, arguments));
  }
  fail(spec,
       "unknown topology, known are smp:N, llc:AxB, smt:CxT, numa:NxC, host and files (.json)",
       "smp:4");
}

std::string canonical_spec(const MachineDescription& machine) {
  const auto levels = topology_levels(machine);
  const int n = static_cast<int>(machine.cpus.size());
  std::vector<std::string> candidates = {"smp:" + std::to_string(n)};
  for (int parts = 1; parts <= n; ++parts) {
    if (n % parts != 0) continue;
    for (const char* kind : {"llc:", "smt:", "numa:"})
      candidates.push_back(kind + std::to_string(parts) + "x" + std::to_string(n / parts));
  }
  for (const std::string& candidate : candidates)
    if (topology_levels(parse_topology(candidate)) == levels) return candidate;
  return map_spec(machine);
}

}  // namespace schedcheck
