// SPDX-License-Identifier: Apache-2.0
/// \file What review finds out: every property on base and patch, the cost, the measures.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "counterexamples/path_cost.hpp"
#include "properties/random/engine.hpp"

namespace schedcheck::cli {

/// A change of a property from base to patch.
enum class Change : std::uint8_t { kFixed, kBroken, kOnBoth, kOnNeither, kVacuous, kUndecided };
std::string_view change_name(Change change);

/// "violated", "not violated in N cases", "vacuous", "undecided".
std::string verdict_word(const PropertyOutcome& outcome);

struct ReviewRow {
  std::size_t property = 0;
  std::string topology;
  PropertyOutcome base, patch;
  Change change = Change::kUndecided;
  std::optional<Schedule> schedule;  ///< Of a fixed or broken property: violated on one side only.
  std::string minimality;
  std::string note;  ///< What else a reader must know about the row.
  std::string file;
};

/// A number that no property claims; less is better.
struct Measure {
  std::string name, unit;
  std::int64_t base = 0, patch = 0;
  std::string text;  ///< How it comes about, with the numbers.
  [[nodiscard]] Change change() const {
    return patch < base ? Change::kFixed : patch > base ? Change::kBroken : Change::kOnNeither;
  }
};

struct Review {
  std::string base, patch;
  std::vector<std::string> topologies;
  std::vector<ReviewRow> rows;
  std::vector<Measure> measures;
  PathCost cost{};  ///< a: base, b: patch; over all topologies.
  std::uint64_t cost_schedules = 0;
  bool truncated = false;
};

struct ReviewPlan {
  std::string base, patch;  ///< Canonical names.
  std::vector<std::string> topologies;
  std::uint64_t cases = 20'000;
  std::uint64_t seed = 1;
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

/// Depends on the plan only, unless it is truncated. Schedules are not written yet.
Review run_plan(const ReviewPlan& plan);

}  // namespace schedcheck::cli
