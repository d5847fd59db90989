// SPDX-License-Identifier: Apache-2.0
/// \file Random cases as compact integer vectors. Any vector decodes to a valid schedule, so
/// shrinking never leaves the language. One element is one event or a macro (a burst, a spawn
/// loop).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/schedule.hpp"
#include "properties/observer.hpp"

namespace schedcheck {

/// [0] chooses the start (averages, number of tasks) and the style; the rest are events.
using Genome = std::vector<std::uint32_t>;

/// genome[0] of a "one spawn loop per CPU" case.
inline constexpr std::uint32_t kSpawnStyle = 255;
/// Low byte of genome[0] of a case with task groups, sessions, nice values and yields.
inline constexpr std::uint32_t kGroupStyle = 254;

struct CaseSetup {
  Model model;
  Schedule base;                ///< topology, kernel, tick_ns, max_tasks of every case.
  bool spawn_scenario = false;  ///< Also generate "one spawn loop per CPU" cases.
  Model scenario_model;         ///< `model` with room for the tasks of such a case.
  Schedule group_base;          ///< `base` with groups,
  Model group_model;            ///< and its model.
};

/// A setup for these choices; throws InputError for unknown ones.
CaseSetup make_setup(const Schedule& base, bool spawn_scenario);

struct CaseOutcome {
  PropertySet violated = 0;
  std::uint64_t skipped = 0;  ///< Elements for which nothing was enabled.
  std::array<std::uint32_t, kPropertyCount> relevant{};
};

/// Decodes and runs a case, judging `properties`. With `schedule` set, also writes the case down.
/// `m` is scratch space that is reused from case to case.
CaseOutcome run_case(const CaseSetup& setup, const Genome& genome, PropertySet properties,
                     Machine<NativeDomain>& m, Schedule* schedule);

}  // namespace schedcheck
