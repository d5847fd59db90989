// SPDX-License-Identifier: Apache-2.0
/// \file
/// Domains and groups against the kernel's: the machines of kernel-facts 3.9 (read), raw level
/// tables put through v6.12's own functions (executed), and dumps of running 6.12.117 kernels, by
/// hand.

#include "model/topology/sched_domains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace schedcheck {
namespace {

using Json = nlohmann::json;
using Masks = std::vector<CpuMask>;

Json vectors(const std::string& file) {
  std::ifstream in(std::string(SCHEDCHECK_SOURCE_DIR) + "/tests/data/vectors/" + file);
  return Json::parse(in);
}

CpuMask mask(const Json& cpus) {
  CpuMask bits = 0;
  for (const Json& cpu : cpus) bits |= CpuMask{1} << cpu.get<int>();
  return bits;
}

SdFlags flags(const Json& names) {
  SdFlags bits = 0;
  for (const Json& name : names) {
    const auto at = std::find(kSdFlagNames.begin(), kSdFlagNames.end(), name.get<std::string>());
    EXPECT_NE(at, kSdFlagNames.end()) << name;
    bits |= SdFlags{1} << (at - kSdFlagNames.begin());
  }
  return bits;
}

bool has(SdFlags set, SdFlags flag) { return (set & flag) != 0; }

/// What both vector files record of a domain.
void expect_parameters(const SchedDomain& sd, const Json& expected) {
  const SdFlags expected_flags = flags(expected.at("flags"));
  EXPECT_EQ(sd.span, mask(expected.at("span")));
  EXPECT_EQ(sd.span_weight, std::popcount(sd.span));
  EXPECT_EQ(sd.flags, expected_flags);
  EXPECT_EQ(sd.balance_fork, has(expected_flags, kSdBalanceFork));
  EXPECT_EQ(sd.numa, has(expected_flags, kSdNuma));
  EXPECT_EQ(sd.share_llc, has(expected_flags, kSdShareLlc));
  EXPECT_EQ(sd.imbalance_pct, expected.at("imbalance_pct").get<int>());
  EXPECT_EQ(sd.cache_nice_tries, expected.at("cache_nice_tries").get<int>());
  EXPECT_EQ(sd.busy_factor, expected.at("busy_factor").get<int>());
  EXPECT_EQ(sd.span_weight, expected.at("min_interval_ms").get<int>());
  EXPECT_EQ(2 * sd.span_weight, expected.at("max_interval_ms").get<int>());
  const Json& imb = expected.at("imb_numa_nr");  // null = level below or at the LLC.
  EXPECT_EQ(sd.imb_numa_nr, imb.is_null() ? 0 : imb.get<int>());
}

TEST(BuildSchedDomains, AgreesWithTheDomainsReadFromTheKernel) {
  const std::map<std::string, std::string> specs = {
      {"2 CPUs, one LLC, no SMT", "smp:2"},
      {"4 CPUs, one LLC, no SMT (seed 000)", "smp:4"},
      {"4 CPUs, one LLC, no SMT, from CPU 2", "smp:4"},
      {"4 cores x SMT2, one LLC", "smt:4x2"},
      {"2 sockets = 2 NUMA nodes x 4 CPUs, LLC per socket", "numa:2x4"},
      {"2 LLCs x 4 CPUs in one node (PKG level kept)", "llc:2x4"}};
  const Json cases = vectors("topology.json");
  ASSERT_EQ(cases.size(), specs.size());
  for (const Json& expected : cases) {
    SCOPED_TRACE(expected.at("name"));
    const Topology topology = build_sched_domains(parse_topology(specs.at(expected.at("name"))));
    const auto& domains = topology.domains.at(expected.at("cpu").get<std::size_t>());
    ASSERT_EQ(domains.size(), expected.at("domains").size());
    for (std::size_t i = 0; i < domains.size(); ++i) {
      const Json& level = expected.at("domains").at(i);
      expect_parameters(domains[i], level);
      const auto name = level.at("level").get<std::string>();
      EXPECT_EQ(domains[i].name, name == "PKG/DIE" ? "PKG" : name);
      Masks groups;
      for (const Json& group : level.at("groups")) groups.push_back(mask(group));
      EXPECT_EQ(domains[i].groups, groups);
      EXPECT_EQ(domains[i].prefer_sibling, level.at("groups_have_prefer_sibling").get<bool>());
    }
  }
}

TopologyLevel raw_level(const Json& level, std::size_t nr_cpus) {
  static const std::map<std::string, LevelKind> kKinds = {{"SMT", LevelKind::kSmt},
                                                          {"CLS", LevelKind::kCluster},
                                                          {"MC", LevelKind::kMc},
                                                          {"PKG", LevelKind::kPkg}};
  TopologyLevel raw;
  raw.name = level.at("level");
  const auto kind = kKinds.find(raw.name);
  raw.kind = kind != kKinds.end() ? kind->second : LevelKind::kNuma;
  raw.node_distance = level.at("distance").is_null() ? 0 : level.at("distance").get<int>();
  raw.spans.resize(nr_cpus);
  for (const Json& span : level.at("spans")) {
    for (const Json& cpu : span) raw.spans.at(cpu.get<std::size_t>()) = mask(span);
  }
  return raw;
}

std::vector<TopologyLevel> raw_levels(const Json& levels) {
  std::size_t nr_cpus = 0;
  for (const Json& span : levels.at(0).at("spans")) nr_cpus += span.size();
  std::vector<TopologyLevel> raw;
  for (const Json& level : levels) raw.push_back(raw_level(level, nr_cpus));
  return raw;
}

TEST(BuildSchedDomains, AgreesWithTwoExecutedKernelsOnRawLevels) {
  const Json cases = vectors("balance/topology_executed.json");
  ASSERT_GE(cases.size(), 21U);
  for (const Json& expected : cases) {
    for (const auto& [member, preset] : {std::pair{"v6_12", "v6.12"}, std::pair{"v6_1", "v6.1"}}) {
      SCOPED_TRACE(expected.at("name").dump() + " " + member);
      const Topology topology = build_sched_domains("raw", raw_levels(expected.at("levels")),
                                                    parse_kernel(preset).switches);
      const auto& domains = topology.domains.at(expected.at("cpu").get<std::size_t>());
      ASSERT_EQ(domains.size(), expected.at(member).size());
      for (std::size_t i = 0; i < domains.size(); ++i) {
        const Json& level = expected.at(member).at(i);
        expect_parameters(domains[i], level);
        EXPECT_EQ(domains[i].name, level.at("level").get<std::string>());
        ASSERT_EQ(domains[i].groups.size(), level.at("groups").get<std::size_t>());
        const SdFlags local = domains[i].group_flags.at(0);
        const SdFlags remote = domains[i].group_flags.at(1);
        EXPECT_EQ(has(remote, kSdPreferSibling),
                  level.at("remote_group_prefer_sibling").get<bool>());
        EXPECT_EQ(has(remote, kSdShareCpucapacity),
                  level.at("remote_group_share_cpucapacity").get<bool>());
        EXPECT_EQ(has(local, kSdPreferSibling), level.at("local_group_prefer_sibling").get<bool>());
        EXPECT_EQ(i > 0, level.at("child").get<bool>());
      }
    }
  }
}

TEST(BuildSchedDomains, GivesASingleCpuNone) {
  const Topology topology = build_sched_domains(parse_topology("smp:1"));
  EXPECT_EQ(topology.nr_cpus, 1);
  EXPECT_EQ(topology.all, 1U);
  ASSERT_EQ(topology.domains.size(), 1U);
  EXPECT_TRUE(topology.domains[0].empty());
}

TEST(BuildSchedDomains, StartsTheRingAtTheOwnGroupAndWraps) {
  const Topology topology = build_sched_domains(parse_topology("smt:3x2"));
  ASSERT_EQ(topology.domains[3].size(), 2U);
  EXPECT_EQ(topology.domains[3][0].groups, (Masks{0x8, 0x4}));
  EXPECT_EQ(topology.domains[3][1].groups, (Masks{0xc, 0x30, 0x3}));
}

// Guests with 2 sockets x 2 cores, on one node and on two, and with 2 cores x 2 threads.
TEST(BuildSchedDomains, AgreesWithDumpsOfRunningKernels) {
  const SdFlags base = kSdBalanceNewidle | kSdBalanceExec | kSdBalanceFork | kSdWakeAffine;
  const SdFlags mc = base | kSdShareLlc | kSdPreferSibling;
  const auto sockets = build_sched_domains(parse_topology("llc:2x2")).domains[2];
  ASSERT_EQ(sockets.size(), 2U);
  EXPECT_EQ(sockets[0].name, "MC");
  EXPECT_EQ(sockets[0].span, 0xcU);
  EXPECT_EQ(sockets[0].group_flags[0], 0U);
  EXPECT_EQ(sockets[1].name, "PKG");
  EXPECT_EQ(sockets[1].flags, base | kSdPreferSibling);
  EXPECT_EQ(sockets[1].group_flags[0], mc);

  const auto nodes = build_sched_domains(parse_topology("numa:2x2")).domains[1];
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[1].name, "NUMA");
  EXPECT_EQ(nodes[1].flags, base | kSdSerialize | kSdOverlap | kSdNuma);
  EXPECT_EQ(nodes[1].group_flags[0], mc);

