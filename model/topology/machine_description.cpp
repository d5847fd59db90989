// SPDX-License-Identifier: Apache-2.0
/// \file
/// Machine descriptions from a topology spec.

#include "model/topology/machine_description.hpp"

#include <array>
#include <charconv>
#include <numeric>
#include <system_error>
#include <utility>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

constexpr int kLocalDistance = 10;
constexpr int kRemoteDistance = 20;

[[noreturn]] void fail(std::string_view spec, const std::string& what, std::string_view remedy) {
  throw InputError("topology '" + std::string(spec) + "': " + what + "; try " +
                   std::string(remedy));
}

/// A regular machine: every part holds equally many parts of the next smaller kind.
struct Shape {
  int nodes = 1;
  int llcs_per_node = 1;
  int cores_per_llc = 1;
  int threads = 1;
};

MachineDescription describe(std::string spec, const Shape& shape) {
  MachineDescription machine{std::move(spec), {}, default_distances(shape.nodes), {}};
  for (int llc = 0; llc < shape.nodes * shape.llcs_per_node; ++llc) {
    for (int c = 0; c < shape.cores_per_llc; ++c) {
      const CpuPlace place{llc * shape.cores_per_llc + c, llc, llc / shape.llcs_per_node};
      machine.cpus.insert(machine.cpus.end(), static_cast<std::size_t>(shape.threads), place);
    }
  }
  machine.host_cpu.resize(machine.cpus.size());
  std::iota(machine.host_cpu.begin(), machine.host_cpu.end(), 0);
  return machine;
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

Shape parse_shape(std::string_view spec, const Kind& kind, std::string_view arguments) {
  if (kind.second.empty()) {
    return {.cores_per_llc = parse_count(spec, arguments, kind.first, kind.example)};
  }
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
  if (kind.name == "llc") return {.llcs_per_node = first, .cores_per_llc = second};
  if (kind.name == "smt") return {.cores_per_llc = first, .threads = second};
  return {.nodes = first, .cores_per_llc = second};
}

}  // namespace

std::vector<std::vector<int>> default_distances(int nodes) {
  const auto n = static_cast<std::size_t>(nodes);
  std::vector<std::vector<int>> distance(n, std::vector<int>(n, kRemoteDistance));
  for (std::size_t i = 0; i < n; ++i) distance[i][i] = kLocalDistance;
  return distance;
}

MachineDescription parse_topology(std::string_view spec) {
  if (spec.find_first_of(" \t\r\n") != std::string_view::npos)
    fail(spec, "has a blank in it", "smp:4 or another one without blanks");
  if (spec == "host") return read_host_topology();
  const std::size_t colon = spec.find(':');
  for (const Kind& kind : kKinds) {
    if (spec.substr(0, colon) != kind.name) continue;
    const std::string_view arguments =
        colon == std::string_view::npos ? "" : spec.substr(colon + 1);
    return describe(std::string(spec), parse_shape(spec, kind, arguments));
  }
  fail(spec, "unknown topology, known are smp:N, llc:AxB, smt:CxT, numa:NxC and host", "smp:4");
}

std::string canonical_spec(const MachineDescription& machine) {
  const auto same = [&](const MachineDescription& other) {
    return machine.cpus == other.cpus && machine.node_distance == other.node_distance;
  };
  const int n = static_cast<int>(machine.cpus.size());
  const auto spec = [](const char* kind, int a, int b) {
    return std::string(kind) + ":" + std::to_string(a) + "x" + std::to_string(b);
  };
  std::vector<std::string> candidates = {"smp:" + std::to_string(n)};
  for (int parts = 2; parts <= n; ++parts) {
    if (n % parts != 0) continue;
    for (const char* kind : {"llc", "smt", "numa"})
      candidates.push_back(spec(kind, parts, n / parts));
  }
  for (const std::string& candidate : candidates)
    if (same(parse_topology(candidate))) return candidate;
  return machine.spec;
}

}  // namespace schedcheck
