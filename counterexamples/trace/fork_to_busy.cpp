// SPDX-License-Identifier: Apache-2.0
/// \file fork-work-conserving: a child is not queued on a CPU that has a task while a CPU that it
/// may use is idle.
/// Certain:   the switches show both, the parent was seen on the idle CPU or a mask is given, and
///            nothing was on its way to it.
/// Possible:  the affinity is not known, or the CPU had been idle for less than 50 us.
#include <fmt/format.h>

#include "counterexamples/trace/settling_claims.hpp"
#include "counterexamples/trace/trace_monitor.hpp"

namespace schedcheck {
namespace {

class ForkToBusy : public TraceMonitor {
 public:
  void before(const TraceMachine& m, const TraceEvent& event, TraceReport& report) override {
    claims_.before(m, event, report);
    if (event.kind != TraceKind::kWakeupNew || event.target < 0 ||
        m.busy(event.target) != Told::kYes)
      return;
    int best = -1;
    bool certain = false;
    for (int cpu = 0; cpu < static_cast<int>(m.cpus().size()) && !certain; ++cpu) {
      if (cpu == event.target || m.busy(cpu) != Told::kNo) continue;
      const Told allowed = m.child_allowed(event, cpu);
      if (allowed == Told::kNo) continue;
      certain = allowed == Told::kYes && m.idle(cpu) == Told::kYes;
      if (certain || best < 0) best = cpu;
    }
    if (best < 0) return;
    const bool allowed = m.child_allowed(event, best) == Told::kYes;
    claims_.add(
        event, best,
        {"fork-work-conserving", event.line, certain,
         fmt::format("child {} ({}) goes to CPU {}, which has a task, while CPU {}{} is idle",
                     event.task, event.name(), event.target, best,
                     allowed ? "" : " (whether it may use it is not known)")},
        report);
  }
  void finish(const TraceMachine& /*m*/, TraceReport& report) override { claims_.finish(report); }

 private:
  SettlingClaims claims_;
};

}  // namespace

std::unique_ptr<TraceMonitor> fork_to_busy_monitor() { return std::make_unique<ForkToBusy>(); }

}  // namespace schedcheck
