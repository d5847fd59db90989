// SPDX-License-Identifier: Apache-2.0
/// \file unixbench-spawn: each parent forks a child, waits for it and starts again; the child runs
/// and dies. Lengths are those of the measured loop of the exit/util thread (kernel-facts 2.4): 40
/// us, fork, 10 us, wait; 60 us, exit step, 15 us, wake the parent, die.
#pragma once

#include "properties/workload/workload.hpp"

namespace schedcheck {

class UnixbenchSpawn : public Workload {
 public:
  explicit UnixbenchSpawn(const WorkloadSize& size)
      : copies_(size.copies > 0 ? size.copies : size.nr_cpus), nr_cpus_(size.nr_cpus) {}

  [[nodiscard]] std::vector<StartThread> start() const override {
    std::vector<StartThread> parents;
    for (int i = 0; i < copies_; ++i) parents.push_back({.cpu = i % nr_cpus_});
    return parents;
  }
  [[nodiscard]] int max_threads() const override { return 2 * copies_; }

  void begin(int thread, int role, int parent) override {
    slot(threads_, thread) = {role == kChild, 0, parent};
  }

  Action next(int thread) override {
    Thread& t = threads_[static_cast<std::size_t>(thread)];
    const int step = t.step++;
    if (t.is_child) {
      if (step == 0) return compute(60'000);
      if (step == 1) return {.kind = ActionKind::kExitStep};
      if (step == 2) return compute(15'000);
      return {.kind = ActionKind::kExit, .other = t.parent};
    }
    if (step == 3) t.step = 0;
    if (step == 0) return compute(40'000);
    if (step == 1) return {.kind = ActionKind::kFork, .role = kChild};
    if (step == 2) return compute(10'000);
    return {.kind = ActionKind::kBlock};
  }

 private:
  enum Role { kParent, kChild };
  struct Thread {
    bool is_child;
    int step;
    int parent;
  };
  int copies_, nr_cpus_;
  std::vector<Thread> threads_;
};

}  // namespace schedcheck
