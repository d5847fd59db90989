// SPDX-License-Identifier: Apache-2.0
/// \file Constants of per-entity load tracking. Time unit: 1024 ns; window: 1024 units.
#pragma once

#include <array>
#include <cstdint>

namespace schedcheck {

inline constexpr std::int64_t kCapacity = 1024;  ///< One CPU at full speed.
inline constexpr std::int64_t kNsPerUnit = 1024;
inline constexpr std::int64_t kWindowUnits = 1024;
inline constexpr std::int64_t kWindowNs = kWindowUnits * kNsPerUnit;
inline constexpr std::int64_t kLoadAvgMax = 47742;  ///< Limit of a sum of always-on windows.
inline constexpr std::int64_t kPeltMinDivider = kLoadAvgMax - kWindowUnits;
inline constexpr int kHalfLifeWindows = 32;
inline constexpr int kForgottenAfter = 2016;        ///< Windows after which nothing is left.
inline constexpr std::int64_t kNice0Weight = 1024;  ///< Unscaled weight of nice 0.

/// floor(0.5^(n/32) * (2^32 - 1)): the decay factor of n windows, 32 fraction bits.
inline constexpr std::array<std::uint32_t, kHalfLifeWindows> kDecayFactor = {
    0xffffffffU, 0xfa83b2daU, 0xf5257d14U, 0xefe4b99aU, 0xeac0c6e6U, 0xe5b906e6U, 0xe0ccdeebU,
    0xdbfbb796U, 0xd744fcc9U, 0xd2a81d91U, 0xce248c14U, 0xc9b9bd85U, 0xc5672a10U, 0xc12c4cc9U,
    0xbd08a39eU, 0xb8fbaf46U, 0xb504f333U, 0xb123f581U, 0xad583ee9U, 0xa9a15ab4U, 0xa5fed6a9U,
    0xa2704302U, 0x9ef5325fU, 0x9b8d39b9U, 0x9837f050U, 0x94f4efa8U, 0x91c3d373U, 0x8ea4398aU,
    0x8b95c1e3U, 0x88980e80U, 0x85aac367U, 0x82cd8698U};

}  // namespace schedcheck
