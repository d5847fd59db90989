// SPDX-License-Identifier: Apache-2.0
/// \file The same state in both readings: a walk over the leaves of two states at once.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "solver/region.hpp"
#include "solver/z3_values.hpp"

namespace schedcheck {

/// Calls f(path, native leaf, symbolic leaf) for all leaves of two states of one shape. A path
/// names fields by their position in fields(), elements by their index: ".2[1].5.0". Of two
/// containers the shorter grows, so that one of the states may be empty.
template <class N, class S, class F>
void walk_leaf_pairs(const std::string& path, N& native, S& symbolic, const F& f) {
  if constexpr (HasFields<S>) {
    auto mine = native.fields();
    auto theirs = symbolic.fields();
    [&]<std::size_t... kI>(std::index_sequence<kI...>) {
      (walk_leaf_pairs(path + "." + std::to_string(kI), std::get<kI>(mine), std::get<kI>(theirs),
                       f),
       ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(mine)>>{});
  } else if constexpr (HasElements<S>) {
    if (native.size() < symbolic.size()) {
      native.resize(symbolic.size());
    } else {
      symbolic.resize(native.size());
    }
    for (std::size_t i = 0; i < native.size(); ++i)
      walk_leaf_pairs(path + "[" + std::to_string(i) + "]", native[i], symbolic[i], f);
  } else {
    f(path, native, symbolic);
  }
}

/// A copy of `native` whose leaves are constants.
template <class S, class N>
S constants(N& native) {
  S symbolic;
  walk_leaf_pairs("", native, symbolic,
                  []<class L>(const std::string& /*path*/, auto& mine, L& theirs) {
                    if constexpr (std::is_same_v<L, Z3Bool>) {
                      theirs = static_cast<bool>(mine);
                    } else {
                      theirs = static_cast<std::int64_t>(mine);
                    }
                  });
  return symbolic;
}

}  // namespace schedcheck
