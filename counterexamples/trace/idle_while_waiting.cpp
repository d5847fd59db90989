// SPDX-License-Identifier: Apache-2.0
/// \file idle-while-waiting: no CPU idles longer than the bound while a task that may use it waits
/// on another.
/// Decides at the switch to the task. Certain if the task was seen on the idle CPU before, or has
/// a given mask, and no event was lost.
/// Possible:  its affinity is not known, events were lost, or the trace ends first.
#include <fmt/format.h>

#include <unordered_map>

#include "counterexamples/trace/trace_monitor.hpp"

namespace schedcheck {
namespace {

class IdleWhileWaiting : public TraceMonitor {
 public:
  void before(const TraceMachine& m, const TraceEvent& event, TraceReport& report) override {
    const bool switches = event.kind == TraceKind::kSwitch && event.cpu >= 0;
    if (event.kind == TraceKind::kWakeup) {
      claims_.erase(event.task);  // It was asleep although shown as runnable.
    } else if (event.kind == TraceKind::kMigrate) {
      look_at_all(m, event.task, event.time_ns);
    }
    if (!switches) return;
    const TraceCpu& cpu = m.cpus()[static_cast<std::size_t>(event.cpu)];
    const bool was_long_idle = cpu.current == 0 && cpu.idle_since_ns >= 0 &&
                               event.time_ns - cpu.idle_since_ns >= m.options().idle_bound_ns;
    if (was_long_idle)
      for (const TraceCpu& other : m.cpus())
        for (const int pid : other.waiting) look(m, pid, event.cpu, event.time_ns);
    if (event.task > 0) {
      look_at_all(m, event.task, event.time_ns);
      resolve(m, event.task, event.line, true, report);
    }
  }
  void finish(const TraceMachine& m, TraceReport& report) override {
    for (const TraceCpu& cpu : m.cpus())
      for (const int pid : cpu.waiting) {
        look_at_all(m, pid, m.now_ns());
        resolve(m, pid, m.task(pid)->since_line, false, report);
      }
  }

 private:
  struct Claim {
    Told allowed = Told::kNo;
    int idle_cpu = 0;
    std::int64_t overlap_ns = 0;
  };

  void look_at_all(const TraceMachine& m, int pid, std::int64_t now) {
    const TraceTask* t = m.task(pid);
    if (t == nullptr || t->state != TraceTaskState::kWaiting || t->since_ns < 0 ||
        now - t->since_ns < m.options().idle_bound_ns)
      return;
    for (std::size_t cpu = 0; cpu < m.cpus().size(); ++cpu)
      look(m, pid, static_cast<int>(cpu), now);
  }

  /// Keeps the CPU that it may use most surely, then the one that was idle longest.
  void look(const TraceMachine& m, int pid, int cpu, std::int64_t now) {
    const TraceTask* t = m.task(pid);
    const TraceCpu& idle = m.cpus()[static_cast<std::size_t>(cpu)];
    if (t->cpu == cpu || t->since_ns < 0 || now < 0 || idle.idle_since_ns < 0 ||
        m.busy(cpu) != Told::kNo)
      return;
    const Claim claim{m.allowed(pid, cpu), cpu, now - std::max(t->since_ns, idle.idle_since_ns)};
    if (claim.overlap_ns < m.options().idle_bound_ns || claim.allowed == Told::kNo) return;
    if (claims_.size() > kMaxTraceClaims) claims_.clear();
    Claim& best = claims_[pid];
    if (std::pair(claim.allowed, claim.overlap_ns) > std::pair(best.allowed, best.overlap_ns))
      best = claim;
  }

  void resolve(const TraceMachine& m, int pid, std::uint64_t line, bool runs, TraceReport& report) {
    const auto at = claims_.find(pid);
    if (at == claims_.end()) return;
    const Claim claim = at->second;
    claims_.erase(at);
    const TraceTask* t = m.task(pid);
    if (t == nullptr || t->state != TraceTaskState::kWaiting) return;
    const bool allowed = claim.allowed == Told::kYes;
    report.add({"idle-while-waiting", line, runs && allowed && !t->gap,
                fmt::format("task {} waited (from line {}) while CPU {} was idle for {:.3f} ms of "
                            "it{}{}",
                            m.name(pid), t->since_line, claim.idle_cpu,
                            static_cast<double>(claim.overlap_ns) / 1e6,
                            allowed ? ", which it may use" : "; whether it may use it is not known",
                            t->gap ? "; events were lost meanwhile" : "")});
  }

  std::unordered_map<int, Claim> claims_;
};

}  // namespace

std::unique_ptr<TraceMonitor> idle_while_waiting_monitor() {
  return std::make_unique<IdleWhileWaiting>();
}

}  // namespace schedcheck
