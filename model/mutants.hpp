// SPDX-License-Identifier: Apache-2.0
/// \file Named one-line faults. A property is finished only when a switch or one of these breaks
/// it, and a proof counts only when it fails under one. In the symbolic reading a mutant can be
/// switched on at run time; natively they are compiled in only with SCHEDCHECK_MUTANTS (the mutant
/// tests), elsewhere `mutant<NativeDomain>()` is constant false and costs nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/domain/value_domain.hpp"

namespace schedcheck {

enum class Mutant : std::uint8_t {
  kNone,
  kDetachBooksNothing,
  kAttachOffByOneDivider,
  kDetachForgetsClamp,
  kBusyCountsAsIdle,
  kFewerIdleCpusWin,
  kEqualIdleGoesRemote,
  kAffinityIgnored,
  kContributionTwice,
  kWindowsNotDecayed,
  kSliceEndIgnored,
  kDequeueKeepsNrRunning,
  kTimelineSumTooSmall,
  kLagNotClamped,
  kDelayedPickedAsIs,
  kSharesDoubled,
  kRtDoesNotPreempt,
  kLaterDeadlineWins,
  kChildGetsFullSlice,
};

struct MutantInfo {
  Mutant mutant;
  std::string_view id, name, fault;
};

/// In the order of the enumerators, without kNone.
inline constexpr std::array<MutantInfo, 18> kMutants = {{
    {Mutant::kDetachBooksNothing, "M-01", "detach-books-nothing",
     "a detach is not booked in the ledger"},
    {Mutant::kAttachOffByOneDivider, "M-02", "attach-off-by-one-divider",
     "attach derives util_sum with divider + 1"},
    {Mutant::kDetachForgetsClamp, "M-03", "detach-forgets-clamp",
     "removal without the lower bound of the sums"},
    {Mutant::kBusyCountsAsIdle, "M-04", "busy-counts-as-idle",
     "a busy CPU counts as idle in the group statistics"},
    {Mutant::kFewerIdleCpusWin, "M-05", "fewer-idle-cpus-win",
     "update_pick_idlest prefers fewer idle CPUs"},
    {Mutant::kEqualIdleGoesRemote, "M-06", "equal-idle-goes-remote",
     "local stays only with strictly more idle CPUs"},
    {Mutant::kAffinityIgnored, "M-07", "affinity-ignored", "a fork ignores the affinity mask"},
    {Mutant::kContributionTwice, "M-08", "contribution-twice",
     "the units of an open window count twice in util_sum"},
    {Mutant::kWindowsNotDecayed, "M-09", "windows-not-decayed",
     "util_sum is not decayed at a boundary"},
    {Mutant::kSliceEndIgnored, "M-10", "slice-end-ignored",
     "the end of a slice never asks for a reschedule"},
    {Mutant::kDequeueKeepsNrRunning, "M-11", "dequeue-keeps-nr-running",
     "a dequeue does not lower rq.nr_running"},
    {Mutant::kTimelineSumTooSmall, "M-12", "timeline-sum-too-small",
     "a waiting entity counts one too little in the sum of virtual runtimes"},
    {Mutant::kLagNotClamped, "M-13", "lag-not-clamped", "lag is kept whatever its size"},
    {Mutant::kDelayedPickedAsIs, "M-14", "delayed-picked-as-is",
     "a delayed task that is picked runs instead of leaving"},
    {Mutant::kSharesDoubled, "M-15", "shares-doubled",
     "a group's weight is twice its part of the shares, without upper bound"},
    {Mutant::kRtDoesNotPreempt, "M-16", "rt-does-not-preempt",
     "an RT task that wakes waits for the tick"},
    {Mutant::kLaterDeadlineWins, "M-17", "later-deadline-wins",
     "the pick prefers the latest deadline"},
    {Mutant::kChildGetsFullSlice, "M-18", "child-gets-full-slice",
     "a child's first deadline is a whole slice away"},
}};

/// The row of `m`. Requires m != kNone.
constexpr const MutantInfo& mutant_info(Mutant m) {
  return kMutants.at(static_cast<std::size_t>(m) - 1);
}

/// "M-05 fewer-idle-cpus-win: update_pick_idlest prefers fewer idle CPUs".
inline std::string describe(Mutant m) {
  if (m == Mutant::kNone) return "no mutant";
  const MutantInfo& info = mutant_info(m);
  return std::string(info.id).append(" ").append(info.name).append(": ").append(info.fault);
}

/// Of this thread; set it with a ScopedMutant.
inline constinit thread_local Mutant active_mutant = Mutant::kNone;

/// Makes `m` the active mutant of this thread until the end of the scope.
class ScopedMutant {
 public:
  explicit ScopedMutant(Mutant m) : previous_(active_mutant) { active_mutant = m; }
  ~ScopedMutant() { active_mutant = previous_; }
  ScopedMutant(const ScopedMutant&) = delete;
  ScopedMutant& operator=(const ScopedMutant&) = delete;

 private:
  Mutant previous_;
};

#ifdef SCHEDCHECK_MUTANTS
inline constexpr bool kMutantsRunNatively = true;
#else
inline constexpr bool kMutantsRunNatively = false;
#endif

/// Whether the model has fault `m` in reading D.
template <ValueDomain D>
constexpr bool mutant(Mutant m) {
  if constexpr (D::kSymbolic || kMutantsRunNatively) {
    return active_mutant == m;
  } else {
    return false;
  }
}

}  // namespace schedcheck
