// SPDX-License-Identifier: Apache-2.0
/// \file The numbers that a state is made of, in a fixed order.
#pragma once

#include <tuple>

namespace schedcheck {

template <class T>
concept HasFields = requires(T& x) {
  x.fields();
};
template <class T>
concept HasElements = requires(T& x) {
  x.begin();
  x.size();
};

/// Calls f(leaf) for every number of `x`, through fields and elements.
template <class T, class F>
void for_each_leaf(T& x, F&& f) {
  if constexpr (HasFields<T>) {
    std::apply([&](auto&... field) { (for_each_leaf(field, f), ...); }, x.fields());
  } else if constexpr (HasElements<T>) {
    for (auto& element : x) for_each_leaf(element, f);
  } else {
    f(x);
  }
}

}  // namespace schedcheck