  const auto threads = build_sched_domains(parse_topology("smt:2x2")).domains[0];
  ASSERT_EQ(threads.size(), 2U);
  EXPECT_EQ(threads[0].name, "SMT");
  EXPECT_EQ(threads[1].group_flags[0], mc | kSdShareCpucapacity);
}

// kernel-facts-versions E 14: v6.12 reads prefer_sibling from the remote group, v6.1 from the
// child.
TEST(BuildSchedDomains, LeavesPreferSiblingOnRemoteNumaGroupsOfOneCpu) {
  const auto domains = build_sched_domains(parse_topology("numa:2x1")).domains[0];
  ASSERT_EQ(domains.size(), 1U);
  EXPECT_EQ(domains[0].name, "NUMA");
  EXPECT_TRUE(domains[0].prefer_sibling);
  EXPECT_EQ(domains[0].group_flags[0], 0U);
  const auto of_v6_1 =
      build_sched_domains(parse_topology("numa:2x1"), parse_kernel("v6.1").switches).domains[0];
  EXPECT_FALSE(of_v6_1[0].prefer_sibling);
}

// A core with two threads beside one with one: only the groups of the first have a child domain.
TEST(BuildSchedDomains, GivesEachGroupTheFlagsOfItsOwnCpus) {
  MachineDescription machine = parse_topology("smp:3");
  machine.cpus[1].core = 0;
  const auto domains = build_sched_domains(machine).domains;
  ASSERT_EQ(domains[0].size(), 2U);
  ASSERT_EQ(domains[2].size(), 1U);
  EXPECT_EQ(domains[2][0].groups, (Masks{0x4, 0x3}));
  EXPECT_TRUE(domains[2][0].prefer_sibling);
  EXPECT_FALSE(domains[0][1].prefer_sibling);
}

