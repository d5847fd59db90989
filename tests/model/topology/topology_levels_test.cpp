// SPDX-License-Identifier: Apache-2.0
/// \file
/// Spans of the raw levels: nesting by hand, NUMA levels by distance, and the refusal of overlap.

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

TEST(TopologyLevels, NestFromThreadsToTheNode) {
  // Two LLCs of one core with two threads each: no spec has all three levels.
  const std::vector<CpuPlace> cpus = {{0, 0, 0}, {0, 0, 0}, {1, 1, 0}, {1, 1, 0}};
  const auto levels = topology_levels({"2 x 1 x 2", cpus, {{10}}, {0, 1, 2, 3}});
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[0].name, "SMT");
  EXPECT_EQ(levels[0].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
  EXPECT_EQ(levels[1].name, "MC");
  EXPECT_EQ(levels[1].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
  EXPECT_EQ(levels[2].name, "PKG");
  EXPECT_EQ(levels[2].spans, (Spans{0xf, 0xf, 0xf, 0xf}));
}

TEST(TopologyLevels, HaveOneNumaLevelPerDistinctDistance) {
  const auto levels = topology_levels(
      nodes_at({{10, 12, 40, 40}, {12, 10, 40, 40}, {40, 40, 10, 12}, {40, 40, 12, 10}}));
  ASSERT_EQ(levels.size(), 5U);
  EXPECT_EQ(levels[3].node_distance, 12);
  EXPECT_EQ(levels[3].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
  EXPECT_EQ(levels[4].node_distance, 40);
  EXPECT_EQ(levels[4].spans, (Spans{0xf, 0xf, 0xf, 0xf}));
}

TEST(TopologyLevels, TakeTheFartherDirectionOfAnAsymmetricTable) {
  const auto levels = topology_levels(nodes_at({{10, 20}, {25, 10}}));
  ASSERT_EQ(levels.size(), 4U);
  EXPECT_EQ(levels[3].node_distance, 25);
}

TEST(TopologyLevels, SplitACacheThatServesTwoNodes) {
  MachineDescription machine = parse_topology("numa:2x2");
  for (CpuPlace& place : machine.cpus) place.llc = 0;
  EXPECT_EQ(topology_levels(machine)[1].spans, (Spans{0x3, 0x3, 0xc, 0xc}));
}

TEST(TopologyLevels, SpanSixtyFourCpus) {
  EXPECT_EQ(topology_levels(parse_topology("smp:64"))[1].spans[63], ~CpuMask{0});
  EXPECT_EQ(topology_levels(parse_topology("smt:32x2"))[0].spans[63], CpuMask{3} << 62);
}

TEST(TopologyLevels, RefuseOverlappingSpans) {
  const MachineDescription ring =
      nodes_at({{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}});
  try {
    topology_levels(ring);
    ADD_FAILURE() << "accepted a ring of four nodes";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("CPU 0 reaches CPU 2"), std::string::npos)
        << error.what();
  }
}

TEST(TopologyLevels, RefuseADescriptionThatDoesNotFitItself) {
  EXPECT_THROW(topology_levels(MachineDescription{}), InputError);
  MachineDescription machine = parse_topology("smp:2");
  machine.cpus[1].node = 1;
  EXPECT_THROW(topology_levels(machine), InputError);
  machine = parse_topology("smp:64");
  machine.cpus.push_back(machine.cpus.back());
  EXPECT_THROW(topology_levels(machine), InputError);
}

}  // namespace
}  // namespace schedcheck
