// SPDX-License-Identifier: Apache-2.0
/// \file Named one-line faults. A property is finished only when a switch or one of these breaks
/// it. They are compiled in only with SCHEDCHECK_MUTANTS (the mutant tests); elsewhere `mutant()`
/// is constant false and costs nothing.
#pragma once

#include <cstdint>

namespace schedcheck {

enum class Mutant : std::uint8_t {
  kNone,
  kDetachBooksNothing,     ///< M-01: a detach is not booked in the ledger.
  kAttachOffByOneDivider,  ///< M-02: attach derives util_sum with divider + 1.
  kDetachForgetsClamp,     ///< M-03: removal without the lower bound of the sums.
  kBusyCountsAsIdle,       ///< M-04: a busy CPU counts as idle in the group statistics.
  kFewerIdleCpusWin,       ///< M-05: update_pick_idlest prefers fewer idle CPUs.
  kEqualIdleGoesRemote,    ///< M-06: local stays only with strictly more idle CPUs.
  kAffinityIgnored,        ///< M-07: a fork ignores the affinity mask.
  kContributionTwice,      ///< M-08: the units of an open window count twice in util_sum.
  kWindowsNotDecayed,      ///< M-09: util_sum is not decayed at a boundary.
};

#ifdef SCHEDCHECK_MUTANTS
inline thread_local Mutant active_mutant = Mutant::kNone;
inline bool mutant(Mutant m) { return active_mutant == m; }
#else
constexpr bool mutant(Mutant) { return false; }
#endif

}  // namespace schedcheck
