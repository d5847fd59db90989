// SPDX-License-Identifier: Apache-2.0
/// \file The finite alphabets of events that a search goes through.
#pragma once

#include <vector>

#include "model/schedule.hpp"

namespace schedcheck {

/// How long a `run` may last, and an exit after its exit step (that one also 0): a unit, 47 units
/// (a point of util_avg is 45.6), half a window, a window, four windows; ns.
inline constexpr std::int64_t kWindow = 1'048'576;
inline const std::vector<std::int64_t> kExploreDurations = {1024, 47 * 1024, kWindow / 2, kWindow,
                                                            4 * kWindow};

struct EventUniverse {
  std::vector<EventKind> kinds;  ///< Of the first kQueryEventKinds.
  std::vector<std::int64_t> durations_ns = kExploreDurations;
};

/// Each of those kinds on each task number and CPU, with each duration; an exit may wake any other
/// task; an affinity is one CPU or all. Nothing has an after_ns.
std::vector<Event> explore_alphabet(const Schedule& start, const EventUniverse& universe);

/// `alphabet` with every event about a task repeated for all tasks, so that tasks are alike.
std::vector<Event> closed_under_tasks(std::vector<Event> alphabet, int max_tasks);

}  // namespace schedcheck
