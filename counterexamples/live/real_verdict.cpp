// SPDX-License-Identifier: Apache-2.0
/// \file The monitors' findings on the lines of the schedule's tasks.
#include "counterexamples/live/real_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "counterexamples/trace/check_trace.hpp"

namespace schedcheck {
namespace {

/// What the monitors of trace/ judge; the others are about averages, weights or virtual time.
constexpr std::array<std::string_view, 5> kDecidedByTraces = {
    "affinity-respected", "fork-burst-spreads", "fork-work-conserving", "rt-first",
    "spawn-stays-local"};

}  // namespace

void judge_for_real(const Schedule& schedule, const std::string& path, const KernelRecord& record,
                    Fidelity& result) {
  if (!schedule.finding) {
    result.verdict_text = "the schedule has no finding";
    return;
  }
  const std::string& property = schedule.finding->property;
  if (std::find(kDecidedByTraces.begin(), kDecidedByTraces.end(), property) ==
      kDecidedByTraces.end()) {
    result.verdict_text =
        property + " is about numbers that scheduler events do not show (averages, virtual time)";
    return;
  }
  result.verdict = RealVerdict::kNotSeen;
  result.verdict_text = property + " was not seen to be violated";
  // Events do not show a change of affinity, and masks are given once: then nothing is certain.
  const bool masks_hold =
      std::none_of(
          result.timeline.events.begin(), result.timeline.events.end(),
          [](const TimelineEvent& e) { return e.event.kind == EventKind::kSetAffinity; }) &&
      std::all_of(schedule.tasks.begin(), schedule.tasks.end(), [&](const InitialTask& t) {
        const CpuMask all = ~CpuMask{0} >> (64 - result.timeline.nr_cpus);
        return (t.cpus & all) == all;
      });
  TraceOptions options;
  if (masks_hold) options.affinity = record.affinity;
  for (TraceFinding f : check_trace(path, options).findings()) {
    f.certain = f.certain && masks_hold;
    if (f.property != property ||
        !std::binary_search(record.own_lines.begin(), record.own_lines.end(), f.line))
      continue;
    if (result.verdict == RealVerdict::kViolated) break;
    if (result.verdict == RealVerdict::kPossible && !f.certain) continue;
    result.verdict = f.certain ? RealVerdict::kViolated : RealVerdict::kPossible;
    result.verdict_text = fmt::format("line {}: {}", f.line, f.text);
  }
}

}  // namespace schedcheck
