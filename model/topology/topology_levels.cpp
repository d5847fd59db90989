// SPDX-License-Identifier: Apache-2.0
/// \file
/// Spans of the domain levels, as connected components of the graph of shared parts.

#include "model/topology/topology_levels.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstddef>
#include <set>

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

int distance_between(const MachineDescription& machine, const CpuPlace& a, const CpuPlace& b) {
  return machine.node_distance[static_cast<std::size_t>(a.node)][static_cast<std::size_t>(b.node)];
}

/// The table without spans: distances between nodes that have CPUs become levels, nearest first.
std::vector<TopologyLevel> level_table(const MachineDescription& machine) {
  std::set<int> distances;
  bool numa_in_package = false;
  for (const CpuPlace& a : machine.cpus) {
    for (const CpuPlace& b : machine.cpus) {
      if (a.node == b.node) continue;
      distances.insert(distance_between(machine, a, b));
      numa_in_package = numa_in_package || a.package == b.package;
    }
  }
  std::vector<TopologyLevel> levels = {{"SMT", LevelKind::kSmt, 0, {}},
                                       {"CLS", LevelKind::kCluster, 0, {}},
                                       {"MC", LevelKind::kMc, 0, {}}};
  if (!numa_in_package) levels.push_back({"PKG", LevelKind::kPkg, 0, {}});
  levels.push_back({"NODE", LevelKind::kNode, 0, {}});
  for (const int distance : distances) levels.push_back({"NUMA", LevelKind::kNuma, distance, {}});
  return levels;
}

bool share(const MachineDescription& machine, const TopologyLevel& level, const CpuPlace& a,
           const CpuPlace& b) {
  // A cache that serves two nodes is split between them, so that levels nest.
  if (a.node != b.node)
    return level.kind == LevelKind::kNuma && distance_between(machine, a, b) <= level.node_distance;
  if (level.kind == LevelKind::kSmt) return a.core == b.core;
  if (level.kind == LevelKind::kCluster)
    return a.core == b.core || (a.cluster >= 0 && a.cluster == b.cluster);
  return level.kind != LevelKind::kMc || a.llc == b.llc;
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

/// Parts of a node are components. Nodes are within reach or not, seen from each of them: A near B
/// and B near C do not make A near C, and the spans overlap.
std::vector<CpuMask> spans_at(const CpuGraph& graph, std::size_t level, bool numa) {
  const boost::filtered_graph<CpuGraph, AtMostLevel> near(graph, AtMostLevel{&graph, level});
  const std::size_t nr_cpus = boost::num_vertices(graph);
  std::vector<std::size_t> component(nr_cpus);
  boost::connected_components(
      near, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, near)));
  std::vector<CpuMask> spans(nr_cpus);
  for (std::size_t a = 0; a < nr_cpus; ++a) {
    spans[a] |= CpuMask{1} << a;
    if (numa) {
      for (const std::size_t b : boost::make_iterator_range(boost::adjacent_vertices(a, near)))
        spans[a] |= CpuMask{1} << b;
    } else {
      for (std::size_t b = 0; b < nr_cpus; ++b)
        spans[a] |= CpuMask{component[a] == component[b]} << b;
    }
  }
  return spans;
}

}  // namespace

void check_machine(const MachineDescription& machine) {
  const auto& table = machine.node_distance;
  bool sound = !machine.cpus.empty() && machine.cpus.size() <= kMaxCpus;
  for (std::size_t a = 0; a < table.size(); ++a) {
    sound = sound && table[a].size() == table.size();
    for (std::size_t b = 0; sound && b <= a; ++b)
      sound = table[a][b] == table[b][a] && table[a][b] <= kMaxDistance &&
              (a == b ? table[a][b] == kLocalDistance : table[a][b] > kLocalDistance);
  }
  for (const CpuPlace& place : machine.cpus)
    sound = sound && place.node >= 0 && static_cast<std::size_t>(place.node) < table.size();
  if (sound) return;
  throw InputError("topology '" + machine.spec +
                   "': needs 1..64 CPUs and a square, symmetric table of distances (10 inside a "
                   "node, 11..255 between nodes) that covers every node; try smp:4");
}

std::vector<TopologyLevel> topology_levels(const MachineDescription& machine) {
  check_machine(machine);
  std::vector<TopologyLevel> levels = level_table(machine);
  const CpuGraph graph = closeness_graph(machine, levels);
  for (std::size_t i = 0; i < levels.size(); ++i)
    levels[i].spans = spans_at(graph, i, levels[i].kind == LevelKind::kNuma);
  return levels;
}

}  // namespace schedcheck
