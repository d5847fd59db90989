// SPDX-License-Identifier: Apache-2.0
/// \file One step of the transition system from a free state by a free event: the formula that
/// bounded model checking unrolls and induction starts from.
#pragma once

#include <optional>
#include <string>

#include "model/event.hpp"
#include "model/pelt/pelt_constants.hpp"
#include "properties/observer.hpp"
#include "solver/cpu_view.hpp"

namespace schedcheck {

/// What a free state ranges over. Times lie on a grid, so that window positions take few values.
struct StateUniverse {
  std::int64_t grid_ns = 64 * kNsPerUnit;  ///< All times are multiples of it; divides a window.
  std::int64_t age_windows_max = 4;        ///< How long ago a signal was last updated.
  std::int64_t weight_min = kNice0Weight, weight_max = kNice0Weight;
  /// The grid position of `now` in its window, every signal updated just then: the states that an
  /// update leads to, at one position.
  std::optional<std::int64_t> updated_at;
  bool pending_removals = true;  ///< Queues may have removals that are not applied yet.
  /// One task whose CPU is known: a proof takes the places of an event's task one by one.
  struct Place {
    int task = -1, cpu = 0;
  } place;
};

/// An event whose parts are free. Parts that its kind does not use do not matter.
struct SymbolicEvent {
  Z3Int kind;  ///< EventKind.
  Z3Int task, cpu;
  Z3Int cpus;   ///< A CpuMask, not empty.
  Z3Int wakes;  ///< -1: nobody.
  Z3Int duration_ns;
};

/// A state all of whose averages, sums, times, task states, places and affinities are free.
/// `prefix` begins the names of its symbols. `now` takes every
/// position between two ticks and in a window; nothing else depends on it. What a well-formed state
/// has in common (who runs is queued there, counters count, window positions follow from times) is
/// built in or joins the session's assumptions. With model.ledger the residues and un-synchronised
/// times of tasks are free too, balances and pending amounts are not (0).
SymbolicMachine free_machine(const Model& model, const StateUniverse& universe,
                             const std::string& prefix);

/// Any event of any task and CPU that lasts `duration_windows_max` windows at most, on the grid.
SymbolicEvent free_event(const Model& model, const StateUniverse& universe,
                         std::int64_t duration_windows_max, const std::string& prefix);
/// The same of one kind; parts that the kind does not use are fixed.
SymbolicEvent free_event(const Model& model, const StateUniverse& universe,
                         std::int64_t duration_windows_max, const std::string& prefix,
                         EventKind kind);

/// m after the event, where it is enabled; yields whether it is (the caller assumes or branches). A
/// disabled event leaves m as it was, but for the ghost of the last event.
/// Requires a state in which the current task of a CPU is queued there (obligations say so). The
/// properties of `observed` judge into m.judged, which has a slot for each property unless
/// `observed` is empty; those that judge before an event or watch a scenario are left out.
Z3Bool symbolic_step(const Model& model, SymbolicMachine& m, const SymbolicEvent& event,
                     PropertySet observed = 0);

}  // namespace schedcheck
