// SPDX-License-Identifier: Apache-2.0
/// \file sysbench-threads: a parent starts its threads one after the other; each blocks at once, as
/// they wait for a common start. Then all are woken, work and die, and the parent sleeps for 200 ms
/// (the averages decay) and starts again.
#pragma once

#include <algorithm>

#include "properties/workload/workload.hpp"

namespace schedcheck {

class SysbenchThreads : public Workload {
 public:
  explicit SysbenchThreads(const WorkloadSize& size)
      : nr_threads_(size.copies > 0 ? size.copies : std::max(1, size.nr_cpus - 1)) {}

  [[nodiscard]] std::vector<StartThread> start() const override { return {{}}; }
  [[nodiscard]] int max_threads() const override { return nr_threads_ + 1; }

  void begin(int thread, int role, int /*parent*/) override {
    slot(threads_, thread) = {role, 0};
    if (role == kWorker) waiting_.push_back(thread);
  }

  Action next(int thread) override {
    Thread& t = threads_[static_cast<std::size_t>(thread)];
    return t.role == kWorker ? worker(t) : parent(t);
  }

 private:
  enum Role { kStarter, kWorker };
  struct Thread {
    int role, step;
  };

  Action worker(Thread& t) {
    switch (t.step++) {
      case 0:
        return compute(20'000);
      case 1:
        return {.kind = ActionKind::kBlock};
      case 2:
        return compute(1'000'000);
      case 3:
        return {.kind = ActionKind::kExitStep};
      default:
        return {.kind = ActionKind::kExit, .other = 0};
    }
  }

  /// Steps 0 to 2n - 1 start the threads, 2n to 3n - 1 wake them, 3n to 4n - 1 wait for each.
  Action parent(Thread& t) {
    const int step = t.step++;
    if (step < 2 * nr_threads_)
      return step % 2 == 0 ? compute(50'000) : Action{.kind = ActionKind::kFork, .role = kWorker};
    if (step < 3 * nr_threads_) {
      const int worker = waiting_.back();
      waiting_.pop_back();
      return {.kind = ActionKind::kWake, .other = worker};
    }
    if (step < 4 * nr_threads_) return {.kind = ActionKind::kBlock};
    t.step = 0;
    return {.kind = ActionKind::kSleep, .ns = about(200'000'000)};
  }

  int nr_threads_;
  std::vector<Thread> threads_;
  std::vector<int> waiting_;
};

}  // namespace schedcheck
