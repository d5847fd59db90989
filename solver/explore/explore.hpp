// SPDX-License-Identifier: Apache-2.0
/// \file Exhaustive search: every schedule over a finite alphabet of events up to a depth, breadth
/// first, so that what it finds is shortest. Explicit-state model checking as in Holzmann, "The
/// Model Checker SPIN", IEEE TSE 1997, with states compared by fingerprints (hash compaction) and
/// symmetry reduction (Ip and Dill, "Better Verification Through Symmetry", FMSD 1996).
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "model/mutants.hpp"
#include "model/schedule.hpp"
#include "properties/observer.hpp"

namespace schedcheck {

struct ExploreQuery {
  Schedule start;  ///< Machine, kernel, tasks and preamble; its events are ignored.
  std::vector<Event> alphabet;
  PropertySet properties = 0;
  int depth = 4;                                  ///< Events of the longest schedule.
  std::uint64_t memory = std::uint64_t{4} << 30;  ///< Bytes.
  int jobs = 1;                                   ///< Threads; no count depends on them.
  bool symmetry = true;
  bool whole_cone = false;  ///< Compare all ghost state; for tests.
  bool count_last = false;  ///< Also tell apart the states after the last event.
  Mutant mutant = Mutant::kNone;
  std::optional<KernelSwitches> kernel = {};  ///< Instead of the start's.
  std::chrono::milliseconds time{0};          ///< 0: no limit.
  std::function<bool()> stop = {};
  /// After each level: its number, states in it, transitions so far.
  std::function<void(int, std::uint64_t, std::uint64_t)> progress = {};
};

struct ExploreLevel {
  std::uint64_t states = 0;       ///< New ones that a schedule of this length reaches.
  std::uint64_t transitions = 0;  ///< Events that lead there.
};

struct ExploreOutcome {
  std::optional<std::vector<Event>> violation;  ///< A shortest schedule.
  std::optional<std::vector<Event>> cover;      ///< A shortest one whose last event is relevant.
  std::int64_t relevant = 0;                    ///< Events with a true antecedent.
};

struct ExploreResult {
  std::map<std::size_t, ExploreOutcome> properties;
  int depth = 0;          ///< All schedules of so many events were judged.
  std::string cut_short;  ///< Why not all of query.depth; empty: they were, or all is violated.
  std::uint64_t states = 0, transitions = 0;
  std::uint64_t unexpanded = 0;  ///< States found whose successors were not looked at.
  bool closed = false;           ///< No new states: the result is about any number of events.
  std::vector<ExploreLevel> levels;
  std::uint64_t bytes = 0;     ///< Largest amount that the search held.
  std::size_t symmetries = 1;  ///< CPU renamings in use.
  bool dropped_dead = false, sorted_tasks = false;
};

/// Throws InputError for what a schedule file is refused for.
ExploreResult explore(const ExploreQuery& query);

}  // namespace schedcheck
