// SPDX-License-Identifier: Apache-2.0
/// \file What running a schedule costs, before it is run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/schedule.hpp"

namespace schedcheck {

/// Events of `kind`, the preamble's included.
int count_events(const Schedule& schedule, EventKind kind);

/// Task numbers that `schedule` can give out or names, at most its max_tasks. A model with so many
/// behaves the same and costs less.
int task_numbers(const Schedule& schedule);

/// What a run of `schedule` costs, in events of a small machine; a tick counts as one.
std::int64_t run_cost(const Schedule& schedule);

/// The event where a replay with all properties becomes too much work.
struct BeyondWork {
  bool in_preamble = false;
  std::size_t index = 0;       ///< In its list.
  std::int64_t ticks = 0;      ///< Up to and with this event, the preamble's included,
  std::int64_t nr_events = 0;  ///< and so many events.
};

/// The first event up to which the work is more than `limit` steps. The model visits every task of
/// a busy CPU in each tick, the properties every task of every CPU after each event:
/// docs/schedule-format.md has the formula.
std::optional<BeyondWork> beyond_work(const Schedule& schedule, int nr_cpus, std::int64_t limit);

}  // namespace schedcheck
