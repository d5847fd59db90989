// SPDX-License-Identifier: Apache-2.0
/// \file The state invariants: what every reachable state has in common as far as tasks and queues
/// are concerned. Free states have them built in; induction shows that every event keeps them.
#pragma once

#include <string>
#include <vector>

#include "solver/cpu_view.hpp"

namespace schedcheck {

struct StateInvariant {
  std::string what;
  Z3Bool holds;
};

/// The invariants of m, one entry per claim, all CPUs and tasks together.
std::vector<StateInvariant> well_formed(const Model& model, const SymbolicMachine& m);

/// Whether the proof of property `property` needs more than these.
bool needs_strengthening(std::size_t property);

/// What the proof of property `property` needs beyond that: facts about ghost state under the
/// kernel's switches. Empty for most.
std::vector<StateInvariant> strengthening(const Model& model, const SymbolicMachine& m,
                                          std::size_t property);

/// Restricts a free state to the strengthening (constants where it says so).
void assume_strengthening(SymbolicMachine& m, std::size_t property);

}  // namespace schedcheck
