// SPDX-License-Identifier: Apache-2.0
/// \file Workloads: what the threads behind the project report as differences between kernels shows
/// for each of ten seeds, and only where it should.
#include "properties/workload/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

Metrics measure(std::string_view name, const char* topology, const char* kernel,
                std::uint64_t seed = 1, int copies = 0, double seconds = 0.5,
                bool cgroups = false) {
  for (const WorkloadInfo& info : workloads()) {
    if (info.name != name) continue;
    Schedule base;
    base.topology = topology;
    base.kernel = kernel;
    base.tick_ns = 1'000'000;
    const auto workload = info.make({make_model(base).topology.nr_cpus, copies, cgroups});
    return simulate(base, *workload, {.seconds = seconds, .seed = seed}).metrics;
  }
  ADD_FAILURE() << "no workload " << name;
  return {};
}

TEST(Simulation, UnixbenchSpawnForksRemotelyAndIdlesWhereTheExitMoveBailsOut) {
  for (const auto& [topology, seeds] : {std::pair{"smp:4", 10U}, std::pair{"smp:8", 3U}})
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const Metrics bail = measure("unixbench-spawn", topology, "v6.13", seed);
      const Metrics full = measure("unixbench-spawn", topology, "v6.14", seed);
      EXPECT_GE(bail.at("forks_remote_pct"), 3 * full.at("forks_remote_pct")) << topology << seed;
      EXPECT_GE(bail.at("forks_remote_pct"), 3) << topology << seed;
      EXPECT_GE(bail.at("idle_pct"), full.at("idle_pct") + 5) << topology << seed;
      // What the move costs: the other effect of eff6c8ce8d4d.
      EXPECT_GT(full.at("exit_path_ops") / full.at("exits"),
                1.5 * bail.at("exit_path_ops") / bail.at("exits"));
    }
}

TEST(Simulation, UnixbenchSpawnWithFewerCopiesThanCpusIsTheSameOnBoth) {
  for (int copies = 1; copies <= 3; ++copies) {
    const Metrics bail = measure("unixbench-spawn", "smp:4", "v6.13", 1, copies, 2);
    const Metrics full = measure("unixbench-spawn", "smp:4", "v6.14", 1, copies, 2);
    EXPECT_NEAR(bail.at("forks_remote_pct"), full.at("forks_remote_pct"), 4) << copies;
    EXPECT_NEAR(bail.at("idle_pct"), full.at("idle_pct"), 2) << copies;
  }
}

TEST(Simulation, SysbenchThreadsPileUpOnOneCpuOnlyBeforeTheTieBreak) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Metrics before = measure("sysbench-threads", "smp:8", "v5.8", seed, 0, 2);
    const Metrics after = measure("sysbench-threads", "smp:8", "v5.9", seed, 0, 2);
    EXPECT_GT(before.at("forks_same_cpu_as_previous"), before.at("forks") / 2);
    EXPECT_EQ(after.at("forks_same_cpu_as_previous"), 0);
  }
}

TEST(Simulation, HackbenchInCgroupsAsksForMoreReschedulesWhenTasksOfTheCpuAreCounted) {
  double before = 0;
  double after = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    before +=
        measure("hackbench", "smp:4", "v6.12-rc1", seed, 0, 1, true).at("slice_end_reschedules");
    after += measure("hackbench", "smp:4", "v6.12", seed, 0, 1, true).at("slice_end_reschedules");
  }
  EXPECT_GE(before, 1.3 * after);
}

TEST(Simulation, OfTheSameSeedGivesTheSameNumbers) {
  for (const WorkloadInfo& info : workloads()) {
    const Metrics once = measure(info.name, "llc:2x2", "v6.12", 7, 0, 0.2);
    EXPECT_EQ(once, measure(info.name, "llc:2x2", "v6.12", 7, 0, 0.2)) << info.name;
    EXPECT_GT(once.at("context_switches"), 0) << info.name;
  }
}

TEST(Simulation, AccountsForAllTime) {
  // One parent that sleeps most of the time, and threads that keep every CPU busy.
  EXPECT_GT(measure("futex-wake", "smp:8", "v6.12").at("idle_pct"), 90);
  EXPECT_EQ(measure("hackbench", "smp:1", "v6.12").at("idle_pct"), 0);
}

TEST(Simulation, RefusesMoreThreadsThanTheModelHasNumbers) {
  EXPECT_THROW(measure("sysbench-mutex", "smp:2", "v6.12", 1, 9000), InputError);
  EXPECT_THROW(measure("hackbench", "smp:2", "v6.12", 1, 100, 0.1, true), InputError);
}

}  // namespace
}  // namespace schedcheck
