// SPDX-License-Identifier: Apache-2.0
/// \file A known fault for each property: a search or proof that says "holds" must find or refuse
/// it at the same bound, or it proves nothing.
#pragma once

#include <optional>
#include <string>

#include "model/kernel_switches.hpp"
#include "model/mutants.hpp"
#include "properties/observer.hpp"

namespace schedcheck {

struct Canary {
  std::string name;       ///< "exit_move=bail_if_same_group" or "M-05 fewer-idle-cpus-win: ..".
  KernelSwitches kernel;  ///< The switches of the query with the fault in.
  Mutant mutant = Mutant::kNone;
};

/// Nothing where a property has no fault that the symbolic reading can have.
std::optional<Canary> canary_for(std::size_t property, const KernelSwitches& kernel);

/// Properties that a symbolic step judges: not those that look at the state before an event or
/// follow a scenario.
PropertySet judged_symbolically();

/// Properties about the ledger's balances, which free states do not have.
bool needs_balances(std::size_t property);
/// Whether check_each_position (bounded_model_checking.hpp) may be asked about the property.
bool decided_by_position(std::size_t property);
/// Properties about sums and averages, which induction forgets.
bool needs_averages(std::size_t property);

}  // namespace schedcheck