TEST(BuildSchedDomains, UsesTheOldImbalancePctOnlyAboveTheLlc) {
  const KernelSwitches old{.imbalance_pct_above_llc = ImbalancePctAboveLlc::k125};
  const auto llc = build_sched_domains(parse_topology("llc:2x2"), old).domains[0];
  ASSERT_EQ(llc.size(), 2U);
  EXPECT_EQ(llc[0].imbalance_pct, 117);
  EXPECT_EQ(llc[1].imbalance_pct, 125);
  EXPECT_EQ(build_sched_domains(parse_topology("numa:2x2"), old).domains[0][1].imbalance_pct, 125);
  EXPECT_EQ(build_sched_domains(parse_topology("smt:2x2"), old).domains[0][0].imbalance_pct, 110);
}

TEST(BuildSchedDomains, ForksAcrossNodesUpToDistanceThirty) {
  MachineDescription machine = parse_topology("numa:2x2");
  for (const int distance : {30, 31}) {
    machine.node_distance = {{10, distance}, {distance, 10}};
    EXPECT_EQ(build_sched_domains(machine).domains[0][1].balance_fork, distance == 30);
  }
}

MachineDescription one_cpu_nodes(std::vector<std::vector<int>> distance) {
  MachineDescription machine = parse_topology("numa:" + std::to_string(distance.size()) + "x1");
  machine.node_distance = std::move(distance);
  return machine;
}

/// The groups of a CPU's domains, bottom up.
std::vector<Masks> rings(const Topology& topology, std::size_t cpu) {
  std::vector<Masks> all;
  for (const SchedDomain& sd : topology.domains.at(cpu)) all.push_back(sd.groups);
  return all;
}

