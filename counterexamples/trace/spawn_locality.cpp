// SPDX-License-Identifier: Apache-2.0
/// \file spawn-stays-local: where every CPU has a task, the child of a spawn loop (fork one, wait
/// for it, again) stays on the CPU of its parent.
/// Certain:   nothing but spawn loops runs on any CPU, and ran on these two for 100 ms.
/// Possible:  something else runs or ran there: its load may have been a reason.
#include <fmt/format.h>

#include <unordered_map>

#include "counterexamples/trace/trace_monitor.hpp"

namespace schedcheck {
namespace {

constexpr int kRounds = 3;                       ///< Of "fork one, block" that make a loop.
constexpr std::int64_t kMemoryNs = 100'000'000;  ///< Three half-lives of utilisation.

class SpawnLocality : public TraceMonitor {
 public:
  void before(const TraceMachine& m, const TraceEvent& event, TraceReport& report) override {
    if (event.kind == TraceKind::kLost) {
      loops_.clear();
      foreign_ns_.clear();
    } else if (event.kind == TraceKind::kSwitch && event.cpu >= 0) {
      on_block(event);
      if (event.task > 0 && !in_loop(m, event.task)) foreign_ns_[event.cpu] = event.time_ns;
      foreign_ns_.try_emplace(event.cpu, event.time_ns);  // Not known before.
    } else if (event.kind == TraceKind::kWakeupNew && event.target >= 0) {
      on_fork(m, event, report);
    }
  }

 private:
  struct Loop {
    int rounds = 0;
    int children = 0;  ///< Since it last blocked.
    bool told_possible = false;
  };

  void on_block(const TraceEvent& event) {
    const auto at = loops_.find(event.from);
    if (at == loops_.end() || event.leaves == TraceLeaves::kRunnable) return;
    Loop& loop = at->second;
    if (event.leaves != TraceLeaves::kSleeps) {
      loops_.erase(at);
      return;
    }
    if (loop.children > 0) loop.rounds = loop.children == 1 ? loop.rounds + 1 : 0;
    loop.children = 0;
  }

  bool is_loop(int pid) const {
    const auto at = loops_.find(pid);
    return at != loops_.end() && at->second.rounds >= kRounds;
  }
  bool in_loop(const TraceMachine& m, int pid) const {
    const TraceTask* t = m.task(pid);
    return is_loop(pid) || (t != nullptr && is_loop(t->parent));
  }

  /// Only loops run and wait, on every CPU.
  bool only_loops(const TraceMachine& m) const {
    for (const TraceCpu& cpu : m.cpus()) {
      if (cpu.current <= 0 || !in_loop(m, cpu.current)) return false;
      for (const int pid : cpu.waiting)
        if (!in_loop(m, pid)) return false;
    }
    return true;
  }

  bool quiet(int cpu, std::int64_t now) const {
    const auto at = foreign_ns_.find(cpu);
    return at != foreign_ns_.end() && at->second >= 0 && now - at->second >= kMemoryNs;
  }

  void on_fork(const TraceMachine& m, const TraceEvent& event, TraceReport& report) {
    const int parent = m.forker(event);
    if (parent <= 0) return;
    if (loops_.size() > kMaxTraceClaims) loops_.clear();
    Loop& loop = loops_[parent];
    ++loop.children;
    if (loop.rounds < kRounds || loop.children != 1 || event.cpu < 0) return;
    const TraceCpu& here = m.cpus()[static_cast<std::size_t>(event.cpu)];
    if (event.cpu == event.target || here.current != parent || !here.waiting.empty()) return;
    // Every CPU must have a task: an idle one would be a good place.
    for (std::size_t cpu = 0; cpu < m.cpus().size(); ++cpu)
      if (m.busy(static_cast<int>(cpu)) == Told::kNo) return;
    if (m.busy(event.target) != Told::kYes) return;
    const bool certain = only_loops(m) && static_cast<int>(m.cpus().size()) >= m.told_cpus() &&
                         quiet(event.cpu, event.time_ns) && quiet(event.target, event.time_ns);
    if (!certain && std::exchange(loop.told_possible, true)) return;  // Once per loop.
    report.add(
        {"spawn-stays-local", event.line, certain,
         fmt::format("child {} ({}) of spawn loop {} leaves CPU {}, where only its parent is, "
                     "for CPU {}, which has a task{}",
                     event.task, event.name(), m.name(parent), event.cpu, event.target,
                     certain ? "" : "; other tasks run or ran there")});
  }

  std::unordered_map<int, Loop> loops_;
  std::unordered_map<int, std::int64_t> foreign_ns_;
};

}  // namespace

std::unique_ptr<TraceMonitor> spawn_locality_monitor() { return std::make_unique<SpawnLocality>(); }

}  // namespace schedcheck
