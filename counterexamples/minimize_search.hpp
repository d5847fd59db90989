// SPDX-License-Identifier: Apache-2.0
/// \file Search for shorter failing schedules over a small alphabet of events.
#pragma once

#include <optional>
#include <vector>

#include "counterexamples/minimize.hpp"

namespace schedcheck {

class ShorterSearch {
 public:
  ShorterSearch(const StillFails& still_fails, std::int64_t runs)
      : still_fails_(still_fails), runs_left_(runs) {}

  /// The first failing schedule in which 2 neighbouring events are replaced by 1, or 3 by 2.
  std::optional<Schedule> rewrite_windows(const Schedule& schedule);

  /// A shortest failing schedule that is shorter than `schedule`, if the runs suffice to find one.
  std::optional<Schedule> all_shorter(const Schedule& schedule);

  /// all_shorter tried every schedule over the alphabet that is shorter than its result (or,
  /// without one, than its argument).
  [[nodiscard]] bool exhausted() const { return exhausted_; }

 private:
  std::optional<Schedule> try_window(const Schedule& schedule, std::size_t at, std::size_t removed,
                                     std::size_t inserted, const std::vector<Event>& alphabet);
  bool extend(Schedule& prefix, std::size_t length, const std::vector<Event>& alphabet);

  const StillFails& still_fails_;
  std::int64_t runs_left_;
  bool exhausted_ = false;
};

/// Events that may appear in a schedule like this one: every kind on every task and CPU, with no
/// time, and with each duration that `schedule` uses (largest kinds of numbers last).
std::vector<Event> search_alphabet(const Schedule& schedule, bool with_times);

}  // namespace schedcheck
