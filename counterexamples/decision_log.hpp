// SPDX-License-Identifier: Apache-2.0
/// \file Why a child went where it went: each level of the walk with its groups' numbers.
#pragma once

#include <string>
#include <vector>

#include "properties/property.hpp"

namespace schedcheck {

/// One group as the decision read it.
struct GroupRecord {
  CpuMask cpus = 0;
  std::string type;  ///< has_spare, fully_busy, imbalanced, overloaded.
  std::int64_t util = 0, runnable = 0, load = 0, nr_running = 0, idle_cpus = 0, avg_load = 0;
  bool local = false;
  bool allowed = true;
};

struct LevelRecord {
  std::string domain;
  int cpu = 0;  ///< Whose domain.
  int imbalance_pct = 0;
  std::vector<GroupRecord> groups;  ///< Ring order.
  int chosen = -1;                  ///< Position in groups; -1: stay local.
  int picked_cpu = -1;              ///< Inside the chosen group.
  std::string reason;               ///< In words, with the numbers compared.
};

struct ForkRecord {
  int parent = 0, child = 0, this_cpu = 0, chosen_cpu = 0;
  std::vector<LevelRecord> levels;
};

/// The decision for `child`, about to be taken in this state (same functions as the model's step).
ForkRecord record_fork(const Model& model, const Machine<NativeDomain>& m, int parent, int child,
                       int this_cpu, int chosen);

/// "{0,2}" or "3".
std::string mask_text(CpuMask cpus);

}  // namespace schedcheck
