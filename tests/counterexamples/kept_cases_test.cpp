// SPDX-License-Identifier: Apache-2.0
/// \file Kept counterexamples of published bugs: the property fails at the recorded event on the
/// kernel of the file, and the same schedule does not violate it once the one switch is turned.
#include <gtest/gtest.h>

#include <fstream>
#include <ostream>

#include "counterexamples/schedule_json.hpp"
#include "properties/catalogue.hpp"
#include "properties/run_schedule.hpp"

namespace schedcheck {
namespace {

struct KeptCase {
  const char* file;
  const char* fixed;  ///< The kernel with the fix.
};
void PrintTo(const KeptCase& c, std::ostream* out) { *out << c.file; }

Schedule read_kept(const std::string& name) {
  const std::string path = SCHEDCHECK_SOURCE_DIR "/counterexamples/found/" + name + ".json";
  std::ifstream in(path);
  return schedule_from_json(std::string(std::istreambuf_iterator<char>(in), {}), path);
}

class KeptCases : public testing::TestWithParam<KeptCase> {};

TEST_P(KeptCases, FailBeforeTheFixAndNotAfter) {
  Schedule schedule = read_kept(GetParam().file);
  ASSERT_TRUE(schedule.finding);
  const std::size_t property = property_index(schedule.finding->property);
  const auto violated_at = [&] {
    const RunResult run = run_schedule(make_model(schedule), schedule, PropertySet{1} << property);
    return run.of(property) == nullptr ? 0 : run.of(property)->event;
  };
  EXPECT_EQ(violated_at(), schedule.finding->event);
  schedule.kernel = GetParam().fixed;
  EXPECT_EQ(violated_at(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Published, KeptCases,
    testing::Values(
        KeptCase{"no-resched-without-fair-peer-v6.12-rc1", "v6.12-rc1,slice_end_check=cfs_nr"},
        KeptCase{"slice-end-reschedules-v6.12-rc1", "v6.12-rc1,slice_end_check=cfs_nr"},
        KeptCase{"reweight-keeps-lag-v6.12", "v6.12,reweight_mode=place_entity"},
        KeptCase{"yield-progress-v6.12", "v6.12,yield_mode=forfeit_if_eligible"},
        KeptCase{"h-nr-runnable-exact-v6.13-rc", "v6.13"},
        KeptCase{"contribution-leaves-v6.12", "v6.12,decayed_checks_contrib=1"},
        KeptCase{"util-est-insensitive-to-waiting-v6.7", "v6.7,util_est_skip_if_waiting=1"},
        KeptCase{"fair-never-starves-v6.17-rc", "v6.17"},
        KeptCase{"delayed-peer-leaves-within-a-slice-v6.12-rc1",
                 "v6.12-rc1,slice_end_check=cfs_nr"},
        KeptCase{"reference-tracks-v6.19", "v6.19,zero_update=avg_vruntime"}));

// The lower bound of a removal is computed in 32 bits (kernel-facts 1.15).
TEST(KeptCases, TheBoundOfARemovalCutsExactlyTwoToThe32FromALargeLoadSum) {
  const Schedule schedule = read_kept("sums-follow-averages-v6.12");
  const std::size_t property = property_index("sums-follow-averages");
  const RunResult run = run_schedule(make_model(schedule), schedule, PropertySet{1} << property);
  ASSERT_NE(run.of(property), nullptr);
  const Numbers& numbers = run.of(property)->numbers;
  EXPECT_EQ(numbers.at("cpu0.group0.load_floor") - numbers.at("cpu0.group0.load_sum"),
            std::int64_t{1} << 32);
  EXPECT_EQ(numbers, schedule.finding->numbers);
}

}  // namespace
}  // namespace schedcheck
