// SPDX-License-Identifier: Apache-2.0
/// \file The built-in workloads.
#include "properties/workload/futex_wake.hpp"
#include "properties/workload/hackbench.hpp"
#include "properties/workload/sysbench_mutex.hpp"
#include "properties/workload/sysbench_threads.hpp"
#include "properties/workload/unixbench_spawn.hpp"

namespace schedcheck {
namespace {

template <class W>
std::unique_ptr<Workload> make(const WorkloadSize& size) {
  return std::make_unique<W>(size);
}

}  // namespace

const std::vector<WorkloadInfo>& workloads() {
  static const std::vector<WorkloadInfo> kWorkloads = {
      {"unixbench-spawn", "fork a child, wait for it, again; the child runs and dies",
       "parents; default one per CPU", make<UnixbenchSpawn>},
      {"sysbench-threads", "a parent starts threads that block at once, wakes all, they die",
       "threads; default one per CPU less one", make<SysbenchThreads>},
      {"sysbench-mutex", "threads pass one mutex round", "threads; default two per CPU",
       make<SysbenchMutex>},
      {"futex-wake", "one thread wakes all others one by one", "sleepers; default 128",
       make<FutexWake>},
      {"hackbench", "a sender and a receiver with a pipe between, many times",
       "pairs; default two per CPU", make<Hackbench>},
  };
  return kWorkloads;
}

}  // namespace schedcheck
