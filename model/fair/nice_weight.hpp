// SPDX-License-Identifier: Apache-2.0
/// \file Weights of nice values and their inverses: sched_prio_to_weight and sched_prio_to_wmult,
/// kernel/sched/core.c (same in every version modelled).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "model/fair/sched_entity.hpp"

namespace schedcheck {

inline constexpr int kMinNice = -20;
inline constexpr int kMaxNice = 19;

/// Unscaled weights of nice -20..19.
inline constexpr std::array<std::int64_t, 40> kNiceWeights = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906,  3121,  2501,  1991,  1586,  1277,  1024,  820,   655,   526,   423,  335,  272,  215,
    172,   137,   110,   87,    70,    56,    45,    36,    29,    23,    18,   15};

/// About 2^32 / weight; not uniformly rounded.
inline constexpr std::array<std::int64_t, 40> kNiceInverses = {
    48388,    59856,    76040,    92818,     118348,    147320,    184698,    229616,
    287308,   360437,   449829,   563644,    704093,    875809,    1099582,   1376151,
    1717300,  2157191,  2708050,  3363326,   4194304,   5237765,   6557202,   8165337,
    10153587, 12820798, 15790321, 19976592,  24970740,  31350126,  39045157,  49367440,
    61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153};

constexpr std::int64_t weight_of_nice(int nice) {
  return kNiceWeights[static_cast<std::size_t>(nice - kMinNice)];
}

/// Nothing for a weight that no nice value has.
constexpr std::optional<int> nice_of_weight(std::int64_t weight) {
  const auto* at = std::find(kNiceWeights.begin(), kNiceWeights.end(), weight);
  if (at == kNiceWeights.end()) return std::nullopt;
  return static_cast<int>(at - kNiceWeights.begin()) + kMinNice;
}

/// The inverse that goes with an unscaled weight >= 1: a nice value's, else computed.
constexpr std::int64_t inverse_of_weight(std::int64_t weight) {
  const auto nice = nice_of_weight(weight);
  return nice ? kNiceInverses[static_cast<std::size_t>(*nice - kMinNice)] : kU32Max / weight;
}

}  // namespace schedcheck
