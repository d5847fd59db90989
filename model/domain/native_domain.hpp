// SPDX-License-Identifier: Apache-2.0
/// \file The native reading: plain machine integers. Regions are plain calls; nothing allocates.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "model/domain/value_domain.hpp"

namespace schedcheck {

/// Products of the fixed-point steps; a compiler extension that GCC and Clang share.
__extension__ using Uint128 = unsigned __int128;

/// An integer of the state in the smallest machine type that holds [kLo, kHi].
/// Debug builds assert the range at every store.
template <std::int64_t kLo, std::int64_t kHi>
class NativeField {
  template <std::int64_t kMax, class U, class Next>
  using FitUnsigned = std::conditional_t<(kLo >= 0 && kHi <= kMax), U, Next>;
  template <std::int64_t kMax, class S, class Next>
  using FitSigned = std::conditional_t<(kLo >= -kMax - 1 && kHi <= kMax), S, Next>;

 public:
  using Storage = FitUnsigned<
      0xff, std::uint8_t,
      FitSigned<
          0x7f, std::int8_t,
          FitUnsigned<0xffff, std::uint16_t,
                      FitSigned<0x7fff, std::int16_t,
                                FitUnsigned<0xffffffff, std::uint32_t,
                                            FitSigned<0x7fffffff, std::int32_t, std::int64_t>>>>>>;

  NativeField() = default;
  constexpr NativeField(std::int64_t x) : value_(static_cast<Storage>(x)) {
#ifdef SCHEDCHECK_DEBUG
    assert(kLo <= x && x <= kHi && "a model field left its declared range");
#endif
  }
  constexpr operator std::int64_t() const { return static_cast<std::int64_t>(value_); }

 private:
  Storage value_;
};

/// Machine integers as a ValueDomain. Contracts of every operation: value_domain.hpp.
struct NativeDomain {
  using Int = std::int64_t;
  using Bool = bool;
  using Mask = std::uint64_t;
  template <std::int64_t kLo, std::int64_t kHi>
  using Field = NativeField<kLo, kHi>;
  template <std::int64_t kLo, std::int64_t kHi>
  using Data = NativeField<kLo, kHi>;
  static constexpr bool kSymbolic = false;

  template <class F>
  [[gnu::always_inline]] static inline auto eval(F&& f) {
    return f();
  }
  template <class F, class... Parts>
  [[gnu::always_inline]] static inline void join(F&& f, Parts&...) {
    f();
  }
  static Int narrow(Int x, [[maybe_unused]] Int lo, [[maybe_unused]] Int hi) {
    assert(lo <= x && x <= hi);
    return x;
  }
  static constexpr Int constant(Int x) { return x; }
  static constexpr int cases(int n) { return n; }
  static int which(Int x, [[maybe_unused]] int lo, [[maybe_unused]] int hi) {
    assert(lo <= x && x <= hi);
    return static_cast<int>(x);
  }
  static Int select(Bool c, Int a, Int b) { return c ? a : b; }
  static Int to_int(Bool b) { return b ? 1 : 0; }
  static Int min(Int a, Int b) { return a < b ? a : b; }
  static Int max(Int a, Int b) { return a < b ? b : a; }
  static Int sub_or_zero(Int a, Int b) { return a > b ? a - b : 0; }
  /// (x * c) >> 32 for x >= 0, through a 128-bit product.
  static Int mul_shr32(Int x, std::uint32_t c) {
    return static_cast<Int>((static_cast<Uint128>(static_cast<std::uint64_t>(x)) * c) >> 32);
  }
  static Int shr(Int x, int s) { return x >> s; }
  static Int mod_pow2(Int x, int bits) { return x & ((Int{1} << bits) - 1); }
  /// floor(x / y) for x >= 0, y > 0.
  static Int div(Int x, Int y) {
    // Most sums fit: a 64-bit division costs several times a 32-bit one.
    const auto a = static_cast<std::uint64_t>(x);
    const auto b = static_cast<std::uint64_t>(y);
    if (((a | b) >> 32) == 0) return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
    return static_cast<Int>(a / b);
  }
  static Int wrap_u32(Int x) { return static_cast<Int>(static_cast<std::uint32_t>(x)); }
  static Bool bit(Mask m, int i) { return ((m >> i) & 1U) != 0; }
  static Bool intersects(Mask m, Mask cpus) { return (m & cpus) != 0; }
  static Int count(Mask m, Mask cpus) { return std::popcount(m & cpus); }
  static Int first(Mask m, Mask cpus) { return std::countr_zero(m & cpus); }
  static Mask with_bit(Mask m, int i) { return m | (Mask{1} << i); }
};
static_assert(ValueDomain<NativeDomain>);

}  // namespace schedcheck
