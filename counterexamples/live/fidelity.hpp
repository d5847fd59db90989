// SPDX-License-Identifier: Apache-2.0
/// \file The model's decisions beside those of a kernel that ran the same schedule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "counterexamples/live/decisions.hpp"
#include "counterexamples/live/kernel_record.hpp"
#include "model/schedule.hpp"

namespace schedcheck {

enum class Agreement : std::uint8_t {
  kSame,
  kDiffers,
  kNotDone,    ///< The event did not happen on the kernel: its task was late, or gone.
  kNotSeen,    ///< The event happened, but the trace does not show what was decided.
  kNotJudged,  ///< The driver or another process was in the way, or limit L1 decides.
};

struct ComparedDecision {
  Decision model;
  std::optional<int> kernel;  ///< In the model's numbers, like Decision::value.
  Agreement agreement = Agreement::kNotSeen;
  std::uint64_t line = 0;  ///< Of the trace; 0: none.
  std::string cpus;        ///< Placements: what the CPUs did on the kernel.
};

/// The kernel moves a waiting task by itself: balancing, which the model does not do (limit L5).
struct KernelMove {
  int event = 0;
  int task = 0, from = 0, to = 0;
  std::uint64_t line = 0;
};

enum class RealVerdict : std::uint8_t { kViolated, kPossible, kNotSeen, kNotDecidable };

struct Fidelity {
  Timeline timeline;
  std::vector<ComparedDecision> decisions;
  std::vector<KernelMove> moves;
  std::vector<std::string> why;  ///< By decision: the model's numbers where it has some.
  std::uint64_t foreign = 0;     ///< Times that another process took a CPU from a task.
  std::uint64_t lost = 0;
  int spare_cpus = 0;
  RealVerdict verdict = RealVerdict::kNotDecidable;
  std::string verdict_text;

  /// Position of the first decision that differs.
  [[nodiscard]] std::optional<std::size_t> first_difference() const;
  [[nodiscard]] int count(Agreement agreement) const;
};

/// Compares `schedule` with the trace at `path` (kernel_record.hpp). Throws InputError for a bad
/// trace.
Fidelity compare_with_kernel(const Schedule& schedule, const std::string& path);

/// "event 3 (fork task 0): fork placement of task 2: model CPU 1, kernel CPU 0".
std::string decision_text(const Fidelity& fidelity, const ComparedDecision& decision);

}  // namespace schedcheck
