// SPDX-License-Identifier: Apache-2.0
/// \file futex-wake: one thread wakes all others one by one, waits a while and starts again; a
/// woken thread works a little and blocks.
#pragma once

#include "properties/workload/workload.hpp"

namespace schedcheck {

class FutexWake : public Workload {
 public:
  explicit FutexWake(const WorkloadSize& size)
      : nr_threads_(size.copies > 0 ? size.copies : 128), nr_cpus_(size.nr_cpus) {}

  [[nodiscard]] std::vector<StartThread> start() const override {
    std::vector<StartThread> threads = {{.role = kWaker}};
    for (int i = 0; i < nr_threads_; ++i)
      threads.push_back({.cpu = i % nr_cpus_, .role = kSleeper});
    return threads;
  }
  [[nodiscard]] int max_threads() const override { return nr_threads_ + 1; }
  void begin(int thread, int role, int /*parent*/) override { slot(threads_, thread) = {role, 0}; }

  Action next(int thread) override {
    Thread& t = threads_[static_cast<std::size_t>(thread)];
    const int step = t.step++;
    if (t.role == kSleeper)
      return step % 2 == 0 ? Action{.kind = ActionKind::kBlock} : compute(20'000);
    if (step < 2 * nr_threads_)
      return step % 2 == 0 ? compute(5'000)
                           : Action{.kind = ActionKind::kWake, .other = 1 + step / 2};
    t.step = 0;
    return {.kind = ActionKind::kSleep, .ns = about(10'000'000)};
  }

 private:
  enum Role { kWaker, kSleeper };
  struct Thread {
    int role, step;
  };
  int nr_threads_, nr_cpus_;
  std::vector<Thread> threads_;
};

}  // namespace schedcheck
