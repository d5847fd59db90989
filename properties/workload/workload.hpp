// SPDX-License-Identifier: Apache-2.0
/// \file What the threads of a workload do: the program that a simulation runs on the model.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.hpp"

namespace schedcheck {

enum class ActionKind : std::uint8_t {
  kCompute,   ///< Runs for `ns` of CPU time.
  kFork,      ///< A child with role `role`; `forked` is told its thread.
  kExitStep,  ///< The position of the scheduler step in do_exit.
  kExit,      ///< Dies and wakes thread `other` (-1: nobody).
  kBlock,     ///< Sleeps until woken; returns at once if a wakeup came before.
  kSleep,     ///< Sleeps for `ns`.
  kWake,      ///< Wakes thread `other`, now or at its next kBlock.
};

struct Action {
  ActionKind kind = ActionKind::kCompute;
  std::int64_t ns = 0;
  int other = -1;
  int role = 0;
};

/// A thread that exists from the start, on `cpu`, in cpu cgroup `group` (0: the root).
struct StartThread {
  int cpu = 0;
  int role = 0;
  int group = 0;
};

/// Threads are numbered in the order of their births; numbers of dead threads are used again.
class Workload {
 public:
  virtual ~Workload() = default;
  [[nodiscard]] virtual std::vector<StartThread> start() const = 0;
  [[nodiscard]] virtual int nr_groups() const { return 0; }
  /// The most threads alive at a time.
  [[nodiscard]] virtual int max_threads() const = 0;
  /// `thread`, which has `role`, begins.
  virtual void begin(int thread, int role, int parent) = 0;
  /// What `thread`, which runs, does after its last action.
  virtual Action next(int thread) = 0;

  /// Lengths vary by 10 % around their means.
  void seed(std::uint64_t value) { random_.seed(value); }

 protected:
  /// What a workload keeps for `thread`, made where it is missing.
  template <class T>
  static T& slot(std::vector<T>& of_threads, int thread) {
    const auto at = static_cast<std::size_t>(thread);
    if (of_threads.size() <= at) of_threads.resize(at + 1);
    return of_threads[at];
  }
  Action compute(std::int64_t ns) { return {.ns = about(ns)}; }
  std::int64_t about(std::int64_t ns) {
    const std::int64_t tenth = ns / 10;
    return tenth == 0 ? ns : ns - tenth + static_cast<std::int64_t>(random_() % (2 * tenth + 1));
  }

 private:
  std::mt19937_64 random_;
};

/// How large a workload is; 0: its default for `nr_cpus`.
struct WorkloadSize {
  int nr_cpus = 1;
  int copies = 0;        ///< Parents, groups or threads: what the workload counts.
  bool cgroups = false;  ///< A cpu cgroup for each.
};

struct WorkloadInfo {
  std::string_view name;
  std::string_view text;    ///< What it does, in one line.
  std::string_view copies;  ///< What `copies` counts, and the default.
  std::unique_ptr<Workload> (*make)(const WorkloadSize&);
};

const std::vector<WorkloadInfo>& workloads();

}  // namespace schedcheck
