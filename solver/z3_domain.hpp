// SPDX-License-Identifier: Apache-2.0
/// \file The symbolic reading: Z3 terms as a ValueDomain. Contracts: model/domain/value_domain.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "model/domain/value_domain.hpp"
#include "solver/region.hpp"
#include "solver/z3_values.hpp"

namespace schedcheck {

/// x stored where only [lo, hi] is declared: narrows the interval and files an obligation with the
/// current session when neither the interval nor the path proves the range. A value that is never
/// in the range ends the path; outside regions it is a std::logic_error.
Z3Int store_in_range(const Z3Int& x, std::int64_t lo, std::int64_t hi, bool data = false);

template <class T>
concept PlainInteger = std::is_integral_v<T> || std::is_enum_v<T>;

template <std::int64_t kLo, std::int64_t kHi>
class Z3Field : public Z3Int {
 public:
  Z3Field() : Z3Field(kLo <= 0 && 0 <= kHi ? 0 : kLo) {}
  Z3Field(const Z3Int& x) : Z3Int(store_in_range(x, kLo, kHi)) {}
  Z3Field(PlainInteger auto x) : Z3Field(Z3Int(static_cast<std::int64_t>(x))) {}
  Z3Field(const Z3Field&) = default;
  ~Z3Field() = default;
  Z3Field& operator=(const Z3Field&) = default;
  Z3Field& operator=(const Z3Int& x) {
    Z3Int::operator=(store_in_range(x, kLo, kHi));
    return *this;
  }
  Z3Field& operator=(PlainInteger auto x) {
    *this = Z3Int(static_cast<std::int64_t>(x));
    return *this;
  }
};

/// x stored in a Data field. In an abstract session: any value of the range, unless x is a
/// constant.
Z3Int stored_data(const Z3Int& x, std::int64_t lo, std::int64_t hi);

/// A field whose numbers an abstract session forgets: what is stored there may be read as anything.
/// That over-approximates every computation of the number, even one that leaves the range.
template <std::int64_t kLo, std::int64_t kHi>
class Z3Data : public Z3Field<kLo, kHi> {
 public:
  using Base = Z3Field<kLo, kHi>;
  Z3Data() = default;
  Z3Data(const Z3Int& x) : Base(stored_data(x, kLo, kHi)) {}
  Z3Data(PlainInteger auto x) : Base(x) {}
  Z3Data(const Z3Data&) = default;
  ~Z3Data() = default;
  Z3Data& operator=(const Z3Data&) = default;
  Z3Data& operator=(const Z3Int& x) {
    Base::operator=(stored_data(x, kLo, kHi));
    return *this;
  }
  Z3Data& operator=(PlainInteger auto x) {
    Base::operator=(x);
    return *this;
  }
};

struct Z3Domain {
  using Int = Z3Int;
  using Bool = Z3Bool;
  using Mask = Z3Field<0, INT64_MAX>;
  template <std::int64_t kLo, std::int64_t kHi>
  using Field = Z3Field<kLo, kHi>;
  template <std::int64_t kLo, std::int64_t kHi>
  using Data = Z3Data<kLo, kHi>;
  static constexpr bool kSymbolic = true;

  template <class F>
  static auto eval(F&& f) {
    return region_detail::evaluate(f);
  }
  template <class F, class... Parts>
  static void join(F&& f, Parts&... parts) {
    region_detail::join(f, parts...);
  }
  static Int narrow(const Int& x, std::int64_t lo, std::int64_t hi) {
    return store_in_range(x, lo, hi);
  }
  static std::int64_t constant(const Int& x);
  static int cases(int n);
  static int which(const Int& x, int lo, int hi);
  static Int select(const Bool& c, const Int& a, const Int& b) { return merge(c, a, b); }
  static Int to_int(const Bool& b) { return indicator(b); }
  static Int min(const Int& a, const Int& b) {
    return merge(a < b, a, b).assume_range(std::min(a.lo(), b.lo()), std::min(a.hi(), b.hi()));
  }
  static Int max(const Int& a, const Int& b) {
    return merge(a < b, b, a).assume_range(std::max(a.lo(), b.lo()), std::max(a.hi(), b.hi()));
  }
  static Int sub_or_zero(const Int& a, const Int& b);
  static Int mul_shr32(const Int& factor, std::uint32_t c);
  static Int shr(const Int& value, int s);
  static Int mod_pow2(const Int& value, int bits);
  /// The divisor is split over its values when its strided interval has at most 64 of them.
  static Int div(const Int& dividend, const Int& divisor);
  static Int wrap_u32(const Int& x) {
    return x.lo() >= 0 && x.hi() <= 0xffffffffLL ? x : mod_pow2(x, 32);
  }
  static Bool bit(const Int& m, int i) { return mod_pow2(shr(m, i), 1) == Int(1); }
  static Bool intersects(const Int& m, std::uint64_t cpus);
  static Int count(const Int& m, std::uint64_t cpus);
  static Int first(const Int& m, std::uint64_t cpus);
  static Mask with_bit(const Int& m, int i);
};
static_assert(ValueDomain<Z3Domain>);

}  // namespace schedcheck
