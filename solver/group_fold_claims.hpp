// SPDX-License-Identifier: Apache-2.0
/// \file The properties that group_fold.hpp proves: the invariant of the fold that goes with each
/// and its claim at the end of the ring.
#pragma once

#include <string_view>
#include <vector>

#include "solver/group_fold_state.hpp"

namespace schedcheck {

using Conditions = std::vector<NamedCondition>;

/// Ring position of the chosen group in the words of the properties: 0 is the local one.
struct Choice {
  RingGroup local;
  Z3Int position;
  [[nodiscard]] Z3Bool leaves() const { return position != Z3Int(0); }
};

/// A property as the proofs know it.
struct FoldProperty {
  std::string_view name;
  bool single_cpu_groups, numa_too;
  bool child_may_stay, child_may_leave;  ///< Where the claim is relevant.
  /// What holds between two turns, besides what all properties need.
  Conditions (*invariant)(const FoldState&);
  Judgement<Z3Domain> (*judge)(const FoldState&, const Choice&);
};

/// Null for a property that is not about the choice of a group.
const FoldProperty* find_fold_property(std::string_view name);

/// What holds between two turns.
Conditions invariant(const FoldProperty& property, const FoldState& s);

}  // namespace schedcheck
