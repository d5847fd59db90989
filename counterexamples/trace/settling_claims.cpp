// SPDX-License-Identifier: Apache-2.0
/// \file The moment: longer than an interrupt takes to wake an idle CPU, shorter than a balance.
#include "counterexamples/trace/settling_claims.hpp"

#include <utility>

namespace schedcheck {
namespace {

constexpr std::int64_t kSettleNs = 500'000;
constexpr std::size_t kMaxSettling = 256;

}  // namespace

void SettlingClaims::add(const TraceEvent& event, int cpu, TraceFinding finding,
                         TraceReport& report) {
  if (!finding.certain || event.time_ns < 0) {
    finding.certain = false;
    return report.add(std::move(finding));
  }
  if (claims_.size() == kMaxSettling) finish(report);
  claims_.push_back({cpu, event.current, event.time_ns, std::move(finding)});
}

void SettlingClaims::before(const TraceMachine& m, const TraceEvent& event, TraceReport& report) {
  if (claims_.empty()) return;
  std::erase_if(claims_, [&](Claim& claim) {
    bool decided = event.time_ns >= 0 && event.time_ns - claim.time_ns >= kSettleNs;
    if (!decided && event.kind == TraceKind::kLost) {
      decided = true;
      claim.finding.certain = false;
    } else if (!decided && event.kind == TraceKind::kSwitch && event.cpu == claim.cpu) {
      // What it switches to may have been on its way unless it was woken later.
      decided = true;
      const TraceTask* t = m.task(event.task);
      claim.finding.certain =
          t != nullptr && t->state == TraceTaskState::kWaiting && t->since_ns > claim.time_ns;
    } else if (!decided && event.target == claim.cpu) {
      // Forks are placed at once; only one of another CPU may have been under way.
      decided = event.kind == TraceKind::kWakeup ||
                (event.kind == TraceKind::kWakeupNew && event.current != claim.forker);
      claim.finding.certain = !decided;
    }
    if (decided) report.add(std::move(claim.finding));
    return decided;
  });
}

void SettlingClaims::finish(TraceReport& report) {
  for (Claim& claim : claims_) {
    claim.finding.certain = false;
    report.add(std::move(claim.finding));
  }
  claims_.clear();
}

}  // namespace schedcheck
