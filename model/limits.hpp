// SPDX-License-Identifier: Apache-2.0
/// \file Where the model is not exact. Each limit has an id; model/README.md says more.
#pragma once

#include <string_view>
#include <vector>

namespace schedcheck {

struct LimitInfo {
  std::string_view id;
  std::string_view text;
};

/// `round_robin`: tasks take turns (Schedule::round_robin).
inline std::vector<LimitInfo> limits_in_force(bool round_robin) {
  std::vector<LimitInfo> limits = {
      {"L1", "tasks take turns by number at ticks; no preemption by wakeups or forks"},
      {"L2", "a woken task goes to its previous CPU if idle, else the first idle CPU of that LLC"},
      {"L3", "tasks are in the root group: no cgroups or autogroups, so no exit changes the group"},
      {"L4", "util_est is 0: readers see util_avg alone"},
      {"L5", "no load balancing: a CPU that goes idle pulls nothing"},
      {"L6",
       "CPUs have capacity 1024, no asymmetric packing, no misfit tasks, no SMT balance type"},
      {"L7", "a queued task whose CPU is forbidden moves to its first allowed CPU"},
      {"L8", "no cpuidle states: among idle CPUs of a group the most recently idled one wins"},
      {"L9", "RT tasks stay on their CPU unless affinity forbids it, and take no capacity from it"},
      {"L-ATOMIC", "an event ends before the next begins; statistics are read without races"},
  };
  std::erase_if(limits, [&](const LimitInfo& l) {
    const bool of_turns = l.id == "L1" || l.id == "L3" || l.id == "L4";
    return round_robin ? l.id == "L9" : of_turns;
  });
  return limits;
}

}  // namespace schedcheck
