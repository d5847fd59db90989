// SPDX-License-Identifier: Apache-2.0
/// \file
/// Spans of the raw levels: nesting by hand, NUMA levels by distance, and what is refused.

#include "model/topology/topology_levels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

using Spans = std::vector<CpuMask>;

MachineDescription nodes_at(std::vector<std::vector<int>> distance) {
  MachineDescription machine = parse_topology("numa:" + std::to_string(distance.size()) + "x1");
  machine.node_distance = std::move(distance);
  return machine;
}

std::string names(const std::vector<TopologyLevel>& levels) {
  std::string text;
  for (const TopologyLevel& level : levels) text += (text.empty() ? "" : " ") + level.name;
  return text;
}

TEST(TopologyLevels, NestFromThreadsToTheNode) {
  // Two LLCs of one core with two threads each: no spec has all three levels.
  const std::vector<CpuPlace> cpus = {{0, 0, 0}, {0, 0, 0}, {1, 1, 0}, {1, 1, 0}};
  const auto levels = topology_levels({"2 x 1 x 2", cpus, {{10}}, {0, 1, 2, 3}});
  ASSERT_EQ(names(levels), "SMT CLS MC PKG NODE");
  EXPECT_EQ(levels[0].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
  EXPECT_EQ(levels[1].spans, levels[0].spans);  // No clusters: those of the level below.
  EXPECT_EQ(levels[2].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
  EXPECT_EQ(levels[3].spans, (Spans{0xf, 0xf, 0xf, 0xf}));
  EXPECT_EQ(levels[4].spans, levels[3].spans);
}

TEST(TopologyLevels, HaveAClusterBetweenCoreAndCache) {
  const auto levels = topology_levels(describe("", {.clusters = 2, .cores = 2, .threads = 2}));
  EXPECT_EQ(levels[1].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
  const auto wide = topology_levels(describe("", {.clusters = 2, .cores = 4}));
  EXPECT_EQ(wide[0].spans, (Spans{0x1, 0x2, 0x4, 0x8}));
  EXPECT_EQ(wide[1].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
}

TEST(TopologyLevels, HaveOneNumaLevelPerDistinctDistance) {
  const auto levels = topology_levels(
      nodes_at({{10, 12, 40, 40}, {12, 10, 40, 40}, {40, 40, 10, 12}, {40, 40, 12, 10}}));
  ASSERT_EQ(names(levels), "SMT CLS MC PKG NODE NUMA NUMA");
  EXPECT_EQ(levels[5].node_distance, 12);
  EXPECT_EQ(levels[5].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
  EXPECT_EQ(levels[6].node_distance, 40);
  EXPECT_EQ(levels[6].spans, (Spans{0xf, 0xf, 0xf, 0xf}));
}

TEST(TopologyLevels, HaveNoPackageLevelWithNodesInsideAPackage) {
  MachineDescription machine = parse_topology("numa:2x2");
  for (CpuPlace& place : machine.cpus) place.package = 0;
  const auto levels = topology_levels(machine);
  ASSERT_EQ(names(levels), "SMT CLS MC NODE NUMA");
  EXPECT_EQ(levels[3].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
}

TEST(TopologyLevels, SplitACacheThatServesTwoNodes) {
  MachineDescription machine = parse_topology("numa:2x2");
  for (CpuPlace& place : machine.cpus) place.llc = 0;
  EXPECT_EQ(topology_levels(machine)[2].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
}

TEST(TopologyLevels, SpanSixtyFourCpus) {
  EXPECT_EQ(topology_levels(parse_topology("smp:64"))[2].spans[63], ~CpuMask{0});
  EXPECT_EQ(topology_levels(parse_topology("smt:32x2"))[0].spans[63], CpuMask{3} << 62);
}

TEST(TopologyLevels, OverlapWhereNodesReachDifferentNodes) {
  const auto levels = topology_levels(
      nodes_at({{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}}));
  EXPECT_EQ(levels[5].spans, (Spans{0xb, 0x7, 0xe, 0xd}));
  EXPECT_EQ(levels[6].spans, (Spans{0xf, 0xf, 0xf, 0xf}));
}

TEST(TopologyLevels, RefuseADescriptionThatDoesNotFitItself) {
  EXPECT_THROW(topology_levels(MachineDescription{}), InputError);
  MachineDescription machine = parse_topology("smp:2");
  machine.cpus[1].node = 1;
  EXPECT_THROW(topology_levels(machine), InputError);
  machine = parse_topology("smp:64");
  machine.cpus.push_back(machine.cpus.back());
  EXPECT_THROW(topology_levels(machine), InputError);
  EXPECT_THROW(topology_levels(nodes_at({{10, 20}, {25, 10}})), InputError);
  EXPECT_THROW(topology_levels(nodes_at({{10, 10}, {10, 10}})), InputError);
  EXPECT_THROW(topology_levels(nodes_at({{10, 256}, {256, 10}})), InputError);
  EXPECT_THROW(topology_levels(nodes_at({{11, 20}, {20, 11}})), InputError);
  EXPECT_THROW(topology_levels(nodes_at({{10, 20}, {20}})), InputError);
}

}  // namespace
}  // namespace schedcheck
