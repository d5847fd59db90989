// SPDX-License-Identifier: Apache-2.0
/// \file Search for shorter failing schedules over a small alphabet of events.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "counterexamples/minimize.hpp"
#include "model/machine.hpp"

namespace schedcheck {

/// Which events a search may put into a schedule.
enum class Alphabet : std::uint8_t {
  kPlain,  ///< Every kind on every task and CPU, nothing takes time.
  kTimed,  ///< Also after, and for, 47 units and each duration that the schedule uses.
  kWhole,  ///< Also exits that run on or wake a task, and the schedule's affinities on every task.
};
std::vector<Event> search_alphabet(const Schedule& schedule, Alphabet alphabet);

class ShorterSearch {
 public:
  /// `stop`, if set, is asked before every run.
  ShorterSearch(const StillFails& still_fails, const MinimizeOptions& options)
      : still_fails_(still_fails),
        options_(options),
        runs_left_(options.certify ? options.certify_runs : options.search_runs) {}

  /// The first failing schedule in which 2 neighbouring events are replaced by 1, or 3 by 2.
  std::optional<Schedule> rewrite_windows(const Schedule& schedule);

  /// A shortest failing schedule that is shorter than `schedule`, if the runs suffice to find one.
  /// The alphabet is the timed one; the whole one to certify.
  std::optional<Schedule> all_shorter(const Schedule& schedule);

  /// About the last all_shorter.
  [[nodiscard]] const SearchReport& report() const { return report_; }

 private:
  std::optional<Schedule> try_window(const Schedule& schedule, std::size_t at, std::size_t removed,
                                     std::size_t inserted, const std::vector<Event>& alphabet);
  bool extend(const Model& model, Schedule& prefix, std::size_t length,
              const std::vector<Event>& alphabet);
  /// Pays for a run; false when the runs are used up.
  bool pay(const Schedule& schedule);

  const StillFails& still_fails_;
  const MinimizeOptions& options_;
  std::int64_t runs_left_;
  SearchReport report_;
};

}  // namespace schedcheck
