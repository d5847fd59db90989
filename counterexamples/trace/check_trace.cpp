// SPDX-License-Identifier: Apache-2.0
/// \file Reader, machine and monitors joined.
#include "counterexamples/trace/check_trace.hpp"

#include "counterexamples/trace/trace_monitor.hpp"

namespace schedcheck {

TraceReport check_trace(const std::string& path, const TraceOptions& options) {
  TraceReport report;
  TraceMachine machine(options, report);
  std::vector<std::unique_ptr<TraceMonitor>> monitors;
  monitors.push_back(affinity_monitor());
  monitors.push_back(fork_burst_monitor());
  monitors.push_back(fork_to_busy_monitor());
  monitors.push_back(idle_while_waiting_monitor());
  monitors.push_back(rt_first_monitor());
  monitors.push_back(spawn_locality_monitor());
  monitors.push_back(wait_bound_monitor());
  read_trace(path, report, [&](const TraceEvent& event, const TraceContext& context) {
    machine.begin(event, context);
    for (const auto& monitor : monitors) monitor->before(machine, event, report);
    machine.apply(event);
  });
  for (const auto& monitor : monitors) monitor->finish(machine, report);
  return report;
}

}  // namespace schedcheck
