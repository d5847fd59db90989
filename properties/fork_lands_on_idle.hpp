// SPDX-License-Identifier: Apache-2.0
/// \file fork-lands-on-idle
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct ForkLandsOnIdle {
  static constexpr PropertyInfo kInfo = {
      "fork-lands-on-idle",
      "If an allowed CPU of the fork domain is idle, the child lands on an idle one.",
      "A child that queues behind a busy task while a CPU sleeps waits for a tick or a balance.",
      "kernel-facts 3.4 to 3.6, I-04",
      "groups of one CPU; the fork is atomic (L-ATOMIC)",
      "every kernel, whatever exit_move is",
      "mutant M-04 (busy CPUs count as idle); machines with groups of several CPUs are the subject "
      "of fork-work-conserving"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  static Judgement<D> on_fork(const Model& /*model*/, const Machine<D>& m,
                              const ForkView<D>& fork) {
    if (!fork.single_cpu_groups()) return not_relevant<D>();
    const auto idle = [&](int cpu) { return idle_cpu<D>(m, cpu); };
    return judge<D>(exists_allowed<D>(m, fork.child, fork.span(), kNoTask, idle),
                    !idle(fork.chosen));
  }
};

}  // namespace schedcheck
