// SPDX-License-Identifier: Apache-2.0
/// \file Cases for comparing two kernels: they start warm, with averages around the thresholds of
/// the group classes, and do what spawn loops do.
#pragma once

#include "properties/random/genome.hpp"

namespace schedcheck {

/// A genome of `length` words from (seed, index), independent of RapidCheck. Every second one
/// starts warm: a running task with an explicit average on every CPU.
Genome plain_genome(std::uint64_t seed, std::uint64_t index, int length);

/// One running task per CPU with an explicit average; one of them runs one to three loops of fork,
/// block, child exits and wakes it, and forks again. Times are the scenario's of spawn-stays-local
/// (within a tenth), the first fork anywhere in a tick. Some events may not be enabled: a child may
/// have been sent away.
Schedule warm_spawn_case(const CaseSetup& setup, std::uint64_t seed, std::uint64_t index);

}  // namespace schedcheck
