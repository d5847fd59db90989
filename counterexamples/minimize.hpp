// SPDX-License-Identifier: Apache-2.0
/// \file Makes a failing schedule small: delta debugging, arguments, pairs, rewriting of short
/// windows, then every shorter schedule over a small alphabet where that is cheap.
#pragma once

#include <cstdint>
#include <functional>

#include "model/schedule.hpp"

namespace schedcheck {

/// Whether a schedule still shows the fault; yields the number of the violating event (from 1), 0
/// if it does not. Called with schedules whose events may not be enabled: it must not accept those.
using StillFails = std::function<int(const Schedule&)>;

/// The usual oracle: `property` is violated and every event up to there was enabled.
StillFails violates(std::size_t property);

struct MinimizeOptions {
  std::int64_t search_runs = 300'000;  ///< Runs that the search for shorter schedules may take.
  bool certify = false;  ///< Search the whole alphabet, with certify_runs instead of search_runs.
  std::int64_t certify_runs = 3'000'000;
  std::int64_t work = 5'000'000;    ///< Events that the reduction passes may run, about 2 s.
  std::function<bool()> stop = {};  ///< Asked before every run; true: no more work.
};

/// What the search for shorter schedules tried, on the machine and from the start of the result.
struct SearchReport {
  bool exhausted = false;       ///< Every shorter schedule over the alphabet: none fails.
  std::size_t tried_up_to = 0;  ///< Every schedule of so many events: none fails.
  std::size_t alphabet = 0;     ///< Events in it; 0: no search.
  std::int64_t runs = 0;
};

/// Requires still_fails(schedule) != 0. The result fails too, is never longer, and is 1-minimal: no
/// single event can be dropped. `finding->minimality` says what was tried besides:
///   one-minimal           nothing that counts
///   shortest up to bound  every shorter schedule over Alphabet::kTimed (minimize_search.hpp)
///   certified shortest    every shorter schedule over Alphabet::kWhole; only with `certify`
/// It stays empty when `work` ran out first (scenarios of thousands of events).
Schedule minimize(Schedule schedule, const StillFails& still_fails,
                  const MinimizeOptions& options = {}, SearchReport* report = nullptr);

/// `schedule` without `count` events from `index` on (from 0): children forked later are
/// renumbered, events of a child that is never born are dropped too.
Schedule without_events(const Schedule& schedule, std::size_t index, std::size_t count = 1);

}  // namespace schedcheck
