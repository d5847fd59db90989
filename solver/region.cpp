// SPDX-License-Identifier: Apache-2.0
/// \file The path a region run is on, and the check and undo of its stores.
#include "solver/region.hpp"

#include <algorithm>
#include <functional>
#include <ranges>

namespace schedcheck {
namespace region_detail {
namespace {

thread_local Run* innermost = nullptr;

LeafValue value_of(Z3Int& leaf) { return {&leaf, nullptr, leaf, {}}; }
LeafValue value_of(Z3Bool& leaf) { return {nullptr, &leaf, {}, leaf}; }

/// Remembers the old value of a listed leaf at its first store in a run.
template <class Leaf>
void check_and_log(Leaf& leaf) {
  if (leaf.birth() < innermost->start)
    throw std::logic_error(
        "a region wrote a value it does not list: add it to the join, or the other paths would see "
        "the write");
  innermost->undo.push_back(value_of(leaf));
  ++leaf.birth();
}

template <class Leaf>
void swap_back(Leaf& leaf, Leaf& old, std::uint64_t start) {
  std::swap(leaf, old);
  leaf.birth() = start;
}

}  // namespace

constinit thread_local std::uint64_t stamp = 1;
constinit thread_local std::uint64_t innermost_start = 0;

Run::Run(const std::vector<bool>& path, std::uint64_t region_start)
    : prefix(path), start(region_start), parent(innermost) {
  innermost = this;
  innermost_start = start;
  ++Z3Session::current().region_runs;
}

Run::~Run() {
  innermost = parent;
  innermost_start = parent == nullptr ? 0 : parent->start;
}

Run* current_run() { return innermost; }

std::uint64_t open_region() {
  const std::uint64_t start = stamp + 1;
  stamp += 3;
  return start;
}

void no_feasible_path() {
  if (innermost != nullptr) throw InfeasiblePath{};
  throw std::logic_error("no path of a region is feasible: a range or a case split is wrong");
}

void check_store(Z3Int& leaf) { check_and_log(leaf); }
void check_store(Z3Bool& leaf) { check_and_log(leaf); }

Z3Bool path_condition() {
  Z3Bool all = true;
  for (const Run* run = innermost; run != nullptr; run = run->parent)
    for (const Decision& d : run->trace)
      all = conjunction(all, d.taken ? d.condition : !d.condition);
  return all;
}

/// The side of `condition` on the current path.
bool decide(const Z3Bool& condition) {
  if (innermost == nullptr)
    throw std::logic_error("branch on a symbolic value outside a region: wrap it in eval or join");
  const Z3Bool known = known_truth(condition);
  if (known.is_constant()) return known.constant();
  const std::size_t depth = innermost->trace.size();
  const bool taken = depth >= innermost->prefix.size() || innermost->prefix[depth];
  innermost->trace.push_back({condition, taken});
  learn(condition, taken, innermost->facts);
  return taken;
}

void Listed::restore() const {
  // Backwards: a leaf that is listed twice gets its first birth back.
  for (const auto& [leaf, birth] : std::views::reverse(births_)) *leaf = birth;
}

Writes take_writes(Run& run, std::uint64_t start) {
  for (LeafValue& entry : run.undo) {
    if (entry.integer != nullptr) {
      swap_back(*entry.integer, entry.integer_value, start);
    } else {
      swap_back(*entry.boolean, entry.boolean_value, start);
    }
  }
  std::sort(run.undo.begin(), run.undo.end(), [](const LeafValue& a, const LeafValue& b) {
    return std::less<>{}(a.address(), b.address());
  });
  return std::move(run.undo);
}

void merge_writes(const Z3Bool& c, Writes& result, Writes& other) {
  Writes both;
  both.reserve(std::max(result.size(), other.size()));
  const auto add = [&](const LeafValue& leaf, const LeafValue* yes, const LeafValue* no) {
    LeafValue merged = leaf;
    if (leaf.integer != nullptr) {
      merged.integer_value = merge(c, yes != nullptr ? yes->integer_value : *leaf.integer,
                                   no != nullptr ? no->integer_value : *leaf.integer);
    } else {
      merged.boolean_value = merge(c, yes != nullptr ? yes->boolean_value : *leaf.boolean,
                                   no != nullptr ? no->boolean_value : *leaf.boolean);
    }
    both.push_back(merged);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < result.size() || j < other.size()) {
    if (j == other.size() ||
        (i < result.size() && std::less<>{}(result[i].address(), other[j].address()))) {
      add(result[i], &result[i], nullptr);
      ++i;
    } else if (i == result.size() || std::less<>{}(other[j].address(), result[i].address())) {
      add(other[j], nullptr, &other[j]);
      ++j;
    } else {
      add(result[i], &result[i], &other[j]);
      ++i;
      ++j;
    }
  }
  result = std::move(both);
}

void write_back(const Writes& writes) {
  for (const LeafValue& leaf : writes) {
    if (leaf.integer != nullptr) {
      if (!leaf.integer->same(leaf.integer_value)) *leaf.integer = leaf.integer_value;
    } else if (!leaf.boolean->same(leaf.boolean_value)) {
      *leaf.boolean = leaf.boolean_value;
    }
  }
}

}  // namespace region_detail

Z3Bool::operator bool() const { return is_constant() ? constant() : region_detail::decide(*this); }

}  // namespace schedcheck
