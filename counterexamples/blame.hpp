// SPDX-License-Identifier: Apache-2.0
/// \file Which switches make a schedule fail: the smallest sets of switch values that end the
/// failure when they are taken from a kernel on which it does not occur. docs/compare.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "counterexamples/two_kernels.hpp"

namespace schedcheck {

/// A switch value of the file's kernel that is to blame, and what it is on the other one.
struct BlamedSwitch {
  std::string name, value, other;
  std::string commit;  ///< Of the value, or of the other one where the value predates v5.8.
  std::string first, evidence;  ///< Of the commit.
  std::string thread;
};

struct BlameSet {
  std::vector<BlamedSwitch> switches;
  bool both_ways = false;  ///< Setting them on the other kernel alone brings the failure there.
};

struct Blame {
  std::string failure;  ///< "no-ghost-busy violated at event 4", "fork .. placed elsewhere ..".
  std::optional<std::size_t> property;  ///< None: a placement.
  int event = 0;
  std::string kernel, against;  ///< Canonical names.
  std::vector<BlameSet> sets;   ///< All of the smallest size; empty: see `nothing`.
  std::string nothing;          ///< Why there is no answer, one line.
};

/// What a schedule does on a kernel, up to event `event`.
enum class Outcome : std::uint8_t { kHolds, kFails, kNotReached };
Outcome outcome_on(const Schedule& schedule, const KernelSwitches& switches, std::size_t property,
                   int event);

/// Throws InputError, naming `source`, when the schedule has an event that is not enabled on its
/// own kernel, a finding that is not violated there, or `against` is unknown.
/// `against` empty: the nearest preset.
Blame blame(const Schedule& schedule, const std::string& against, const std::string& source);

}  // namespace schedcheck
