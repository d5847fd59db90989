// SPDX-License-Identifier: Apache-2.0
/// \file The one schedule type: what the random engine finds, the solver finds, a person types, the
/// minimizer shrinks and the exporters write.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/event.hpp"
#include "model/machine.hpp"
#include "model/step.hpp"

namespace schedcheck {

/// Why no shorter schedule fails: what was searched, by what, and how much that was.
struct Certificate {
  std::string engine;                          ///< explore
  std::string universe;                        ///< In words.
  std::map<std::string, std::int64_t> counts;  ///< alphabet, depth, states, transitions.

  friend bool operator==(const Certificate&, const Certificate&) = default;
};

/// What a counterexample shows. `event` counts from 1; `numbers` are the property's, by name.
struct Finding {
  std::string property;
  int event = 0;
  std::map<std::string, std::int64_t> numbers;
  std::string engine;
  std::uint64_t seed = 0;
  std::string minimality;  ///< one-minimal, shortest up to bound, certified shortest; empty: none.
  std::optional<Certificate> certificate = {};  ///< Of `certified shortest`.

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// A task group of a schedule (a cpu cgroup).
struct Group {
  int parent = 0;                      ///< 0: the root; else a group before it.
  std::int64_t weight = kNice0Weight;  ///< cpu.shares, kMinShares..kMaxShares.

  friend bool operator==(const Group&, const Group&) = default;
};
inline constexpr std::int64_t kMinShares = 2;
inline constexpr std::int64_t kMaxShares = 1 << 18;

/// Number i of `tasks` is initial task i; children follow in order of their forks. Event arguments
/// name tasks by these numbers.
struct Schedule {
  std::string topology = "smp:2";  ///< A spec of topology/machine_description.hpp.
  std::string kernel = "v6.12";    ///< A preset with overrides, canonical (kernel_switches.hpp).
  std::int64_t tick_ns = 4'000'000;
  /// Limits L1 and L4 are in force: what the solver and the spawn loops write.
  bool round_robin = false;
  std::vector<Group> groups;            ///< Group 1, 2, ..; 0 is the root.
  int max_sessions = 0;                 ///< setsid is disabled when reached.
  bool sched_autogroup_enabled = true;  ///< sysctl
  int max_tasks = 16;  ///< Initial tasks and children; fork is disabled when reached.
  std::vector<InitialTask> tasks = {InitialTask{}};
  std::vector<Event> preamble;  ///< Warm start: run first, neither judged nor counted.
  std::vector<Event> events;
  std::optional<Finding> finding;

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// What of a model follows from the schedule once topology and kernel are there.
void configure(Model& model, const Schedule& schedule);

/// The model a schedule runs on. Throws InputError for an unknown topology or kernel.
Model make_model(const Schedule& schedule);

/// A machine without tasks, with `groups`.
Machine<NativeDomain> machine_with_groups(const Model& model, const std::vector<Group>& groups,
                                          int judgements);

/// The state before the first event of the preamble. Throws InputError for an initial task off the
/// machine or more initial tasks than max_tasks.
Machine<NativeDomain> initial_machine(const Model& model, const Schedule& schedule, int judgements);

/// "fair", "fifo 50", "rr 1": a policy as events and initial tasks have it.
std::string policy_name(std::int64_t policy);

/// "fork task 0" and the like, for messages.
std::string describe(const Event& event);

}  // namespace schedcheck
