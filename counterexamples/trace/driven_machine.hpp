// SPDX-License-Identifier: Apache-2.0
/// \file A machine of the model that is made to do what a kernel did: its own choices of CPU and of
/// who runs next are overruled, its averages follow.
#pragma once

#include <optional>

#include "counterexamples/decision_log.hpp"
#include "model/schedule.hpp"

namespace schedcheck {

class DrivenMachine {
 public:
  using N = NativeDomain;

  /// Without tasks. Throws InputError for an unknown kernel or topology.
  DrivenMachine(const std::string& kernel, const std::string& topology);

  [[nodiscard]] int nr_cpus() const { return model_.topology.nr_cpus; }
  [[nodiscard]] bool full() const { return m_.nr_tasks >= model_.max_tasks; }
  [[nodiscard]] int curr(int cpu) const;
  /// `task` is runnable on `cpu`.
  [[nodiscard]] bool waits(int cpu, int task) const;

  void pass(std::int64_t ns);
  /// A task of unknown history, as if just forked onto `cpu`. prio as traces have it. Needs
  /// !full().
  int add(int cpu, int prio, CpuMask cpus, bool blocked);
  /// `task` (kNoTask: nobody) runs on `cpu` from now on; it is woken or moved there if need be.
  /// Returns how many others had to be put to sleep, because the CPU could not have gone idle.
  int run(int cpu, int task);
  /// `task` leaves `cpu`, where it ran, to sleep or for ever.
  void leave(int cpu, int task, bool dies);
  void wake(int task, int cpu);
  void move(int task, int cpu);
  /// The model's own decision for a child of `parent`, which runs on `cpu`; nothing changes.
  [[nodiscard]] std::optional<ForkRecord> ask(int cpu, int parent) const;
  /// The child starts on `target`. Returns its number. Needs !full().
  int fork(int cpu, int parent, int target);

 private:
  void pinned(int task, int cpu, const Event& event);

  Model model_;
  Machine<N> m_;
};

}  // namespace schedcheck
