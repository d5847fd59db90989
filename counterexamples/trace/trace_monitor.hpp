// SPDX-License-Identifier: Apache-2.0
/// \file A monitor judges one property over a stream of events; docs/traces.md says what each
/// decides.
#pragma once

#include <memory>

#include "counterexamples/trace/trace_machine.hpp"

namespace schedcheck {

class TraceMonitor {
 public:
  TraceMonitor() = default;
  TraceMonitor(const TraceMonitor&) = delete;
  TraceMonitor& operator=(const TraceMonitor&) = delete;
  virtual ~TraceMonitor() = default;

  /// `m` is the state between begin() and apply() of `event`.
  virtual void before(const TraceMachine& m, const TraceEvent& event, TraceReport& report) = 0;
  /// The trace has ended.
  virtual void finish(const TraceMachine& /*m*/, TraceReport& /*report*/) {}
};

std::unique_ptr<TraceMonitor> affinity_monitor();
std::unique_ptr<TraceMonitor> fork_burst_monitor();
std::unique_ptr<TraceMonitor> fork_to_busy_monitor();
std::unique_ptr<TraceMonitor> idle_while_waiting_monitor();
std::unique_ptr<TraceMonitor> rt_first_monitor();
std::unique_ptr<TraceMonitor> spawn_locality_monitor();
std::unique_ptr<TraceMonitor> wait_bound_monitor();

/// What a monitor remembers per task; beyond this many it starts anew, and says less.
inline constexpr std::size_t kMaxTraceClaims = 1U << 14;

}  // namespace schedcheck
