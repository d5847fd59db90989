// SPDX-License-Identifier: Apache-2.0
/// \file One schedule on two kernels in lockstep: the first placement that differs, and oracles for
/// the minimizer that run both. docs/compare.md.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "counterexamples/decision_log.hpp"
#include "counterexamples/minimize.hpp"
#include "properties/run_schedule.hpp"

namespace schedcheck {

/// What a CPU's queue holds for dead tasks when a fork reads it.
struct HeldForDead {
  std::int64_t util_avg = 0;
  std::int64_t pending = 0;   ///< Points that the queue's next update takes away.
  std::int64_t left_sum = 0;  ///< util_sum that stays after that.
  std::int64_t divider = 1;   ///< left_sum / divider = points.
};

/// Where one kernel sends a task, and what it read.
struct PlacementDecision {
  int task = kNoTask;              ///< The child, or the task that wakes.
  int this_cpu = 0;                ///< The parent's CPU, or the previous one.
  int chosen_cpu = 0;              ///< Equal to this_cpu: local.
  std::optional<ForkRecord> fork;  ///< Of a fork.
  std::vector<HeldForDead> cpus;   ///< Of a fork, one per CPU.
  CpuMask idle = 0;                ///< Of a wakeup: the idle CPUs it could see.
};

struct Divergence {
  int event = 0;  ///< From 1.
  bool is_fork = true;
  PlacementDecision a, b;
};

struct Lockstep {
  int event = 0;                 ///< The first placement that differs, from 1; 0: none.
  bool averages_differ = false;  ///< At some fork up to there a CPU's util_avg differed.
};

/// Two models that share everything but the switches. Building the domains costs more than a short
/// run, so they are kept as long as the topology stays.
class TwoKernels {
 public:
  /// Throws InputError for unknown kernels.
  TwoKernels(const std::string& kernel_a, const std::string& kernel_b);

  /// Runs both up to the first difference, the first event that is not enabled, or the end.
  Lockstep lockstep(const Schedule& schedule);

  /// The event at which `property` is violated on A while B reaches that event without violating
  /// it; 0 if that is not so.
  int fails_only_on_first(const Schedule& schedule, std::size_t property);

  /// spawn-stays-local from a warm state: the fork that leaves its CPU on A and not on B, where
  /// dead tasks left at least a point more on A; 0: none.
  int spawn_leaves_only_on_first(const Schedule& schedule);

  /// The difference that lockstep() finds, with both decisions.
  std::optional<Divergence> divergence(const Schedule& schedule);

  [[nodiscard]] const std::string& kernel_a() const { return names_[0]; }
  [[nodiscard]] const std::string& kernel_b() const { return names_[1]; }

 private:
  bool prepare(const Schedule& schedule);

  std::array<std::string, 2> names_;
  std::array<KernelSwitches, 2> switches_;
  std::array<Model, 2> models_;
  std::string topology_;
};

/// What a comparison asks for.
enum class Difference : std::uint8_t { kPlacement, kProperty, kWarmSpawn };

/// The oracle of a comparison; `property` is used by kProperty only.
StillFails differs(Difference what, const std::string& kernel_a, const std::string& kernel_b,
                   std::size_t property = 0);

/// The first event at which spawn-stays-local is violated if the schedule's start counts as the
/// middle of one spawn loop per CPU (only a CPU's first fork may come at any time); 0: none, -1: an
/// event before is not enabled.
int warm_spawn_violation(const Model& model, const Schedule& schedule);

/// The largest utilisation with which a group of `cpus` still has spare capacity.
std::int64_t spare_up_to(CpuMask cpus, int imbalance_pct);

}  // namespace schedcheck
