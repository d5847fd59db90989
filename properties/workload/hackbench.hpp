// SPDX-License-Identifier: Apache-2.0
/// \file hackbench: groups of one sender and one receiver with a pipe between; the sender goes on
/// until the pipe is full, the receiver until it is empty.
#pragma once

#include "properties/workload/workload.hpp"

namespace schedcheck {

class Hackbench : public Workload {
 public:
  explicit Hackbench(const WorkloadSize& size)
      : groups_(size.copies > 0 ? size.copies : 2 * size.nr_cpus),
        nr_cpus_(size.nr_cpus),
        cgroups_(size.cgroups) {}

  [[nodiscard]] std::vector<StartThread> start() const override {
    std::vector<StartThread> threads;
    for (int i = 0; i < 2 * groups_; ++i)
      threads.push_back({.cpu = i % nr_cpus_, .role = i % 2, .group = cgroups_ ? i / 2 + 1 : 0});
    return threads;
  }
  [[nodiscard]] int nr_groups() const override { return cgroups_ ? groups_ : 0; }
  [[nodiscard]] int max_threads() const override { return 2 * groups_; }
  void begin(int thread, int /*role*/, int /*parent*/) override { slot(pipes_, thread / 2); }

  Action next(int thread) override {
    Pipe& pipe = pipes_[static_cast<std::size_t>(thread) / 2];
    return thread % 2 == 0 ? send(pipe, thread + 1) : receive(pipe, thread - 1);
  }

 private:
  static constexpr int kRoom = 64;  ///< Messages that a pipe holds.
  struct Pipe {
    int messages = 0;
    bool sender_waits = false, receiver_waits = false;
    bool sending = false, receiving = false;
  };

  Action send(Pipe& pipe, int receiver) {
    if (!pipe.sending) {
      if (pipe.messages == kRoom) {
        pipe.sender_waits = true;
        return {.kind = ActionKind::kBlock};
      }
      pipe.sending = true;
      return compute(4'000);
    }
    pipe.sending = false;
    ++pipe.messages;
    if (!pipe.receiver_waits) return compute(0);
    pipe.receiver_waits = false;
    return {.kind = ActionKind::kWake, .other = receiver};
  }

  Action receive(Pipe& pipe, int sender) {
    if (!pipe.receiving) {
      if (pipe.messages == 0) {
        pipe.receiver_waits = true;
        return {.kind = ActionKind::kBlock};
      }
      pipe.receiving = true;
      return compute(4'000);
    }
    pipe.receiving = false;
    --pipe.messages;
    // A full pipe has room for the sender once half of it was read.
    if (!pipe.sender_waits || pipe.messages > kRoom / 2) return compute(0);
    pipe.sender_waits = false;
    return {.kind = ActionKind::kWake, .other = sender};
  }

  int groups_, nr_cpus_;
  bool cgroups_;
  std::vector<Pipe> pipes_;
};

}  // namespace schedcheck
