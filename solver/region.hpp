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
#include <utility>
#include <vector>

#include "model/domain/leaves.hpp"
#include "solver/path_facts.hpp"
#include "solver/z3_session.hpp"
#include "solver/z3_values.hpp"

namespace schedcheck::region_detail {

template <class T>
concept SymbolicLeaf = std::is_base_of_v<Z3Int, T> || std::is_same_v<T, Z3Bool>;

/// Calls f on the address and size of every container in x.
template <class T, class F>
void for_each_container(T& x, F&& f) {
  if constexpr (HasFields<T>) {
    std::apply([&](auto&... field) { (for_each_container(field, f), ...); }, x.fields());
  } else if constexpr (HasElements<T>) {
    f(static_cast<const void*>(x.size() == 0 ? nullptr : &*x.begin()), x.size());
    using Element = std::remove_reference_t<decltype(*x.begin())>;
    if constexpr (HasFields<Element> || HasElements<Element>)
      for (auto& element : x) for_each_container(element, f);
  }
}

/// leaf = value, which is one of two values of such leaves: no range to check, nothing to forget.
inline void store_merged(Z3Int& leaf, const Z3Int& value) { leaf = value; }
inline void store_merged(Z3Bool& leaf, const Z3Bool& value) { leaf = value; }

/// result = c ? result : other, leaf by leaf. Plain leaves must agree on all paths.
template <class T>
void merge_into(const Z3Bool& c, T& result, T& other) {
  if constexpr (SymbolicLeaf<T>) {
    // Also for equal terms: what one side knows of its value need not hold on the other's paths.
    store_merged(result, merge(c, result, other));
  } else if constexpr (HasFields<T>) {
    auto mine = result.fields();
    auto theirs = other.fields();
    [&]<std::size_t... kI>(std::index_sequence<kI...>) {
      (merge_into(c, std::get<kI>(mine), std::get<kI>(theirs)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(mine)>>{});
  } else if constexpr (HasElements<T>) {
    if (result.size() != other.size()) throw std::logic_error("paths disagree on a container size");
    for (std::size_t i = 0; i < result.size(); ++i) merge_into(c, result[i], other[i]);
  } else {
    if (!(result == other)) throw std::logic_error("paths disagree on a plain value");
  }
}

/// Ends a path that no execution takes. Regions drop such paths; it must not be caught elsewhere.
struct InfeasiblePath {};

struct Decision {
  Z3Bool condition;
  bool taken;
};

/// The value a leaf had or has; which of the two types is a matter of the leaf.
// NOLINTNEXTLINE(bugprone-exception-escape): a store that its region does not list must end the
// run.
struct LeafValue {
  Z3Int* integer = nullptr;
  Z3Bool* boolean = nullptr;
  Z3Int integer_value;
  Z3Bool boolean_value;

  [[nodiscard]] const void* address() const {
    return integer != nullptr ? static_cast<const void*>(integer) : boolean;
  }
};

/// One run of a region body along one path.
class Run {
 public:
  Run(const std::vector<bool>& path, std::uint64_t region_start);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  const std::vector<bool>& prefix;
  std::vector<Decision> trace;
  std::vector<Fact> facts;
  std::vector<LeafValue> undo;  ///< Old values of the listed leaves that the run wrote.
  std::uint64_t start;
  Run* parent;
};

/// The innermost run of this thread; nullptr outside regions.
Run* current_run();

/// The conjunction of all decisions of the runs in progress.
Z3Bool path_condition();

/// Outside every region an infeasible path is a bug of the model.
[[noreturn]] void no_feasible_path();

/// Reserves the birth stamps of a new region: listed leaves get `start`, written ones `start + 1`,
/// values born inside more.
std::uint64_t open_region();

/// Runs f along every feasible path that begins with `prefix`; merges what finish(run, value)
/// yields with combine(condition, result, alternative).
template <class Outcome, class RunPath, class Combine>
std::optional<Outcome> explore(RunPath& run_path, Combine& combine, std::vector<bool> prefix,
                               std::uint64_t start) {
  std::vector<Decision> trace;
  const std::size_t fixed = prefix.size();
  std::optional<Outcome> result;
  {
    Run run(prefix, start);
    result = run_path(run);
    trace = std::move(run.trace);
  }
  for (std::size_t i = trace.size(); i-- > fixed;) {
    for (std::size_t j = prefix.size(); j < i; ++j) prefix.push_back(trace[j].taken);
    prefix.resize(i);
    prefix.push_back(!trace[i].taken);
    std::optional<Outcome> other = explore<Outcome>(run_path, combine, prefix, start);
    if (!other) continue;
    if (!result) {
      result.emplace(std::move(*other));
    } else {
      combine(trace[i].taken ? trace[i].condition : !trace[i].condition, *result, *other);
    }
  }
  return result;
}

/// A region that yields a value.
template <class F>
auto evaluate(F& f) -> decltype(f()) {
  using Value = decltype(f());
  const std::uint64_t start = open_region();
  auto run_path = [&](Run& /*run*/) -> std::optional<Value> {
    try {
      return f();
    } catch (const InfeasiblePath&) {
      return std::nullopt;
    }
  };
  auto combine = [](const Z3Bool& c, Value& result, Value& other) { merge_into(c, result, other); };
  std::optional<Value> value = explore<Value>(run_path, combine, {}, start);
  if (!value) no_feasible_path();
  return *std::move(value);
}

/// The leaves that a join lists, marked as writable while it lasts.
class Listed {
 public:
  template <class... Parts>
  explicit Listed(std::uint64_t start, Parts&... parts) {
    (for_each_leaf(parts, [&](auto& leaf) { add(leaf, start); }), ...);
    (for_each_container(parts,
                        [&](const void* at, std::size_t size) { layout_.emplace_back(at, size); }),
     ...);
  }
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

  /// Ends the listing. Not a destructor: after an error the leaves may be gone.
  void restore() const;
  /// Throws when a container of the parts was resized.
  template <class... Parts>
  void check_layout(Parts&... parts) const {
    std::size_t i = 0;
    const auto check = [&](const void* at, std::size_t size) {
      if (i >= layout_.size() || layout_[i] != std::pair{at, size})
        throw std::logic_error("a region changed the size of a container");
      ++i;
    };
    (for_each_container(parts, check), ...);
  }

 private:
  template <class Leaf>
  void add(Leaf& leaf, std::uint64_t start) {
    static_assert(
        SymbolicLeaf<Leaf>,
        "a join lists values of the domain only: a plain value has one value on all paths");
    births_.emplace_back(&leaf.birth(), leaf.birth());
    leaf.birth() = start;
  }
  std::vector<std::pair<std::uint64_t*, std::uint64_t>> births_;
  std::vector<std::pair<const void*, std::size_t>> layout_;
};

/// Values of written leaves at the end of a path, by ascending address.
using Writes = std::vector<LeafValue>;

/// Takes the final values of a run and puts the old ones back.
Writes take_writes(Run& run, std::uint64_t start);
/// result = c ? result : other; a leaf missing on one side has its present value there.
void merge_writes(const Z3Bool& c, Writes& result, Writes& other);
/// Stores what changed, through checked stores: an enclosing region must list these leaves too.
void write_back(const Writes& writes);

/// A region that updates the listed parts.
template <class F, class... Parts>
void join(F& f, Parts&... parts) {
  const std::uint64_t start = open_region();
  std::optional<Writes> writes;
  {
    const Listed listed(start, parts...);
    auto run_path = [&](Run& run) -> std::optional<Writes> {
      bool feasible = true;
      try {
        f();
      } catch (const InfeasiblePath&) {
        feasible = false;
      }
      listed.check_layout(parts...);
      Writes result = take_writes(run, start);
      if (!feasible) return std::nullopt;
      return result;
    };
    writes = explore<Writes>(run_path, merge_writes, {}, start);
    listed.restore();
  }
  if (!writes) no_feasible_path();
  write_back(*writes);
}

}  // namespace schedcheck::region_detail
