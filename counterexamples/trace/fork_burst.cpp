// SPDX-License-Identifier: Apache-2.0
/// \file fork-burst-spreads: children that one parent forks in a row, without blocking, do not
/// share a CPU while one with fewer of them is idle.
/// Certain:   the CPU has a task, and another that the parent was seen on (or a mask allows), with
///            fewer children of the burst, is idle.
/// Possible:  the trace does not show whether another CPU was idle, or the chosen one was idle too
///            (then utilisation decides, and no trace has it).
#include <fmt/format.h>

#include <unordered_map>

#include "counterexamples/trace/settling_claims.hpp"
#include "counterexamples/trace/trace_monitor.hpp"

namespace schedcheck {
namespace {

/// Without switches a block of the parent is not seen: a longer pause ends the burst.
constexpr std::int64_t kPauseNs = 10'000'000;

class ForkBurst : public TraceMonitor {
 public:
  void before(const TraceMachine& m, const TraceEvent& event, TraceReport& report) override {
    claims_.before(m, event, report);
    if (event.kind == TraceKind::kLost) {
      bursts_.clear();
    } else if (event.kind == TraceKind::kSwitch && event.leaves != TraceLeaves::kRunnable) {
      bursts_.erase(event.from);
    } else if (event.kind == TraceKind::kWakeupNew && event.target >= 0 && m.forker(event) > 0) {
      on_fork(m, event, report);
    }
  }
  void finish(const TraceMachine& /*m*/, TraceReport& report) override { claims_.finish(report); }

 private:
  struct Children {
    int cpu = 0;
    int count = 0;
    std::uint64_t first_line = 0;
  };
  struct Burst {
    std::int64_t last_ns = kUnknownNumber;
    std::vector<Children> on;
    int count(int cpu) const {
      for (const Children& c : on)
        if (c.cpu == cpu) return c.count;
      return 0;
    }
  };

  void on_fork(const TraceMachine& m, const TraceEvent& event, TraceReport& report) {
    if (bursts_.size() > kMaxTraceClaims) bursts_.clear();
    Burst& burst = bursts_[m.forker(event)];
    if (!m.switches_seen() && event.time_ns - burst.last_ns > kPauseNs) burst.on.clear();
    burst.last_ns = event.time_ns;
    auto at = burst.on.begin();
    while (at != burst.on.end() && at->cpu != event.target) ++at;
    if (at == burst.on.end()) {
      burst.on.push_back({event.target, 1, event.line});
      return;
    }
    judge(m, event, burst, *at, report);
    ++at->count;
  }

  void judge(const TraceMachine& m, const TraceEvent& event, const Burst& burst,
             const Children& here, TraceReport& report) {
    const int seen = static_cast<int>(m.cpus().size());
    // A machine of unknown size, in a trace that does not show who runs where.
    Told best = m.told_cpus() == 0 && !m.switches_seen() ? Told::kUnknown : Told::kNo;
    int other = -1;
    for (int cpu = 0; cpu < std::max(seen, m.told_cpus()) && best != Told::kYes; ++cpu) {
      if (cpu == event.target || burst.count(cpu) >= here.count) continue;
      const Told busy = cpu < seen ? m.busy(cpu) : Told::kUnknown;
      const Told allowed = m.child_allowed(event, cpu);
      if (busy == Told::kYes || allowed == Told::kNo) continue;
      const bool certain = busy == Told::kNo && m.idle(cpu) == Told::kYes &&
                           allowed == Told::kYes && m.busy(event.target) == Told::kYes;
      best = certain ? Told::kYes : Told::kUnknown;
      if (busy == Told::kNo) other = cpu;
    }
    if (best == Told::kNo) return;
    claims_.add(event, other,
                {"fork-burst-spreads", event.line, best == Told::kYes,
                 fmt::format("child {} ({}) is number {} that {} forks in a row onto CPU {} (the "
                             "first at line {}){}",
                             event.task, event.name(), here.count + 1, m.name(m.forker(event)),
                             event.target, here.first_line,
                             other < 0 ? "; whether another CPU was idle is not known"
                                       : fmt::format(" while CPU {} is idle", other))},
                report);
  }

  std::unordered_map<int, Burst> bursts_;
  SettlingClaims claims_;
};

}  // namespace

std::unique_ptr<TraceMonitor> fork_burst_monitor() { return std::make_unique<ForkBurst>(); }

}  // namespace schedcheck
