// SPDX-License-Identifier: Apache-2.0
/// \file affinity-respected: no task is put on or runs on a CPU that it may not use.
/// Decides for the masks given with --affinity (children have their parent's), and for the
/// migration threads, whose class no process can have: certain.
/// Possible:  other names of per-CPU kernel threads; such a name proves nothing.
#include <fmt/format.h>

#include <unordered_set>

#include "counterexamples/trace/kernel_thread_name.hpp"
#include "counterexamples/trace/trace_monitor.hpp"

namespace schedcheck {
namespace {

class Affinity : public TraceMonitor {
 public:
  void before(const TraceMachine& m, const TraceEvent& event, TraceReport& report) override {
    const bool runs = event.kind == TraceKind::kSwitch;
    const int cpu = runs ? event.cpu : event.target;
    if (event.task <= 0 || cpu < 0) return;
    const bool is_new = event.kind == TraceKind::kWakeupNew;
    const int bound = is_new ? -1 : cpu_in_name(event.name());
    const bool by_name = bound >= 0 && bound != cpu;
    const bool by_mask =
        !m.options().affinity.empty() && bound < 0 &&
        (is_new ? m.child_allowed(event, cpu) : m.allowed(event.task, cpu)) == Told::kNo;
    if (!by_name && !by_mask) return;
    if (told_.size() > kMaxTraceClaims) told_.clear();
    if (!told_.insert(event.task).second) return;  // Once per task.
    const bool stopper = event.prio == 0 && event.name().starts_with("migration/");
    report.add(
        {"affinity-respected", event.line, by_mask || stopper,
         fmt::format("task {} ({}) {} CPU {}, which {}", event.task, event.name(),
                     runs ? "runs on" : "is put on", cpu,
                     by_mask ? "is not in its given affinity" : "is not the CPU of its name")});
  }

 private:
  std::unordered_set<int> told_;
};

}  // namespace

std::unique_ptr<TraceMonitor> affinity_monitor() { return std::make_unique<Affinity>(); }

}  // namespace schedcheck
