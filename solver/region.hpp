// SPDX-License-Identifier: Apache-2.0
/// \file Regions: ordinary control flow over symbolic values, by re-execution.
/// A region's body runs once per path; `if` on a symbolic Bool picks the side that the path
/// prescribes, and the results meet in if-then-else terms when the paths are joined bottom-up.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "solver/z3_session.hpp"
#include "solver/z3_values.hpp"

namespace schedcheck::region_detail {

template <class T>
concept HasFields = requires(T& x) {
  x.fields();
};

/// Calls f on every symbolic or plain leaf of x.
template <class T, class F>
void for_each_leaf(T& x, F&& f) {
  if constexpr (HasFields<T>) {
    std::apply([&](auto&... field) { (for_each_leaf(field, f), ...); }, x.fields());
  } else if constexpr (requires { x.begin(); }) {
    for (auto& element : x) for_each_leaf(element, f);
  } else {
    f(x);
  }
}

/// result = c ? result : other, leaf by leaf. Plain leaves must agree on all paths.
template <class T>
void merge_into(const Z3Bool& c, T& result, T& other) {
  if constexpr (std::is_base_of_v<Z3Int, T> || std::is_same_v<T, Z3Bool>) {
    if (!result.same(other)) result = merge(c, result, other);
  } else if constexpr (HasFields<T>) {
    auto mine = result.fields();
    auto theirs = other.fields();
    [&]<std::size_t... kI>(std::index_sequence<kI...>) {
      (merge_into(c, std::get<kI>(mine), std::get<kI>(theirs)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(mine)>>{});
  } else if constexpr (requires { result.begin(); }) {
    if (result.size() != other.size()) throw std::logic_error("paths disagree on a container size");
    for (std::size_t i = 0; i < result.size(); ++i) merge_into(c, result[i], other[i]);
  } else {
    if (!(result == other)) throw std::logic_error("paths disagree on a plain value");
  }
}

template <class... T>
void merge_into(const Z3Bool& c, std::tuple<T...>& result, std::tuple<T...>& other) {
  [&]<std::size_t... kI>(std::index_sequence<kI...>) {
    (merge_into(c, std::get<kI>(result), std::get<kI>(other)), ...);
  }
  (std::index_sequence_for<T...>{});
}

struct Decision {
  Z3Bool condition;
  bool taken;
};

/// One run of a region body along one path.
class Run {
 public:
  Run(std::vector<bool> prefix, const std::unordered_set<const void*>* listed);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  std::vector<bool> prefix;
  std::vector<Decision> trace;
  const std::unordered_set<const void*>* listed;
  std::uint32_t start;
  Run* parent;
};

/// Stores made by the explorer itself are not the body's.
class UncheckedStores {
 public:
  UncheckedStores();
  ~UncheckedStores();
  UncheckedStores(const UncheckedStores&) = delete;
  UncheckedStores& operator=(const UncheckedStores&) = delete;
};

/// The conjunction of all decisions of the runs in progress.
Z3Bool path_condition();

template <class F>
auto explore(F& f, std::vector<bool> prefix, const std::unordered_set<const void*>* listed)
    -> decltype(f()) {
  std::vector<Decision> trace;
  const std::size_t fixed = prefix.size();
  auto result = [&] {
    Run run(std::move(prefix), listed);
    auto value = f();
    trace = std::move(run.trace);
    return value;
  }();
  for (std::size_t i = trace.size(); i-- > fixed;) {
    std::vector<bool> other;
    other.reserve(i + 1);
    for (std::size_t j = 0; j < i; ++j) other.push_back(trace[j].taken);
    other.push_back(!trace[i].taken);
    auto alternative = explore(f, std::move(other), listed);
    const UncheckedStores guard;
    merge_into(trace[i].taken ? trace[i].condition : !trace[i].condition, result, alternative);
  }
  return result;
}

}  // namespace schedcheck::region_detail
