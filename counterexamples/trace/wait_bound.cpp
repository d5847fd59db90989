// SPDX-License-Identifier: Apache-2.0
/// \file wait-bounded: no task waits for a CPU longer than the bound.
/// Decides at the switch to the task: certain if no event was lost while it waited.
/// Possible:  events were lost meanwhile, or the trace ends first.
#include <fmt/format.h>

#include "counterexamples/trace/trace_monitor.hpp"

namespace schedcheck {
namespace {

class WaitBound : public TraceMonitor {
 public:
  void before(const TraceMachine& m, const TraceEvent& event, TraceReport& report) override {
    if (event.kind == TraceKind::kSwitch && event.cpu >= 0 && event.task > 0)
      judge(m, event.task, event.time_ns, event.line, "", report);
  }
  void finish(const TraceMachine& m, TraceReport& report) override {
    for (const TraceCpu& cpu : m.cpus())
      for (const int pid : cpu.waiting)
        judge(m, pid, m.now_ns(), m.task(pid)->since_line, " and still waits at the end", report);
  }

 private:
  static void judge(const TraceMachine& m, int pid, std::int64_t now, std::uint64_t line,
                    const char* end, TraceReport& report) {
    const TraceTask* t = m.task(pid);
    if (t == nullptr || t->state != TraceTaskState::kWaiting || t->since_ns < 0 || now < 0) return;
    if (now - t->since_ns <= m.options().wait_bound_ns) return;
    const bool certain = !t->gap && *end == '\0';
    report.add(
        {"wait-bounded", line, certain,
         fmt::format("task {} waited {:.6f} s on CPU {} (from line {}){}, the bound is {} s{}",
                     m.name(pid), static_cast<double>(now - t->since_ns) / 1e9, t->cpu,
                     t->since_line, end, static_cast<double>(m.options().wait_bound_ns) / 1e9,
                     t->gap ? "; events were lost meanwhile" : "")});
  }
};

}  // namespace

std::unique_ptr<TraceMonitor> wait_bound_monitor() { return std::make_unique<WaitBound>(); }

}  // namespace schedcheck
