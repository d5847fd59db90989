// SPDX-License-Identifier: Apache-2.0
/// \file Which renumberings of CPUs and tasks change nothing.
#pragma once

#include <vector>

#include "model/schedule.hpp"

namespace schedcheck {

/// name[c]: the number that CPU c gets.
using CpuRenaming = std::vector<int>;

CpuMask renamed(CpuMask cpus, const CpuRenaming& name);

/// All renamings (the identity first) under which every decision of the model is the same: each
/// CPU's domains, with the order of their groups, of the CPUs inside wide groups, and of the CPUs
/// that a wakeup looks at. Ties go to the first, so only what keeps these orders is a symmetry:
/// rotations of smp:N, swaps of equal LLCs or nodes. `alphabet` must be closed under it, and masks
/// must be whole or single CPUs, because a forbidden CPU is left for the lowest allowed one.
/// Only the identity with groups, sessions or more than 8 CPUs.
std::vector<CpuRenaming> cpu_symmetries(const Model& model, const std::vector<Event>& alphabet,
                                        const std::vector<InitialTask>& tasks);

/// Whether every event about a task is in the alphabet for every other task too.
bool tasks_alike(const Model& model, const std::vector<Event>& alphabet);

}  // namespace schedcheck
