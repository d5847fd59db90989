// SPDX-License-Identifier: Apache-2.0
/// \file Findings that say "CPU c was idle then" wait a moment: a wakeup that was on its way to c
/// shows up only when it arrives there.
#pragma once

#include <vector>

#include "counterexamples/trace/trace_machine.hpp"

namespace schedcheck {

class SettlingClaims {
 public:
  /// `finding` says that `cpu` was idle at `event`. Possible ones are reported at once.
  void add(const TraceEvent& event, int cpu, TraceFinding finding, TraceReport& report);
  void before(const TraceMachine& m, const TraceEvent& event, TraceReport& report);
  void finish(TraceReport& report);

 private:
  struct Claim {
    int cpu = 0;
    int forker = 0;
    std::int64_t time_ns = 0;
    TraceFinding finding;
  };
  std::vector<Claim> claims_;
};

}  // namespace schedcheck
