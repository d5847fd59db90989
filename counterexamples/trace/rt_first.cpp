// SPDX-License-Identifier: Apache-2.0
/// \file rt-first: a CPU does not switch to a fair task while a realtime task waits on it.
/// Decides when the waiting task runs or moves away: until then it may not have been there.
/// Possible:  events were lost, no time, it woke only just before, the trace ends, or realtime
///            tasks ran so much of the last second that throttling or the fair server may be why.
#include <fmt/format.h>

#include <unordered_map>

#include "counterexamples/trace/trace_monitor.hpp"

namespace schedcheck {
namespace {

/// Clocks of CPUs differ a little: the order of events this close together is not certain.
constexpr std::int64_t kClockMarginNs = 10'000;
/// The period of RT throttling and of the fair server, and far less than either leaves to RT.
constexpr std::int64_t kPeriodNs = 1'000'000'000;
constexpr std::int64_t kMuchNs = 30'000'000;

class RtFirst : public TraceMonitor {
 public:
  void before(const TraceMachine& m, const TraceEvent& event, TraceReport& report) override {
    if (event.kind == TraceKind::kLost) {
      runs_.clear();
    } else if (event.kind == TraceKind::kWakeup) {
      claims_.erase(event.task);  // It was asleep although shown as runnable.
    } else if (event.kind == TraceKind::kMigrate) {
      resolve(m, event.task, true, report);
    } else if (event.kind == TraceKind::kSwitch && event.cpu >= 0) {
      const auto claim = claims_.find(event.task);
      if (claim != claims_.end())
        resolve(m, event.task, claim->second.cpu == event.cpu && TraceMachine::realtime(event.prio),
                report);
      account(event);
      if (event.task > 0 && TraceMachine::fair(event.prio)) look(m, event);
    }
  }
  void finish(const TraceMachine& m, TraceReport& report) override {
    while (!claims_.empty()) resolve(m, claims_.begin()->first, false, report);
  }

 private:
  struct Claim {
    std::uint64_t line = 0;
    int cpu = 0;
    int fair = 0;
    bool certain = false;
  };
  struct RealtimeRun {
    std::int64_t since_ns = kUnknownNumber;
    std::int64_t counted_from_ns = kUnknownNumber;
    std::int64_t sum_ns = 0;
  };

  void account(const TraceEvent& event) {
    RealtimeRun& run = runs_[event.cpu];
    const std::int64_t now = event.time_ns;
    if (TraceMachine::realtime(event.from_prio)) {
      if (run.counted_from_ns < 0 || now - run.counted_from_ns > kPeriodNs)
        run = {run.since_ns, now, 0};
      run.sum_ns += run.since_ns < 0 ? kMuchNs : now - run.since_ns;
    }
    run.since_ns = TraceMachine::realtime(event.prio) ? now : kUnknownNumber;
  }

  void look(const TraceMachine& m, const TraceEvent& event) {
    const RealtimeRun& run = runs_[event.cpu];
    const bool much = run.counted_from_ns >= 0 && run.sum_ns >= kMuchNs &&
                      event.time_ns - run.counted_from_ns <= kPeriodNs;
    if (claims_.size() > kMaxTraceClaims) claims_.clear();
    // The task that leaves is not in the list yet.
    if (event.leaves == TraceLeaves::kRunnable && TraceMachine::realtime(event.from_prio))
      claims_.try_emplace(event.from, Claim{event.line, event.cpu, event.task, !much});
    for (const int pid : m.cpus()[static_cast<std::size_t>(event.cpu)].waiting) {
      const TraceTask* t = m.task(pid);
      if (!TraceMachine::realtime(t->prio) || pid == event.task) continue;
      const bool long_enough =
          event.time_ns >= 0 && t->since_ns >= 0 && event.time_ns - t->since_ns >= kClockMarginNs;
      claims_.try_emplace(pid, Claim{event.line, event.cpu, event.task, long_enough && !much});
    }
  }

  void resolve(const TraceMachine& m, int pid, bool stayed, TraceReport& report) {
    const auto at = claims_.find(pid);
    if (at == claims_.end()) return;
    const Claim claim = at->second;
    claims_.erase(at);
    const TraceTask* t = m.task(pid);
    if (t == nullptr) return;
    report.add({"rt-first", claim.line,
                stayed && claim.certain && !t->gap && t->state == TraceTaskState::kWaiting,
                fmt::format("CPU {} switches to fair task {} while realtime task {} waits there "
                            "(from line {})",
                            claim.cpu, m.name(claim.fair), m.name(pid), t->since_line)});
  }

  std::unordered_map<int, Claim> claims_;
  std::unordered_map<int, RealtimeRun> runs_;
};

}  // namespace

std::unique_ptr<TraceMonitor> rt_first_monitor() { return std::make_unique<RtFirst>(); }

}  // namespace schedcheck
