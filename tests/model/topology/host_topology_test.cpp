// SPDX-License-Identifier: Apache-2.0
/// \file
/// read_host_topology() on machines we don't have: each test writes a small sysfs into a temporary
/// directory, complete or with the gaps that virtual machines have.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/input_error.hpp"
#include "model/topology/machine_description.hpp"

namespace schedcheck {
namespace {

namespace fs = std::filesystem;
using Numbers = std::vector<int>;

class ReadHostTopology : public testing::Test {
 public:
  ReadHostTopology(const ReadHostTopology&) = delete;
  ReadHostTopology& operator=(const ReadHostTopology&) = delete;

 protected:
  ReadHostTopology() {
    std::string name = (fs::temp_directory_path() / "schedcheck-sysfs-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    root = name;
  }
  ~ReadHostTopology() override {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }
  /// Writes one file below devices/system, with the line end that sysfs has.
  void put(const std::string& file, const std::string& text) {
    const fs::path path = root / "devices/system" / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }

  void put_cpu(int cpu, const std::string& core, const std::string& package) {
    const std::string dir = "cpu/cpu" + std::to_string(cpu) + "/topology/";
    put(dir + "core_cpus_list", core);
    put(dir + "package_cpus_list", package);
  }

  void put_cache(int cpu, int index, int level, const std::string& type,
                 const std::string& shared) {
    const std::string dir =
        "cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index) + "/";
    put(dir + "level", std::to_string(level));
    put(dir + "type", type);
    if (!shared.empty()) put(dir + "shared_cpu_list", shared);
  }

  MachineDescription read() { return read_host_topology(root); }

  Numbers column(int CpuPlace::*part) {
    Numbers numbers;
    for (const CpuPlace& place : read().cpus) numbers.push_back(place.*part);
    return numbers;
  }

  fs::path root;
};

TEST_F(ReadHostTopology, SeesTwoCpusThatShareAnLlc) {
  put("cpu/online", "0-1");
  for (const int cpu : {0, 1}) {
    const std::string self = std::to_string(cpu);
    put_cpu(cpu, self, "0-1");
    put_cache(cpu, 0, 1, "Data", self);
    put_cache(cpu, 1, 1, "Instruction", self);
    put_cache(cpu, 2, 2, "Unified", self);
    put_cache(cpu, 3, 3, "Unified", "0-1");
  }
  put("node/node0/cpulist", "0-1");
  put("node/node0/distance", "10");
  EXPECT_EQ(read().spec, "host");
  EXPECT_EQ(column(&CpuPlace::core), (Numbers{0, 1}));
  EXPECT_EQ(column(&CpuPlace::llc), (Numbers{0, 0}));
  EXPECT_EQ(column(&CpuPlace::node), (Numbers{0, 0}));
  EXPECT_EQ(read().node_distance, (std::vector<Numbers>{{10}}));
}

TEST_F(ReadHostTopology, SeesTwoSocketsAndTheirDistance) {
  put("cpu/online", "0-3");
  for (const int cpu : {0, 1, 2, 3}) {
    const std::string socket = cpu < 2 ? "0-1" : "2-3";
    put_cpu(cpu, std::to_string(cpu), socket);
    put_cache(cpu, 0, 3, "Unified", socket);
  }
  put("node/node0/cpulist", "0-1");
  put("node/node0/distance", "10 32");
  put("node/node1/cpulist", "2-3");
  put("node/node1/distance", "32 10");
  EXPECT_EQ(column(&CpuPlace::llc), (Numbers{0, 0, 1, 1}));
  EXPECT_EQ(column(&CpuPlace::node), (Numbers{0, 0, 1, 1}));
  EXPECT_EQ(read().node_distance, (std::vector<Numbers>{{10, 32}, {32, 10}}));
}

TEST_F(ReadHostTopology, FindsSiblingsWhoseNumbersAreFarApart) {
  put("cpu/online", "0-3");
  for (const int cpu : {0, 1, 2, 3}) {
    const std::string core = cpu % 2 == 0 ? "0,2" : "1,3";
    put("cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list", core);
    put("cpu/cpu" + std::to_string(cpu) + "/topology/core_siblings_list", "0-3");
    put_cache(cpu, 0, 2, "Unified", core);
  }
  EXPECT_EQ(column(&CpuPlace::core), (Numbers{0, 1, 0, 1}));
  EXPECT_EQ(column(&CpuPlace::llc), (Numbers{0, 1, 0, 1}));
}

TEST_F(ReadHostTopology, RenumbersSparseOnlineCpus) {
  put("cpu/online", "1,4-5,9");
  for (const int cpu : {1, 4, 5, 9}) put_cpu(cpu, cpu == 1 || cpu == 9 ? "1,9" : "4-5", "1,4-5,9");
  put("node/node0/cpulist", "0,2-3");  // Only offline CPUs.
  put("node/node0/distance", "10 21 31");
  put("node/node2/cpulist", "1,9");
  put("node/node2/distance", "21 10 25");
  put("node/node5/cpulist", "4-8");
  put("node/node5/distance", "31 25 10");
  EXPECT_EQ(read().host_cpu, (Numbers{1, 4, 5, 9}));
  EXPECT_EQ(column(&CpuPlace::core), (Numbers{0, 1, 1, 0}));
  EXPECT_EQ(column(&CpuPlace::node), (Numbers{0, 1, 1, 0}));
  EXPECT_EQ(read().node_distance, (std::vector<Numbers>{{10, 25}, {25, 10}}));
}

TEST_F(ReadHostTopology, FallsBackToOneLlcPerPackageAndOneNode) {
  put("cpu/online", "0-3");
  for (const int cpu : {0, 1, 2, 3}) {
    put("cpu/cpu" + std::to_string(cpu) + "/topology/physical_package_id", cpu < 2 ? "0" : "7");
    put_cache(cpu, 0, 3, "Unified", "");  // As in a virtual machine: a level, but no list.
  }
  EXPECT_EQ(column(&CpuPlace::core), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(column(&CpuPlace::llc), (Numbers{0, 0, 1, 1}));
  EXPECT_EQ(column(&CpuPlace::node), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(read().node_distance, (std::vector<Numbers>{{10}}));
}

TEST_F(ReadHostTopology, NeedsNothingButTheOnlineList) {
  put("cpu/online", "0-2");
  EXPECT_EQ(column(&CpuPlace::core), (Numbers{0, 1, 2}));
  EXPECT_EQ(column(&CpuPlace::llc), (Numbers{0, 0, 0}));
}

TEST_F(ReadHostTopology, CountsCpuDirectoriesWithoutAnOnlineList) {
  for (const char* dir : {"cpu10", "cpu2", "cpufreq", "cpuidle"}) {
    fs::create_directories(root / "devices/system/cpu" / dir);
  }
  EXPECT_EQ(read().host_cpu, (Numbers{2, 10}));
}

TEST_F(ReadHostTopology, IgnoresInstructionCachesAndLowerLevels) {
  put("cpu/online", "0-1");
  for (const int cpu : {0, 1}) {
    put_cache(cpu, 0, 2, "Unified", "0-1");
    put_cache(cpu, 1, 1, "Data", std::to_string(cpu));
    put_cache(cpu, 2, 3, "Instruction", std::to_string(cpu));
  }
  EXPECT_EQ(column(&CpuPlace::llc), (Numbers{0, 0}));
}

TEST_F(ReadHostTopology, UsesDefaultDistancesForAMissingOrShortTable) {
  put("cpu/online", "0-1");
  put("node/node0/cpulist", "0");
  put("node/node1/cpulist", "1");
  put("node/node1/distance", "21");
  EXPECT_EQ(read().node_distance, (std::vector<Numbers>{{10, 20}, {20, 10}}));
}

TEST_F(ReadHostTopology, KeepsNodeAndPackageOfAMachineWhoseCpu0IsOffline) {
  put("cpu/online", "1-3");
  for (const int cpu : {1, 2, 3}) {
    const std::string socket = cpu < 2 ? "1" : "2-3";
    put_cpu(cpu, std::to_string(cpu), socket);
    put("cpu/cpu" + std::to_string(cpu) + "/topology/cluster_cpus_list", socket);
  }
  put("node/node0/cpulist", "0-1");
  put("node/node0/distance", "10 31");
  put("node/node1/cpulist", "2-3");
  put("node/node1/distance", "31 10");
  EXPECT_EQ(read().host_cpu, (Numbers{1, 2, 3}));
  EXPECT_EQ(column(&CpuPlace::package), (Numbers{0, 1, 1}));
  EXPECT_EQ(column(&CpuPlace::cluster), (Numbers{0, 1, 1}));
  EXPECT_EQ(column(&CpuPlace::node), (Numbers{0, 1, 1}));
  EXPECT_EQ(read().node_distance, (std::vector<Numbers>{{10, 31}, {31, 10}}));
}

TEST_F(ReadHostTopology, TakesTheFartherOfTwoDirections) {
  put("cpu/online", "0-1");
  put("node/node0/cpulist", "0");
  put("node/node0/distance", "10 21");
  put("node/node1/cpulist", "1");
  put("node/node1/distance", "25 10");
  EXPECT_EQ(read().node_distance, (std::vector<Numbers>{{10, 25}, {25, 10}}));
}

TEST_F(ReadHostTopology, SplitsACoreThatReachesIntoTwoCaches) {
  put("cpu/online", "0-1");
  for (const int cpu : {0, 1}) {
    put_cpu(cpu, "0-1", "0-1");
    put_cache(cpu, 0, 3, "Unified", std::to_string(cpu));
  }
  EXPECT_EQ(column(&CpuPlace::core), (Numbers{0, 1}));
}

TEST_F(ReadHostTopology, RefusesMoreThanSixtyFourCpus) {
  put("cpu/online", "0-63");
  EXPECT_EQ(read().cpus.size(), 64U);
  put("cpu/online", "0-64");
  EXPECT_THROW(read(), InputError);
}

TEST_F(ReadHostTopology, NamesTheFileOfAMalformedList) {
  for (const char* list :
       {"x", "0-", "-1", "0,", ",0", "0,,1", "2-1", "0 1", "0-1x", "0-99999999"}) {
    put("cpu/online", list);
    try {
      read();
      ADD_FAILURE() << "accepted '" << list << "'";
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("cpu/online:1: '" + std::string(list) + "' is not"), std::string::npos)
          << message;
    }
  }
}

TEST_F(ReadHostTopology, RefusesADirectoryWithoutCpus) { EXPECT_THROW(read(), InputError); }

TEST(ReadRealHostTopology, DoesNotThrow) {
  try {
    const MachineDescription machine = parse_topology("host");
    EXPECT_EQ(machine.spec, "host");
    EXPECT_FALSE(machine.cpus.empty());
    EXPECT_EQ(machine.cpus.size(), machine.host_cpu.size());
  } catch (const InputError& error) {
    ASSERT_NE(std::string(error.what()).find("at most 64"), std::string::npos) << error.what();
    GTEST_SKIP() << error.what();
  }
}

}  // namespace
}  // namespace schedcheck
