// SPDX-License-Identifier: Apache-2.0
/// \file
/// Machines as JSON: shapes and parts by hand, the round trip, and a table of files that are
/// refused with the place of the mistake.

#include "counterexamples/topology_json.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "counterexamples/schedule_json_strict.hpp"
#include "model/input_error.hpp"
#include "model/topology/sched_domains.hpp"
#include "tests/support/refusal.hpp"

namespace schedcheck {
namespace {

using Numbers = std::vector<int>;

MachineDescription read(const std::string& text) {
  const std::string name = "t.json";
  const auto tree = parse_strict_json(text, name);
  return read_topology(name, JsonPlace(tree, name));
}

std::string refusal(const std::string& text) {
  return refusal_of([&] { read(text); });
}

Numbers column(const MachineDescription& machine, int CpuPlace::*part) {
  Numbers numbers;
  for (const CpuPlace& place : machine.cpus) numbers.push_back(place.*part);
  return numbers;
}

TEST(TopologyJson, ShapeCountsPartsOfTheMachine) {
  const auto machine = read(R"({"packages":2,"llcs":2,"cores":4,"threads":2,"nodes":2})");
  ASSERT_EQ(machine.cpus.size(), 16U);
  EXPECT_EQ(machine.cpus[9], (CpuPlace{4, 2, 1, 1, -1}));
  EXPECT_EQ(canonical_spec(read(R"({"packages":2,"cores":2,"threads":1,"nodes":1})")), "llc:2x2");
  EXPECT_EQ(canonical_spec(read("{}")), "smp:1");
}

TEST(TopologyJson, PartsTakeListsAndTexts) {
  const auto machine = read(
      R"({"format":"schedcheck/topology","version":1,"cpus":4,"cores":["0,2",[1,3]],
          "nodes":[[0,1,2,3]],"distances":[[10]]})");
  EXPECT_EQ(column(machine, &CpuPlace::core), (Numbers{0, 1, 0, 1}));
  EXPECT_EQ(column(machine, &CpuPlace::llc), (Numbers{0, 0, 0, 0}));
}

TEST(TopologyJson, OfflineCpusLeaveGapsAndEmptyNodes) {
  const auto machine = read(
      R"({"cpus":"0-5","offline":[0,2,3],"nodes":["0-1","2-3","4-5"],"packages":["0-1","2-3","4-5"],
          "distances":[[10,21,31],[21,10,25],[31,25,10]]})");
  EXPECT_EQ(machine.host_cpu, (Numbers{1, 4, 5}));
  EXPECT_EQ(column(machine, &CpuPlace::node), (Numbers{0, 1, 1}));
  EXPECT_EQ(column(machine, &CpuPlace::llc), (Numbers{0, 1, 1}));
  EXPECT_EQ(machine.node_distance, (std::vector<Numbers>{{10, 31}, {31, 10}}));
}

TEST(TopologyJson, RoundTripsEveryShorthandAndOddMachines) {
  std::vector<MachineDescription> machines;
  for (const char* spec : {"smp:1", "smp:64", "llc:2x3", "smt:2x2", "numa:3x2", "smt:32x2"})
    machines.push_back(parse_topology(spec));
  machines.push_back(describe(
      "", {.packages = 2, .llcs = 2, .clusters = 4, .cores = 8, .threads = 2, .nodes = 2}));
  machines.push_back(read(R"({"cpus":"3,5,70","cores":["3,70","5"],"llcs":["3,70","5"]})"));
  for (const MachineDescription& machine : machines) {
    const std::string text = topology_json(machine, true);
    const auto again = read(text);
    EXPECT_EQ(again.cpus, machine.cpus) << text;
    EXPECT_EQ(again.host_cpu, machine.host_cpu) << text;
    EXPECT_EQ(again.node_distance, machine.node_distance) << text;
    EXPECT_EQ(topology_json(again, true), text);
  }
}

