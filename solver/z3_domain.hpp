// SPDX-License-Identifier: Apache-2.0
/// \file The symbolic reading: Z3 terms as a ValueDomain. Contracts: model/domain/value_domain.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <unordered_set>

#include "model/domain/value_domain.hpp"
#include "solver/region.hpp"
#include "solver/z3_values.hpp"

namespace schedcheck {

/// x stored where only [lo, hi] is declared: narrows the interval and files an obligation with the
/// current session when the interval does not prove the range by itself.
Z3Int store_in_range(const Z3Int& x, std::int64_t lo, std::int64_t hi);

template <std::int64_t kLo, std::int64_t kHi>
class Z3Field : public Z3Int {
 public:
  Z3Field() = default;
  Z3Field(const Z3Int& x) : Z3Int(store_in_range(x, kLo, kHi)) {}
  Z3Field(std::int64_t x) : Z3Field(Z3Int(x)) {}
  Z3Field(int x) : Z3Field(Z3Int(x)) {}
  Z3Field(const Z3Field&) = default;
  ~Z3Field() = default;
  Z3Field& operator=(const Z3Field&) = default;
  Z3Field& operator=(const Z3Int& x) {
    Z3Int::operator=(store_in_range(x, kLo, kHi));
    return *this;
  }
};

struct Z3Domain {
  using Int = Z3Int;
  using Bool = Z3Bool;
  using Mask = Z3Field<0, INT64_MAX>;
  template <std::int64_t kLo, std::int64_t kHi>
  using Field = Z3Field<kLo, kHi>;
  static constexpr bool kSymbolic = true;

  template <class F>
  static auto eval(F&& f) {
    static const std::unordered_set<const void*> nothing;
    return region_detail::explore(f, {}, &nothing);
  }
  template <class F, class... Parts>
  static void join(F&& f, Parts&... parts) {
    const std::tuple<Parts...> initial(parts...);
    std::unordered_set<const void*> listed;
    (region_detail::for_each_leaf(parts, [&](auto& leaf) { listed.insert(&leaf); }), ...);
    auto body = [&] {
      {
        const region_detail::UncheckedStores guard;
        std::tie(parts...) = initial;
      }
      f();
      return std::tuple<Parts...>(parts...);
    };
    auto joined = region_detail::explore(body, {}, &listed);
    {
      const region_detail::UncheckedStores guard;
      std::tie(parts...) = initial;
    }
    // Through checked stores: an enclosing region must list these parts too.
    write_back(parts..., joined);
  }
  static Int narrow(const Int& x, std::int64_t lo, std::int64_t hi) {
    return store_in_range(x, lo, hi);
  }
  static int which(const Int& x, int lo, int hi);
  static Int select(const Bool& c, const Int& a, const Int& b) { return merge(c, a, b); }
  static Int to_int(const Bool& b) { return merge(b, Int(1), Int(0)); }
  static Int min(const Int& a, const Int& b) {
    return merge(a < b, a, b).assume_range(std::min(a.lo(), b.lo()), std::min(a.hi(), b.hi()));
  }
  static Int max(const Int& a, const Int& b) {
    return merge(a < b, b, a).assume_range(std::max(a.lo(), b.lo()), std::max(a.hi(), b.hi()));
  }
  static Int sub_or_zero(const Int& a, const Int& b);
  static Int mul_shr32(const Int& x, std::uint32_t c);
  static Int shr(const Int& x, int s);
  static Int mod_pow2(const Int& x, int bits);
  /// The divisor is split over its values when its strided interval has at most 64 of them.
  static Int div(const Int& x, const Int& y);
  static Int wrap_u32(const Int& x) {
    return x.lo() >= 0 && x.hi() <= 0xffffffffLL ? x : mod_pow2(x, 32);
  }
  static Bool bit(const Int& m, int i) { return mod_pow2(shr(m, i), 1) == Int(1); }
  static Mask with_bit(const Int& m, int i) {
    return m + select(bit(m, i), Int(0), Int(std::int64_t{1} << i));
  }

 private:
  template <class... Args>
  static void write_back(Args&... args) {
    auto all = std::tie(args...);
    constexpr std::size_t kParts = sizeof...(Args) - 1;
    auto& joined = std::get<kParts>(all);
    [&]<std::size_t... kI>(std::index_sequence<kI...>) {
      (write_changed(std::get<kI>(all), std::get<kI>(joined)), ...);
    }
    (std::make_index_sequence<kParts>{});
  }
  /// Stores only what changed: an enclosing region need not list parts that stayed the same.
  template <class T>
  static void write_changed(T& part, T& joined) {
    if constexpr (std::is_base_of_v<Z3Int, T> || std::is_same_v<T, Z3Bool>) {
      if (!part.same(joined)) part = joined;
    } else if constexpr (region_detail::HasFields<T>) {
      auto mine = part.fields();
      auto theirs = joined.fields();
      [&]<std::size_t... kI>(std::index_sequence<kI...>) {
        (write_changed(std::get<kI>(mine), std::get<kI>(theirs)), ...);
      }
      (std::make_index_sequence<std::tuple_size_v<decltype(mine)>>{});
    } else if constexpr (requires { part.begin(); }) {
      for (std::size_t i = 0; i < part.size(); ++i) write_changed(part[i], joined[i]);
    } else {
      part = joined;
    }
  }
};
static_assert(ValueDomain<Z3Domain>);

}  // namespace schedcheck
