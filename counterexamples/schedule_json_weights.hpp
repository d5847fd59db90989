// SPDX-License-Identifier: Apache-2.0
/// \file Nice values and weights: sched_prio_to_weight, kernel/sched/core.c, the same in every
/// modelled version.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace schedcheck {

inline constexpr int kMinNice = -20;
inline constexpr int kMaxNice = 19;

/// Weight of nice -20, -19, .. 19; unscaled, nice 0 is 1024.
inline constexpr std::array<std::int64_t, 40> kSchedPrioToWeight = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906,  3121,  2501,  1991,  1586,  1277,  1024,  820,   655,   526,   423,  335,  272,  215,
    172,   137,   110,   87,    70,    56,    45,    36,    29,    23,    18,   15};

constexpr std::int64_t weight_of_nice(int nice) {
  return kSchedPrioToWeight[static_cast<std::size_t>(nice - kMinNice)];
}

/// Nothing for a weight that no nice value has.
constexpr std::optional<int> nice_of_weight(std::int64_t weight) {
  const auto* at = std::find(kSchedPrioToWeight.begin(), kSchedPrioToWeight.end(), weight);
  if (at == kSchedPrioToWeight.end()) return std::nullopt;
  return static_cast<int>(at - kSchedPrioToWeight.begin()) + kMinNice;
}

}  // namespace schedcheck