TEST(TopologyJson, RefusesWithThePlaceOfTheMistake) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"[]", "must be an object"},
      {R"({"cores":0})", "/cores: "},
      {R"({"cores":65})", "/cores: "},
      {R"({"cores":"4"})", "/cores: "},
      {R"({"cores":33,"threads":2})", "/cores: the machine has 66 CPUs"},
      {R"({"cores":4,"llcs":3})", "/llcs: 3 equal parts are not possible"},
      {R"({"cores":4,"clusters":3})", "/clusters: 3 equal parts"},
      {R"({"cores":4,"llcs":2,"clusters":1})", "/clusters: 2 equal parts"},
      {R"({"packages":2,"cores":33})", "/cores: the machine has 66 CPUs"},
      {R"({"cores":4,"nodes":3})", "/nodes: 3 equal parts are not possible"},
      {R"({"cores":4,"sockets":2})", "unknown key \"sockets\""},
      {R"({"format":"schedcheck/schedule","cores":4})", "/format: must be"},
      {R"({"version":2,"cores":4})", "/version: "},
      {R"({"cpus":0})", "/cpus: "},
      {R"({"cpus":65})", "/cpus: 65 CPUs are online"},
      {R"({"cpus":"0-"})", "/cpus: is not a CPU list"},
      {R"({"cpus":"0-3,2"})", "/cpus: names a CPU twice"},
      {R"({"cpus":[]})", "/cpus: is empty"},
      {R"({"cpus":[1,1]})", "/cpus/1: this CPU is given twice"},
      {R"({"cpus":[-1]})", "/cpus/0: "},
      {R"({"cpus":2,"offline":[2]})", "/offline: the machine has no CPU 2"},
      {R"({"cpus":1,"offline":[0]})", "/offline: no CPU is online"},
      {R"({"cpus":4,"threads":2})", "unknown key \"threads\""},
      {R"({"cpus":4,"cores":2})", "/cores: "},
      {R"({"cpus":4,"cores":[]})", "/cores: is empty"},
      {R"({"cpus":4,"cores":[[0,1],[2,3],[]]})", "/cores/2: is empty"},
      {R"({"cpus":4,"cores":[[0,1],[1,2],[3]]})", "/cores/1: CPU 1 is listed a second time"},
      {R"({"cpus":4,"cores":[[0,1],[2]]})", "/cores: CPU 3 is in none of them"},
      {R"({"cpus":4,"cores":[[0,1],[2,3,4]]})", "/cores/1: the machine has no CPU 4"},
      {R"({"cpus":4,"cores":[["0"]]})", "/cores/0/0: "},
      {R"({"cpus":4,"cores":["0-1","2-3"],"llcs":["0","1-3"]})",
       "/cores: the one with CPU 1 reaches into two llcs"},
      {R"({"cpus":4,"llcs":["0-3"],"packages":["0-1","2-3"]})",
       "/llcs: the one with CPU 2 reaches into two packages"},
      {R"({"cpus":2,"nodes":["0","1"],"distances":[[10,20]]})", "/distances: must have a row"},
      {R"({"cpus":2,"nodes":["0","1"],"distances":[[10,20],[20]]})", "/distances/1: must have 2"},
      {R"({"cpus":2,"nodes":["0","1"],"distances":[[10,20],[21,10]]})",
       "/distances/1/0: is 21, but the other direction is 20; make the table symmetric"},
      {R"({"cpus":2,"nodes":["0","1"],"distances":[[10,20],[20,11]]})",
       "/distances/1/1: must be 10"},
      {R"({"cpus":2,"nodes":["0","1"],"distances":[[10,10],[10,10]]})",
       "/distances/0/1: must be 11"},
      {R"({"cpus":2,"nodes":["0","1"],"distances":[[10,256],[256,10]]})", "/distances/0/1: "},
      {R"({"cpus":2,"distances":[[10,20],[20,10]]})",
       "/distances: must have a row for each of the 1"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string message = refusal(text);
    EXPECT_TRUE(message.starts_with("t.json: ")) << text << "\n" << message;
    EXPECT_NE(message.find(expected), std::string::npos) << text << "\n" << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace schedcheck
