// SPDX-License-Identifier: Apache-2.0
/// \file Searches a schedule on which two kernels differ, and makes it short. docs/compare.md.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "counterexamples/two_kernels.hpp"

namespace schedcheck::cli {

inline constexpr int kCompareElements = 30;  ///< Of a random case; a spawn case has up to 10.

struct CompareSearch {
  std::string kernel_a, kernel_b;
  Difference what = Difference::kPlacement;
  std::size_t property = 0;  ///< For kProperty.
  std::string topology = "smp:2";
  int tasks = 8;             ///< Task numbers of a case; warm spawn cases take what they need,
  bool tasks_fixed = false;  ///< unless this says no more.
  int depth = 0;             ///< At most so many events; 0: any number.
  std::int64_t tick_ns = 4'000'000;
  std::uint64_t cases = 30'000;
  std::uint64_t seed = 1;
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

struct CompareFound {
  Schedule schedule;  ///< Runs on kernel A and ends with the difference; no finding.
  std::string minimality;
};

struct CompareResult {
  std::optional<CompareFound> found;
  std::uint64_t cases = 0;      ///< Looked at.
  std::uint64_t aimed = 0;      ///< Of them aimed, because averages differed at a fork.
  std::optional<int> too_long;  ///< Events of the shortest difference beyond `depth`.
  bool truncated = false;       ///< The time limit or Ctrl-C ended the search.
};

/// The result depends on the options only, unless it is truncated. Throws InputError for unknown
/// kernels and topologies.
CompareResult search_difference(const CompareSearch& options);

/// Asked before every run of an oracle; true: no more work, what is known counts.
using Stop = std::function<bool()>;

/// Moves the explicit averages of `schedule`, one task at a time, until `oracle` accepts it.
std::optional<Schedule> aim(const Schedule& schedule, const StillFails& oracle,
                            const Stop& stop = {});

/// minimize() with `oracle`, then single events dropped with the averages aimed again, then the
/// smallest averages that do. Yields the schedule without a finding.
CompareFound minimize_difference(const Schedule& schedule, const StillFails& oracle,
                                 std::int64_t search_runs, const Stop& stop = {});

}  // namespace schedcheck::cli
