// SPDX-License-Identifier: Apache-2.0
/// \file Export format `bpftrace`: watches a live kernel for what the schedule's property forbids,
/// as far as tracepoints show it.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "counterexamples/export/export.hpp"
#include "counterexamples/export/workload_words.hpp"
#include "model/input_error.hpp"

namespace schedcheck {
namespace {

/// Who is idle: 1 idle, 2 busy, 0 not known yet.
constexpr std::string_view kCpuStates = R"(
tracepoint:sched:sched_switch { @cpu_state[cpu] = args->next_pid == 0 ? 1 : 2; }
)";

constexpr std::string_view kQueuedDespiteIdle = R"(
tracepoint:sched:sched_wakeup_new {
  @children = count();
  $target = args->target_cpu;
  $child = args->pid;
  if (@cpu_state[$target] == 2) {
    $idle = 0;
    $i = 0;
    unroll(64) { if (@cpu_state[$i] == 1) { $idle++; } $i++; }
    if ($idle > 0) {
      @suspects = count();
      printf("suspect: %s %d queued on busy CPU %d, %d CPUs idle\n", comm, $child, $target, $idle);
    }
  }
}
)";

constexpr std::string_view kBurst = R"(
tracepoint:sched:sched_wakeup_new {
  @children = count();
  $target = args->target_cpu;
  if (@last_target[tid] == $target + 1) {
    $idle = 0;
    $i = 0;
    unroll(64) { if (@cpu_state[$i] == 1 && $i != $target) { $idle++; } $i++; }
    if ($idle > 0) {
      @suspects = count();
      printf("suspect: parent %d put two children in a row on CPU %d, %d other CPUs idle\n", tid,
             $target, $idle);
    }
  }
  @last_target[tid] = $target + 1;
}
tracepoint:sched:sched_process_exit { delete(@last_target[tid]); }
)";

constexpr std::string_view kSpawn = R"(
tracepoint:sched:sched_wakeup_new {
  @children = count();
  if ((uint64)args->target_cpu != cpu) {
    @suspects = count();
    @remote_by_comm[comm] = count();
  }
}
tracepoint:sched:sched_process_exit { @exits[cpu] = count(); }
)";

/// A property is a row. What it forbids and what a tracepoint shows differ: `caveat` says how.
struct Watcher {
  std::string_view property, caveat, probes;
};
constexpr std::string_view kNoAffinity =
    "a suspect may have had no idle CPU in its affinity, or another CPU went idle just then";
constexpr std::string_view kConsequence =
    "leftover utilisation itself has no tracepoint: watched is its consequence, children of a "
    "spawn "
    "loop that leave their parent's CPU (suspects / children is the share)";
constexpr std::array<Watcher, 6> kWatchers = {{
    {"fork-work-conserving", kNoAffinity, kQueuedDespiteIdle},
    {"fork-lands-on-idle", kNoAffinity, kQueuedDespiteIdle},
    {"fork-burst-spreads", "the first child may still run, and affinity is not seen", kBurst},
    {"spawn-stays-local", "children of other programs count too", kSpawn},
    {"exit-leaves-no-utilization", kConsequence, kSpawn},
    {"no-ghost-busy", kConsequence, kSpawn},
}};

const Watcher& watcher_of(const Schedule& schedule) {
  if (!schedule.finding)
    throw InputError(
        "export --to bpftrace: the schedule has no finding, so there is no property to watch; use "
        "--to sh");
  std::string known;
  for (const Watcher& watcher : kWatchers) {
    if (watcher.property == schedule.finding->property) return watcher;
    known += (known.empty() ? "" : ", ") + std::string(watcher.property);
  }
  throw InputError(fmt::format(
      "export --to bpftrace: property {} cannot be watched through tracepoints (these can: {}); "
      "use --to sh",
      harmless(schedule.finding->property), known));
}

}  // namespace

std::string export_bpftrace(const Schedule& schedule) {
  const Watcher& watcher = watcher_of(schedule);
  std::string head = fmt::format(
      "# Watches a live kernel for what a schedule found by schedcheck shows in the model.\n#\n{}"
      "# How to run, as root\n#   bpftrace FILE [SECONDS], with the benchmark or the exported "
      "script "
      "beside it\n#   @suspects of @children: what the property is about\n#\n"
      "# What it cannot express\n#   {}\n",
      about_schedule(schedule), watcher.caveat);
  for (std::size_t at = 0; at < head.size(); at = head.find('\n', at) + 1)
    head.replace(at, 1, "//");
  const bool states = watcher.probes.find("@cpu_state") != std::string_view::npos;
  return "#!/usr/bin/env bpftrace\n" + head + std::string(states ? kCpuStates : "") +
         std::string(watcher.probes) +
         "interval:s:1 { @seconds++; if ($1 > 0 && @seconds >= $1) { "
         "exit(); } }\n"
         "END { clear(@seconds);" +
         (states ? " clear(@cpu_state);" : "") +
         (watcher.probes == kBurst ? " clear(@last_target);" : "") + " }\n";
}

}  // namespace schedcheck
