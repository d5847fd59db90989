// SPDX-License-Identifier: Apache-2.0
/// \file What prove says about the choice of a fork's group for any number of CPUs.
#pragma once

#include "cli/solver_setup.hpp"

namespace schedcheck::cli {

/// Adds the proof over the ring of groups and Spacer's second opinion, in at most `limit` a query
/// (0: 10 s). Nothing for other properties. Throws std::logic_error when the two disagree.
void add_any_cpu_count(SolverVerdict& verdict, const KernelSwitches& kernel, QueryLog& log,
                       std::chrono::milliseconds limit);

}  // namespace schedcheck::cli
