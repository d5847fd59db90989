// SPDX-License-Identifier: Apache-2.0
/// \file
/// Topology specs and counts: what each describes, and that anything else is refused with a remedy.
/// Method: every kind once by hand, a table of malformed specs, the limit of 64 CPUs from both
/// sides.

#include "model/topology/machine_description.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/input_error.hpp"
#include "tests/support/refusal.hpp"

namespace schedcheck {
namespace {

using Numbers = std::vector<int>;

Numbers column(const MachineDescription& machine, int CpuPlace::*part) {
  Numbers numbers;
  for (const CpuPlace& place : machine.cpus) numbers.push_back(place.*part);
  return numbers;
}

std::string refusal(const std::string& spec) {
  return refusal_of([&] { parse_topology(spec); });
}

TEST(ParseTopology, SmpHasOneLlcAndOneCorePerCpu) {
  const MachineDescription machine = parse_topology("smp:3");
  EXPECT_EQ(machine.spec, "smp:3");
  EXPECT_EQ(column(machine, &CpuPlace::core), (Numbers{0, 1, 2}));
  EXPECT_EQ(column(machine, &CpuPlace::llc), (Numbers{0, 0, 0}));
  EXPECT_EQ(column(machine, &CpuPlace::node), (Numbers{0, 0, 0}));
  EXPECT_EQ(machine.node_distance, (std::vector<Numbers>{{10}}));
  EXPECT_EQ(machine.host_cpu, (Numbers{0, 1, 2}));
}

TEST(ParseTopology, LlcHasAdjacentCpusInEachLlcOfOnePackage) {
  const MachineDescription machine = parse_topology("llc:2x3");
  EXPECT_EQ(column(machine, &CpuPlace::core), (Numbers{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(column(machine, &CpuPlace::llc), (Numbers{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(column(machine, &CpuPlace::node), (Numbers{0, 0, 0, 0, 0, 0}));
}

TEST(ParseTopology, SmtHasAdjacentSiblingsInOneLlc) {
  const MachineDescription machine = parse_topology("smt:2x3");
  EXPECT_EQ(column(machine, &CpuPlace::core), (Numbers{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(column(machine, &CpuPlace::llc), (Numbers{0, 0, 0, 0, 0, 0}));
}

TEST(ParseTopology, NumaHasAPackageAndAnLlcPerNode) {
  const MachineDescription machine = parse_topology("numa:3x2");
  EXPECT_EQ(column(machine, &CpuPlace::core), (Numbers{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(column(machine, &CpuPlace::llc), (Numbers{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(column(machine, &CpuPlace::node), (Numbers{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(machine.node_distance,
            (std::vector<Numbers>{{10, 20, 20}, {20, 10, 20}, {20, 20, 10}}));
}

TEST(ParseTopology, AcceptsUpToSixtyFourCpus) {
  for (const char* spec : {"smp:64", "llc:8x8", "llc:64x1", "smt:32x2", "smt:1x64", "numa:4x16"}) {
    EXPECT_EQ(parse_topology(spec).cpus.size(), 64U) << spec;
  }
  for (const char* spec : {"smp:1", "llc:1x1", "smt:1x1", "numa:1x1"}) {
    EXPECT_EQ(parse_topology(spec).cpus.size(), 1U) << spec;
  }
}

TEST(ParseTopology, RefusesMalformedSpecs) {
  for (const char* spec : {"",
                           ":",
                           "smp",
                           "smp:",
                           "smp:0",
                           "smp:-1",
                           "smp:+4",
                           "smp:04",
                           "smp:4x",
                           "smp:4x2",
                           "smp:4 ",
                           " smp:4",
                           "smp: 4",
                           "smp:0x4",
                           "smp:4.0",
                           "smp:65",
                           "smp:256",
                           "SMP:4",
                           "smp:four",
                           "smp:4\n",
                           "smp:4:4",
                           "smp:4294967300",
                           "smp:99999999999999999999",
                           "llc:",
                           "llc:2",
                           "llc:2x",
                           "llc:x2",
                           "llc:x",
                           "llc:0x2",
                           "llc:2x0",
                           "llc:2x-1",
                           "llc:2X2",
                           "llc:2x2x2",
                           "llc:2*2",
                           "llc:9x8",
                           "llc:64x64",
                           "smt:4",
                           "smt:33x2",
                           "smt:4x2,",
                           "smt:4,2",
                           "numa:2",
                           "numa:2x",
                           "numa:0x0",
                           "numa:5x13",
                           "node:2x2",
                           "host:",
                           "host:4",
                           "hosts",
                           "Host"}) {
    const std::string message = refusal(spec);
    EXPECT_TRUE(message.starts_with("topology '" + std::string(spec) + "': ")) << message;
    EXPECT_NE(message.find("; try "), std::string::npos) << message;
    EXPECT_EQ(message.find('!'), std::string::npos) << message;
  }
}

TEST(ParseTopology, SaysWhatIsWrongAndWhatToDo) {
  EXPECT_EQ(refusal("smp:0"), "topology 'smp:0': the number of CPUs must be 1..64; try smp:4");
  EXPECT_EQ(refusal("llc:2x"),
            "topology 'llc:2x': the number of CPUs per LLC must be 1..64; try llc:2x2");
  EXPECT_EQ(refusal("smt:4"),
            "topology 'smt:4': needs two numbers, cores x threads per core; try smt:4x2");
  EXPECT_EQ(refusal("numa:5x13"),
            "topology 'numa:5x13': 65 CPUs, but at most 64 are modelled; try numa:2x4");
  EXPECT_EQ(
      refusal("ring:4"),
      "topology 'ring:4': unknown topology, known are smp:N, llc:AxB, smt:CxT, numa:NxC, host "
      "and files (.json); try smp:4");
}

TEST(ParseTopology, ReadsBackTheMapOfAnyMachine) {
  MachineDescription machine = describe("", {.packages = 2, .clusters = 1, .cores = 2, .nodes = 2});
  machine.node_distance = {{10, 31}, {31, 10}};
  const std::string map = canonical_spec(machine);
  EXPECT_TRUE(map.starts_with("map:")) << map;
  const MachineDescription again = parse_topology(map);
  EXPECT_EQ(again.cpus, machine.cpus);
  EXPECT_EQ(again.node_distance, machine.node_distance);
  EXPECT_EQ(canonical_spec(again), map);
  // Every text that is cut short or has a wrong letter is refused or another machine, never a
  // crash.
  for (std::size_t i = 4; i < map.size(); ++i) {
    for (const std::string& text : {map.substr(0, i), std::string(map).replace(i, 1, "x"),
                                    std::string(map).replace(i, 1, "-")}) {
      try {
        EXPECT_NE(canonical_spec(parse_topology(text)), map) << text;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("; try "), std::string::npos) << error.what();
      }
    }
  }
}

TEST(CanonicalSpec, IsTheShorthandWithTheSameDomains) {
  for (const char* spec : {"smp:1", "smp:4", "smp:64", "llc:2x2", "smt:2x2", "smt:1x2", "numa:2x4",
                           "numa:4x1", "smt:32x2"})
    EXPECT_EQ(canonical_spec(parse_topology(spec)), spec);
  EXPECT_EQ(canonical_spec(parse_topology("llc:1x4")), "smp:4");
  // Packages inside one node are seen through their caches alone.
  EXPECT_EQ(canonical_spec(describe("", {.packages = 2, .cores = 2})), "llc:2x2");
  EXPECT_EQ(canonical_spec(describe("", {.packages = 2, .cores = 2, .nodes = 2})), "numa:2x2");
  // Nodes inside a package are not: there is no package level then.
  EXPECT_TRUE(canonical_spec(describe("", {.cores = 4, .nodes = 2})).starts_with("map:"));
}

}  // namespace
}  // namespace schedcheck
