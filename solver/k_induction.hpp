// SPDX-License-Identifier: Apache-2.0
/// \file k-induction (Sheeran, Singh, Stalmarck, "Checking safety properties using induction and a
/// SAT-solver", FMCAD 2000) with exact numbers, over the states of a universe.
#pragma once

#include "solver/induction.hpp"

namespace schedcheck {

struct KInduction {
  Proof proof;
  BoundedResult step;  ///< depth events from any state of the universe, the last the first to fail.
  BoundedResult base;  ///< The first `depth` events from the start; asked when the step holds.
};

/// `query.depth` is k; its start is the one asked about (not kAny). kProved: no schedule from there
/// violates the property as long as its states stay in the universe. kFails: base.witness shows a
/// violation from the start, or step.witness one from a state that need not be reachable.
KInduction prove_by_k_induction(const BoundedQuery& query);

}  // namespace schedcheck
