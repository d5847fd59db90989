// SPDX-License-Identifier: Apache-2.0
/// \file Mutants at run time: in the symbolic reading a named fault is there while its scope lasts,
/// natively (in this build, without SCHEDCHECK_MUTANTS) never.
#include <gtest/gtest.h>

#include "model/placement/find_dst_group.hpp"
#include "solver/z3_domain.hpp"

namespace schedcheck {
namespace {

/// Whether a group with 3 idle CPUs replaces one with 2.
template <ValueDomain D>
BoolOf<D> more_idle_cpus_win() {
  SgLbStats<D> two{};
  SgLbStats<D> three{};
  two.idle_cpus = 2;
  three.idle_cpus = 3;
  return update_pick_idlest<D>(KernelSwitches{}, two, three);
}

TEST(SymbolicMutants, ChangeTheSymbolicReadingWhileTheScopeLasts) {
  const Z3Session session(Theory::kInteger);
  EXPECT_TRUE(static_cast<bool>(more_idle_cpus_win<Z3Domain>()));
  {
    const ScopedMutant outer(Mutant::kFewerIdleCpusWin);
    EXPECT_FALSE(static_cast<bool>(more_idle_cpus_win<Z3Domain>()));
    {
      const ScopedMutant inner(Mutant::kNone);
      EXPECT_TRUE(static_cast<bool>(more_idle_cpus_win<Z3Domain>()));
    }
    EXPECT_FALSE(static_cast<bool>(more_idle_cpus_win<Z3Domain>()));
  }
  EXPECT_TRUE(static_cast<bool>(more_idle_cpus_win<Z3Domain>()));
}

TEST(SymbolicMutants, NeverTouchTheNativeReading) {
  static_assert(!mutant<NativeDomain>(Mutant::kFewerIdleCpusWin));
  const ScopedMutant active(Mutant::kFewerIdleCpusWin);
  EXPECT_TRUE(more_idle_cpus_win<NativeDomain>());
}

TEST(SymbolicMutants, HaveRowsInTheOrderOfTheEnumerators) {
  for (const MutantInfo& info : kMutants) EXPECT_EQ(mutant_info(info.mutant).id, info.id);
  EXPECT_EQ(describe(Mutant::kFewerIdleCpusWin),
            "M-05 fewer-idle-cpus-win: update_pick_idlest prefers fewer idle CPUs");
}

}  // namespace
}  // namespace schedcheck