// By hand from build_overlap_sched_groups(): 0 - 1 - 2 - 3 - 0, each node reaches two others.
TEST(BuildSchedDomains, OverlapInARingOfFourNodes) {
  const Topology ring = build_sched_domains(
      one_cpu_nodes({{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}}));
  EXPECT_EQ(rings(ring, 0), (std::vector<Masks>{{0x1, 0x2, 0x8}, {0xb, 0xe}}));
  EXPECT_EQ(rings(ring, 1), (std::vector<Masks>{{0x2, 0x4, 0x1}, {0x7, 0xd}}));
  EXPECT_EQ(rings(ring, 2), (std::vector<Masks>{{0x4, 0x8, 0x2}, {0xe, 0xb}}));
  EXPECT_EQ(rings(ring, 3), (std::vector<Masks>{{0x8, 0x1, 0x4}, {0xd, 0x7}}));
  // Only the node in the middle of a group can arrive at it.
  EXPECT_EQ(ring.domains[0][1].balance_masks, (Masks{0x1, 0x4}));
  EXPECT_EQ(ring.domains[3][1].balance_masks, (Masks{0x8, 0x2}));
  EXPECT_EQ(ring.domains[0][1].imb_numa_nr, 1);
  EXPECT_TRUE(ring.domains[0][1].balance_fork);
}

// By hand with find_descended_sibling(): 0 - 1 - 2 - 3. The outer nodes have a level more, and
// groups of the middle nodes' children would reach out of their domains of distance 30.
TEST(BuildSchedDomains, KeepGroupsInsideTheDomainInALineOfFourNodes) {
  const Topology line = build_sched_domains(
      one_cpu_nodes({{10, 20, 30, 40}, {20, 10, 20, 30}, {30, 20, 10, 20}, {40, 30, 20, 10}}));
  EXPECT_EQ(rings(line, 0), (std::vector<Masks>{{0x1, 0x2}, {0x3, 0x4}, {0x7, 0xe}}));
  EXPECT_EQ(rings(line, 1), (std::vector<Masks>{{0x2, 0x4, 0x1}, {0x7, 0xc}}));
  EXPECT_EQ(rings(line, 2), (std::vector<Masks>{{0x4, 0x8, 0x2}, {0xe, 0x3}}));
  EXPECT_EQ(rings(line, 3), (std::vector<Masks>{{0x8, 0x4}, {0xc, 0x2}, {0xe, 0x7}}));
  EXPECT_TRUE(line.domains[0][1].balance_fork);
  EXPECT_FALSE(line.domains[0][2].balance_fork);  // Distance 40.
}

TEST(BuildSchedDomains, CallTheNodeNodeInsideAPackage) {
  const auto machine = describe("", {.llcs = 4, .cores = 4, .nodes = 2});
  const auto domains = build_sched_domains(machine).domains[0];
  ASSERT_EQ(domains.size(), 2U);
  EXPECT_EQ(domains[0].name, "NODE");
  EXPECT_EQ(domains[0].level, 3);
  EXPECT_EQ(domains[0].groups, (Masks{0x1, 0x2}));
  EXPECT_EQ(domains[1].name, "NUMA");
  EXPECT_EQ(domains[1].level, 4);
}

// Nodes of 1 and 3 CPUs: the lone CPU goes from itself straight to the machine.
TEST(BuildSchedDomains, CoverNodesOfUnequalSize) {
  MachineDescription machine = parse_topology("numa:2x2");
  machine.cpus[1].node = machine.cpus[1].llc = machine.cpus[1].package = 1;
  const Topology topology = build_sched_domains(machine);
  EXPECT_EQ(rings(topology, 0), (std::vector<Masks>{{0x1, 0xe}}));
  EXPECT_EQ(rings(topology, 2), (std::vector<Masks>{{0x4, 0x8, 0x2}, {0xe, 0x1}}));
  EXPECT_EQ(topology.domains[0][0].group_flags[0], 0U);
  EXPECT_EQ(topology.domains[2][0].name, "MC");
  EXPECT_EQ(topology.domains[2][1].imb_numa_nr, 1);
}

TEST(BuildSchedDomains, SpanSixtyFourCpus) {
  const Topology topology = build_sched_domains(parse_topology("numa:8x8"));
  ASSERT_EQ(topology.domains[63].size(), 2U);
  EXPECT_EQ(topology.domains[63][1].span, ~CpuMask{0});
  EXPECT_EQ(topology.domains[63][1].groups.size(), 8U);
  EXPECT_EQ(topology.domains[63][1].groups[0], CpuMask{0xff} << 56);
  EXPECT_EQ(topology.domains[63][1].groups[1], CpuMask{0xff});
}

}  // namespace
}  // namespace schedcheck
