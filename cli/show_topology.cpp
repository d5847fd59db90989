// SPDX-License-Identifier: Apache-2.0
/// \file `list topologies --show T`: the domains of a machine as text, DOT or JSON.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/commands.hpp"
#include "counterexamples/domain_names.hpp"
#include "counterexamples/topology_json.hpp"

namespace schedcheck::cli {
namespace {

struct Shown {
  MachineDescription machine;
  KernelChoice kernel;
  Topology topology;
  [[nodiscard]] std::string cpus(CpuMask mask) const { return cpu_list_text(machine, mask); }
};

/// The distinct domains of each row of the level table, each with the first CPU that has it.
using Rows = std::map<int, std::vector<std::pair<CpuMask, std::size_t>>>;

Rows rows_of(const Topology& topology) {
  Rows rows;
  for (std::size_t cpu = 0; cpu < topology.domains.size(); ++cpu)
    for (const SchedDomain& sd : topology.domains[cpu]) {
      auto& row = rows[sd.level];
      if (std::none_of(row.begin(), row.end(), [&](const auto& at) { return at.first == sd.span; }))
        row.emplace_back(sd.span, cpu);
    }
  return rows;
}

const SchedDomain* domain_at(const Topology& topology, std::size_t cpu, int level) {
  for (const SchedDomain& sd : topology.domains[cpu])
    if (sd.level == level) return &sd;
  return nullptr;
}

/// A, B, .. Z, a, .. then two letters.
std::string letter(std::size_t i) {
  const auto one = [](std::size_t n) { return static_cast<char>(n < 26 ? 'A' + n : 'a' + n - 26); };
  return i < 52 ? std::string(1, one(i)) : std::string{'A', one(i - 52)};
}

/// One column per CPU: which domain of the row it has.
void print_picture(const Shown& shown, const Rows& rows) {
  print("{:<6}", "CPU");
  for (const int cpu : shown.machine.host_cpu) print("{:>3}", cpu);
  print("\n");
  for (const auto& [level, row] : rows) {
    const SchedDomain& first = *domain_at(shown.topology, row[0].second, level);
    print("{:<6}", domain_name(first, shown.kernel.version));
    for (std::size_t cpu = 0; cpu < shown.topology.domains.size(); ++cpu) {
      const SchedDomain* sd = domain_at(shown.topology, cpu, level);
      std::string text = ".";
      for (std::size_t i = 0; i < row.size() && sd != nullptr; ++i)
        if (row[i].first == sd->span) text = letter(i);
      print("{:>3}", text);
    }
    print("\n");
  }
}

std::string group_text(const Shown& shown, const SchedDomain& sd, std::size_t g) {
  std::string text = "{" + shown.cpus(sd.groups[g]) + "}";
  if (sd.balance_masks[g] != sd.groups[g])
    text += fmt::format(" (balanced by {})", shown.cpus(sd.balance_masks[g]));
  return text;
}

void print_level(const Shown& shown, int level,
                 const std::vector<std::pair<CpuMask, std::size_t>>& row) {
  const SchedDomain& first = *domain_at(shown.topology, row[0].second, level);
  const int version = shown.kernel.version;
  print("\n{}: imbalance_pct {}, cache_nice_tries {}, busy_factor {}\n  {}\n",
        domain_name(first, version), first.imbalance_pct, first.cache_nice_tries, first.busy_factor,
        flag_names(first.flags, version, ""));
  for (std::size_t i = 0; i < row.size(); ++i) {
    const SchedDomain& sd = *domain_at(shown.topology, row[i].second, level);
    std::string groups;
    for (std::size_t g = 0; g < sd.groups.size(); ++g) groups += " " + group_text(shown, sd, g);
    print("  {} = {}: interval {} to {} ms, imb_numa_nr {}, prefer_sibling {}; from CPU {}:{}\n",
          letter(i), shown.cpus(sd.span), sd.min_interval(), sd.max_interval(), sd.imb_numa_nr,
          sd.prefer_sibling ? 1 : 0, shown.machine.host_cpu[row[i].second], groups);
  }
}

void print_text(const Shown& shown, const std::string& name) {
  const Rows rows = rows_of(shown.topology);
  print("{} on {}: {} CPU{}, {} node{}\n", name, shown.kernel.name, shown.topology.nr_cpus,
        shown.topology.nr_cpus == 1 ? "" : "s", shown.machine.node_distance.size(),
        shown.machine.node_distance.size() == 1 ? "" : "s");
  print_picture(shown, rows);
  if (rows.empty()) print("no domains: every fork stays, nothing is balanced\n");
  for (const auto& [level, row] : rows) print_level(shown, level, row);
}

/// CPUs and domains are nodes; an edge leads from each to the next domain that its CPUs have.
void print_dot(const Shown& shown, const std::string& name) {
  const auto quoted = [](const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return "\"" + out + "\"";
  };
  print("digraph domains {{\n  label={};\n  rankdir=BT;\n  node [shape=box];\n",
        quoted(name + " on " + shown.kernel.name));
  std::vector<std::string> edges;
  for (std::size_t cpu = 0; cpu < shown.topology.domains.size(); ++cpu) {
    std::string below = fmt::format("cpu{}", shown.machine.host_cpu[cpu]);
    print("  {} [label=\"CPU {}\", shape=ellipse];\n", below, shown.machine.host_cpu[cpu]);
    for (const SchedDomain& sd : shown.topology.domains[cpu]) {
      const std::string node = fmt::format("level{}_{:x}", sd.level, sd.span);
      edges.push_back(fmt::format("  {} -> {};\n", below, node));
      below = node;
    }
  }
  for (const auto& [level, row] : rows_of(shown.topology))
    for (const auto& [span, cpu] : row) {
      const SchedDomain& sd = *domain_at(shown.topology, cpu, level);
      print("  level{}_{:x} [label=\"{} {}\\n{} groups, {} %, {} to {} ms\"];\n", level, span,
            domain_name(sd, shown.kernel.version), shown.cpus(span), sd.groups.size(),
            sd.imbalance_pct, sd.min_interval(), sd.max_interval());
    }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const std::string& edge : edges) print("{}", edge);
  print("}}\n");
}

}  // namespace

void show_topology(const ListOptions& o) {
  Shown shown{load_topology(o.show), parse_kernel(o.kernel), {}};
  shown.topology = build_sched_domains(shown.machine, shown.kernel.switches);
  if (o.to == "json") {
    print("{}\n", topology_json(shown.machine, true));
    return;
  }
  if (o.to != "dot") print_text(shown, o.show);
  if (o.to.empty()) print("\n");
  if (o.to != "text") print_dot(shown, o.show);
}

}  // namespace schedcheck::cli
