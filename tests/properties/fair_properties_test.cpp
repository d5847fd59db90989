// SPDX-License-Identifier: Apache-2.0
/// \file The properties about groups and virtual time: each is found on the switch value that its
/// page names, and not on the value that it is said to hold on.
#include <gtest/gtest.h>

#include <ostream>

#include "model/input_error.hpp"
#include "properties/catalogue.hpp"
#include "properties/random/engine.hpp"

namespace schedcheck {
namespace {

struct SwitchCase {
  const char* property;
  const char* fails;
  const char* holds;
};
void PrintTo(const SwitchCase& c, std::ostream* out) { *out << c.property << " on " << c.fails; }

class FairProperty : public testing::TestWithParam<SwitchCase> {};

PropertyOutcome checked(const char* kernel, const char* property) {
  Schedule base;
  base.topology = "smp:2";
  base.kernel = kernel;
  RandomOptions options;
  options.cases = 20'000;
  const std::size_t p = property_index(property);
  return check_random(make_setup(base, false), PropertySet{1} << p, options).properties[p];
}

TEST_P(FairProperty, FailsOnTheDocumentedSwitchValueOnly) {
  const SwitchCase& c = GetParam();
  EXPECT_TRUE(checked(c.fails, c.property).violated) << c.fails;
  const PropertyOutcome outcome = checked(c.holds, c.property);
  EXPECT_FALSE(outcome.violated) << c.holds;
  EXPECT_GT(outcome.relevant, 20U) << c.holds;
  for (const char* kernel : {c.fails, c.holds}) {
    Schedule schedule;
    schedule.kernel = kernel;
    EXPECT_EQ((documented_failures(make_model(schedule)) >> property_index(c.property) & 1) != 0,
              kernel == c.fails)
        << kernel;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, FairProperty,
    testing::Values(
        SwitchCase{"no-resched-without-fair-peer", "v6.12-rc1", "v6.12"},
        SwitchCase{"no-resched-without-fair-peer", "v6.17,slice_end_check=rq_nr", "v6.17"},
        SwitchCase{"no-resched-without-fair-peer", "v6.6,slice_end_check=rq_nr", "v6.6"},
        SwitchCase{"slice-end-reschedules", "v6.12-rc1", "v6.12"},
        SwitchCase{"slice-end-reschedules", "v6.12,slice_end_check=cfs_nr_expired_only", "v6.6"},
        SwitchCase{"h-nr-runnable-exact", "v6.13,delayed_counts_group_entities=1", "v6.13"},
        SwitchCase{"yield-progress", "v6.12", "debian-6.12.117"},
        SwitchCase{"yield-progress", "v6.19,yield_mode=deadline_only", "v6.19"},
        SwitchCase{"contribution-leaves", "v6.12", "v6.12,decayed_checks_contrib=1"},
        SwitchCase{"contribution-leaves", "v6.18", "v6.18,tg_load_avg_ratelimit=0"},
        SwitchCase{"util-est-insensitive-to-waiting", "v6.12,util_est_skip_if_waiting=0", "v6.12"},
        SwitchCase{"fair-never-starves", "v6.12,fair_server=none", "v6.12"},
        SwitchCase{"fair-never-starves", "v6.17,dl_timer_no_task=stop_without_flag", "v6.17"},
        SwitchCase{"fair-never-starves", "v6.6,fair_server=none", "v6.6"},
        SwitchCase{"reweight-keeps-lag", "v6.12", "v6.13"},
        SwitchCase{"reweight-keeps-lag", "v7.1", "v6.19"},
        SwitchCase{"delayed-peer-leaves-within-a-slice", "v6.12-rc1", "v6.12"},
        SwitchCase{"delayed-peer-leaves-within-a-slice",
                   "v6.12,slice_end_check=cfs_nr_expired_only", "v6.12"},
        SwitchCase{"reference-tracks", "v6.19", "v7.1"},
        SwitchCase{"picks-earliest-eligible", "v6.14", "v6.13"}));

TEST(FairProperties, OfThePickAreRefusedOnKernelsThatPickedOtherwise) {
  const int v6_4 = parse_kernel("v6.4").version;
  EXPECT_THROW(judged_on(parse_properties("yield-progress"), "yield-progress", v6_4), InputError);
  const PropertySet all = judged_on(kEveryProperty, "all", v6_4);
  EXPECT_EQ(all >> property_index("yield-progress") & 1, 0U);
  EXPECT_EQ(all >> property_index("contribution-leaves") & 1, 1U);
  EXPECT_EQ(judged_on(kEveryProperty, "all", parse_kernel("v6.6").version), kEveryProperty);
}

}  // namespace
}  // namespace schedcheck
