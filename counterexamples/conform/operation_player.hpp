// SPDX-License-Identifier: Apache-2.0
/// \file The operations of vectors on the model, one kernel function at a time: a request to
/// reschedule is only noted, because the files say when schedule() runs.
#pragma once

#include <optional>

#include "model/step.hpp"

namespace schedcheck {

class OperationPlayer {
 public:
  /// Groups come from model.group_parent and are made at `t0`, when every clock starts.
  OperationPlayer(Model model, int nr_cpus, std::int64_t t0);

  struct NewTask {
    int parent_cpu = 0, group = 0, nice = 0;
    std::int64_t slice = 0;  ///< ns; 0: the base slice.
  };

  /// What follows happens at `now`.
  void at(std::int64_t now) { m_.now = now; }
  void fork(int p, int cpu, const NewTask& task);
  void tick(int cpu);
  /// Without `next` the model picks; with it (kNoTask: idle) the file says who runs.
  void schedule(int cpu, std::optional<int> next = std::nullopt);
  /// The current task sleeps. Requires that there is one.
  void block(int cpu, std::optional<int> next = std::nullopt);
  /// The current task goes through the step inside do_exit, as switch exit_move says.
  void move_at_exit(int cpu);
  void exit(int cpu, std::optional<int> next = std::nullopt);
  void wake(int p, int cpu);
  /// Requires that p is queued on another CPU.
  void migrate_queued(int p, int cpu);
  void move_group(int p, int group);
  void update_blocked(int cpu);

  [[nodiscard]] int curr(int cpu) const { return static_cast<int>(cpu_rq(m_, cpu).curr); }
  [[nodiscard]] bool need_resched(int cpu) const { return cpu_rq(m_, cpu).need_resched; }
  [[nodiscard]] const Machine<NativeDomain>& machine() const { return m_; }
  [[nodiscard]] const Model& model() const { return model_; }

 private:
  void deschedule(int cpu, bool dies, std::optional<int> next);

  Model model_;
  Machine<NativeDomain> m_;
};

}  // namespace schedcheck
