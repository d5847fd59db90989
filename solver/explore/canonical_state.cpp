// SPDX-License-Identifier: Apache-2.0
/// \file Which property reads which ghost state.
#include "solver/explore/canonical_state.hpp"

namespace schedcheck {

Cone cone_of(PropertySet properties) {
  Cone cone;
  const auto has = [&](auto... kinds) {
    return (... || ((properties >> position_of<typename decltype(kinds)::type>() & 1) != 0));
  };
  using std::type_identity;
  cone.burst = has(type_identity<ForkBurstSpreads>{});
  cone.spawn = has(type_identity<SpawnStaysLocal>{});
  cone.fair = has(type_identity<FairNeverStarves>{});
  cone.reweighted = has(type_identity<LagWithinClamp>{}, type_identity<YieldProgress>{},
                        type_identity<DelayedPeerLeaves>{});
  cone.lone = has(type_identity<ReferenceTracks>{});
  cone.pair = has(type_identity<EqualTasksShare>{});
  cone.balances = has(type_identity<LedgerBalances>{}, type_identity<NoGhostBusy>{});
  // ExitMoveSumExact judges a record that says whether a removal was pending.
  cone.ledger = cone.balances ||
                has(type_identity<ExitLeavesNoUtilization>{}, type_identity<ExitMoveSumExact>{});
  return cone;
}

}  // namespace schedcheck
