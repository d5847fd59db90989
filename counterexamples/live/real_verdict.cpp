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
  for (const TraceFinding& f : check_trace(path, TraceOptions{}).findings()) {
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
