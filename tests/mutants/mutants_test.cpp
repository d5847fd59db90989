// SPDX-License-Identifier: Apache-2.0
/// \file Each one-line fault of model/mutants.hpp is found by the property that must catch it,
/// within 40000 random cases from a fixed seed; without the fault the same cases find nothing.
#include <gtest/gtest.h>

#include "properties/catalogue.hpp"
#include "properties/random/engine.hpp"

namespace schedcheck {
namespace {

struct MutantCase {
  Mutant mutant;
  const char* id;
  const char* property;
  const char* topology;
};

RandomReport check_with(Mutant mutant, const char* property, const char* topology) {
  const ScopedMutant active(mutant);
  Schedule base;
  base.topology = topology;
  base.kernel = "debian-6.12.117,pick_buddy=0";  // A buddy is picked however late its deadline.
  RandomOptions options;
  options.cases = 40'000;
  options.jobs = 1;  // The active mutant is this thread's.
  return check_random(make_setup(base, false), parse_properties(property), options);
}

void PrintTo(const MutantCase& c, std::ostream* out) { *out << c.id; }

class Mutants : public testing::TestWithParam<MutantCase> {};

TEST_P(Mutants, IsCaughtByItsProperty) {
  const std::size_t property = property_index(GetParam().property);
  const RandomReport report =
      check_with(GetParam().mutant, GetParam().property, GetParam().topology);
  EXPECT_TRUE(report.properties[property].violated);
}

TEST_P(Mutants, IsNotBlamedWhenAbsent) {
  const std::size_t property = property_index(GetParam().property);
  const RandomReport report = check_with(Mutant::kNone, GetParam().property, GetParam().topology);
  EXPECT_FALSE(report.properties[property].violated);
  EXPECT_GT(report.properties[property].relevant, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    All, Mutants,
    testing::Values(
        MutantCase{Mutant::kDetachBooksNothing, "M01", "ledger-balances", "smp:3"},
        MutantCase{Mutant::kAttachOffByOneDivider, "M02", "exit-move-sum-exact", "smp:2"},
        MutantCase{Mutant::kDetachForgetsClamp, "M03", "sum-average-floor", "smp:2"},
        MutantCase{Mutant::kBusyCountsAsIdle, "M04", "fork-lands-on-idle", "smp:3"},
        MutantCase{Mutant::kFewerIdleCpusWin, "M05", "fork-picks-idle-group", "smp:3"},
        MutantCase{Mutant::kEqualIdleGoesRemote, "M06", "fork-stays-local-when-equally-idle",
                   "smp:3"},
        MutantCase{Mutant::kAffinityIgnored, "M07", "affinity-respected", "llc:2x2"},
        MutantCase{Mutant::kContributionTwice, "M08", "pelt-bounds", "smp:2"},
        MutantCase{Mutant::kWindowsNotDecayed, "M09", "pelt-split-additive", "smp:2"},
        MutantCase{Mutant::kSliceEndIgnored, "M10", "slice-end-reschedules", "smp:1"},
        MutantCase{Mutant::kDequeueKeepsNrRunning, "M11", "nr-running-exact", "smp:2"},
        MutantCase{Mutant::kTimelineSumTooSmall, "M12", "someone-eligible", "smp:1"},
        MutantCase{Mutant::kLagNotClamped, "M13", "lag-within-clamp", "smp:1"},
        MutantCase{Mutant::kDelayedPickedAsIs, "M14", "delayed-never-runs", "smp:1"},
        MutantCase{Mutant::kSharesDoubled, "M15", "group-shares-bounded", "smp:1"},
        MutantCase{Mutant::kRtDoesNotPreempt, "M16", "rt-first", "smp:1"},
        MutantCase{Mutant::kLaterDeadlineWins, "M17", "picks-earliest-eligible", "smp:1"},
        MutantCase{Mutant::kChildGetsFullSlice, "M18", "child-starts-with-half-a-slice", "smp:1"},
        MutantCase{Mutant::kTimelineSumTooSmall, "M12Sum", "zero-sum-lag", "smp:1"},
        MutantCase{Mutant::kSliceEndIgnored, "M10Share", "equal-tasks-share", "smp:1"}),
    [](const auto& test) { return test.param.id; });

}  // namespace
}  // namespace schedcheck
