// SPDX-License-Identifier: Apache-2.0
/// \file Real time to virtual time: calc_delta_fair and __calc_delta, kernel/sched/fair.c, until
/// v7.0. Also the signed divisions of this area.
#pragma once

#include <bit>

#include "model/machine.hpp"

namespace schedcheck {

/// x / y towards zero, for y > 0.
template <ValueDomain D>
IntOf<D> div_trunc(const IntOf<D>& x, const IntOf<D>& y) {
  return D::eval([&]() -> IntOf<D> {
    if (x >= 0) return D::div(D::narrow(x, 0, kInt64Max), y);
    return IntOf<D>(0) - D::div(D::narrow(IntOf<D>(0) - x, 0, kInt64Max), y);
  });
}

/// x / y towards minus infinity, for y > 0.
template <ValueDomain D>
IntOf<D> div_floor(const IntOf<D>& x, const IntOf<D>& y) {
  return D::eval([&]() -> IntOf<D> {
    if (x >= 0) return D::div(D::narrow(x, 0, kInt64Max), y);
    return IntOf<D>(0) - D::div(D::narrow(y - x - 1, 0, kInt64Max), y);
  });
}

/// floor((2^32 - 1) / w), the inverse of a group's unscaled weight w > 0.
template <ValueDomain D>
IntOf<D> computed_inverse(const IntOf<D>& unscaled_weight) {
  return D::div(IntOf<D>(kU32Max), unscaled_weight);
}

/// delta x 1024 / weight in the kernel's fixed point; delta >= 0 in ns.
template <ValueDomain D>
IntOf<D> calc_delta_fair(const IntOf<D>& delta, const IntOf<D>& load_weight,
                         const IntOf<D>& inv_weight) {
  using Int = IntOf<D>;
  return D::eval([&]() -> Int {
    if (load_weight == kNice0Load) return delta;
    const auto factor = static_cast<std::uint64_t>(D::constant(inv_weight)) << 10;
    // The kernel keeps the factor in 32 bits and shifts the product less instead.
    const int lost = static_cast<int>(std::bit_width(factor >> 32));
    return D::mul_shr32(delta * (std::int64_t{1} << lost),
                        static_cast<std::uint32_t>(factor >> lost));
  });
}
template <ValueDomain D>
IntOf<D> calc_delta_fair(const IntOf<D>& delta, const SchedEntity<D>& se) {
  return calc_delta_fair<D>(delta, se.load_weight, se.inv_weight);
}

}  // namespace schedcheck
