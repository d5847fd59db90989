// SPDX-License-Identifier: Apache-2.0
/// \file
/// Spans of the domain levels, as connected components of the graph of shared parts.

#include "model/topology/topology_levels.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstddef>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

/// The edge between two CPUs says which level is the lowest whose domain contains both.
struct ClosestLevel {
  std::size_t level = 0;
};

using CpuGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                       boost::no_property, ClosestLevel>;

/// Keeps the edges of at most one level. Boost requires a default constructor.
struct AtMostLevel {
  const CpuGraph* graph = nullptr;
  std::size_t level = 0;
  bool operator()(const CpuGraph::edge_descriptor& edge) const {
    return (*graph)[edge].level <= level;
  }
};

/// A firmware table may be asymmetric; the farther direction counts.
int distance_between(const MachineDescription& machine, int a, int b) {
  const auto i = static_cast<std::size_t>(a);
  const auto j = static_cast<std::size_t>(b);
  return std::max(machine.node_distance[i][j], machine.node_distance[j][i]);
}

void check(const MachineDescription& machine) {
  const std::size_t nodes = machine.node_distance.size();
  bool sound = !machine.cpus.empty() && machine.cpus.size() <= kMaxCpus;
  for (const auto& row : machine.node_distance) sound = sound && row.size() == nodes;
  for (const CpuPlace& place : machine.cpus) {
    sound = sound && place.node >= 0 && static_cast<std::size_t>(place.node) < nodes;
  }
  if (sound) return;
  throw InputError("topology '" + machine.spec +
                   "': needs 1..64 CPUs and a square table of distances that covers every node; "
                   "try smp:4");
}

/// The table without spans: distances between nodes that have CPUs become levels, nearest first.
std::vector<TopologyLevel> level_table(const MachineDescription& machine) {
  std::vector<int> distances;
  for (const CpuPlace& a : machine.cpus) {
    for (const CpuPlace& b : machine.cpus) {
      if (a.node != b.node) distances.push_back(distance_between(machine, a.node, b.node));
    }
  }
  std::sort(distances.begin(), distances.end());
  distances.erase(std::unique(distances.begin(), distances.end()), distances.end());

  std::vector<TopologyLevel> levels = {{"SMT", LevelKind::kSmt, 0, {}},
                                       {"MC", LevelKind::kMc, 0, {}},
                                       {"PKG", LevelKind::kPkg, 0, {}}};
  for (const int distance : distances) levels.push_back({"NUMA", LevelKind::kNuma, distance, {}});
  return levels;
}

bool share(const MachineDescription& machine, const TopologyLevel& level, const CpuPlace& a,
           const CpuPlace& b) {
  if (level.kind == LevelKind::kNuma) {
    return a.node == b.node || distance_between(machine, a.node, b.node) <= level.node_distance;
  }
  // A cache that serves two nodes is split between them, so that levels nest.
  if (a.node != b.node) return false;
  if (level.kind == LevelKind::kSmt) return a.core == b.core;
  if (level.kind == LevelKind::kMc) return a.llc == b.llc;
  return true;
}

CpuGraph closeness_graph(const MachineDescription& machine,
                         const std::vector<TopologyLevel>& levels) {
  CpuGraph graph(machine.cpus.size());
  for (std::size_t a = 0; a < machine.cpus.size(); ++a) {
    for (std::size_t b = a + 1; b < machine.cpus.size(); ++b) {
      std::size_t level = 0;
      // The highest level joins every pair: it has the largest distance, or there is one node.
      while (!share(machine, levels[level], machine.cpus[a], machine.cpus[b])) ++level;
      boost::add_edge(a, b, ClosestLevel{level}, graph);
    }
  }
  return graph;
}

std::vector<CpuMask> spans_at(const CpuGraph& graph, std::size_t level) {
  const boost::filtered_graph<CpuGraph, AtMostLevel> near(graph, AtMostLevel{&graph, level});
  std::vector<std::size_t> component(boost::num_vertices(graph));
  std::vector<CpuMask> members(boost::connected_components(
      near, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, near))));
  for (std::size_t cpu = 0; cpu < component.size(); ++cpu) {
    members[component[cpu]] |= CpuMask{1} << cpu;
  }
  std::vector<CpuMask> spans;
  spans.reserve(component.size());
  for (const std::size_t c : component) spans.push_back(members[c]);
  return spans;
}

/// Components hide that A is near B and B near C, but A far from C: the kernel's spans then
/// overlap.
void refuse_overlap(const MachineDescription& machine, const CpuGraph& graph,
                    const TopologyLevel& level, std::size_t index) {
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
    const std::size_t a = boost::source(edge, graph);
    const std::size_t b = boost::target(edge, graph);
    if (graph[edge].level <= index || ((level.spans[a] >> b) & 1) == 0) continue;
    throw InputError("topology '" + machine.spec + "': " + level.name + " spans overlap, CPU " +
                     std::to_string(a) + " reaches CPU " + std::to_string(b) +
                     " only through a third node; try numa:NxC with equal distances");
  }
}

}  // namespace

std::vector<TopologyLevel> topology_levels(const MachineDescription& machine) {
  check(machine);
  std::vector<TopologyLevel> levels = level_table(machine);
  const CpuGraph graph = closeness_graph(machine, levels);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels[i].spans = spans_at(graph, i);
    refuse_overlap(machine, graph, levels[i], i);
  }
  return levels;
}

}  // namespace schedcheck
