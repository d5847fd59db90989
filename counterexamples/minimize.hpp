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
  bool certify = false;                ///< Ten times as many.
  std::int64_t work = 5'000'000;       ///< Events that the reduction passes may run, about 2 s.
};

/// Requires still_fails(schedule) != 0. The result fails too, is never longer, and is 1-minimal: no
/// single event can be dropped. `finding->minimality` says "shortest up to bound" when all shorter
/// schedules over the search alphabet were tried, else "one-minimal"; it stays empty when
/// `work` ran out first (scenarios of thousands of events).
Schedule minimize(Schedule schedule, const StillFails& still_fails,
                  const MinimizeOptions& options = {});

/// `schedule` without `count` events from `index` on (from 0): children forked later are
/// renumbered, events of a child that is never born are dropped too.
Schedule without_events(const Schedule& schedule, std::size_t index, std::size_t count = 1);

}  // namespace schedcheck
