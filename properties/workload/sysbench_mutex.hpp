// SPDX-License-Identifier: Apache-2.0
/// \file sysbench-mutex: threads work, take one common mutex, work inside and release it to the
/// thread that has waited longest.
#pragma once

#include <deque>

#include "properties/workload/workload.hpp"

namespace schedcheck {

class SysbenchMutex : public Workload {
 public:
  explicit SysbenchMutex(const WorkloadSize& size)
      : nr_threads_(size.copies > 0 ? size.copies : 2 * size.nr_cpus), nr_cpus_(size.nr_cpus) {}

  [[nodiscard]] std::vector<StartThread> start() const override {
    std::vector<StartThread> threads;
    for (int i = 0; i < nr_threads_; ++i) threads.push_back({.cpu = i % nr_cpus_});
    return threads;
  }
  [[nodiscard]] int max_threads() const override { return nr_threads_; }
  void begin(int thread, int /*role*/, int /*parent*/) override { slot(step_, thread) = 0; }

  Action next(int thread) override {
    int& step = step_[static_cast<std::size_t>(thread)];
    switch (step++) {
      case 0:
        return compute(30'000);
      case 1:
        if (owner_ == kNoTask) {
          owner_ = thread;
          return compute(0);
        }
        waiters_.push_back(thread);
        return {.kind = ActionKind::kBlock};
      case 2:
        return compute(10'000);
      default:
        step = 0;
        owner_ = kNoTask;
        if (waiters_.empty()) return compute(0);
        owner_ = waiters_.front();
        waiters_.pop_front();
        return {.kind = ActionKind::kWake, .other = owner_};
    }
  }

 private:
  int nr_threads_, nr_cpus_;
  int owner_ = kNoTask;
  std::vector<int> step_;
  std::deque<int> waiters_;
};

}  // namespace schedcheck
