// SPDX-License-Identifier: Apache-2.0
/// \file Blame on kept schedules, and on the same schedules with kernels in which another switch,
/// or two together, are the cause.
#include "counterexamples/blame.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "counterexamples/schedule_json.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

Schedule found(const std::string& name, const char* kernel = nullptr) {
  const std::string path = SCHEDCHECK_SOURCE_DIR "/counterexamples/found/" + name;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  Schedule schedule = schedule_from_json(text.str(), path);
  if (kernel != nullptr) schedule.kernel = parse_kernel(kernel).name;
  return schedule;
}

std::vector<std::string> names(const BlameSet& set) {
  std::vector<std::string> result;
  for (const BlamedSwitch& s : set.switches) result.push_back(s.name);
  return result;
}

TEST(Blame, NamesTheExitMoveForTheSchedulesOfV6_13) {
  for (const char* file : {"exit-leaves-no-utilization-v6.13.json", "no-ghost-busy-v6.13.json"}) {
    const Blame b = blame(found(file), "", file);
    EXPECT_EQ(b.against, "v6.14") << file;
    ASSERT_EQ(b.sets.size(), 1U) << file;
    ASSERT_EQ(names(b.sets[0]), std::vector<std::string>{"exit_move"}) << file;
    EXPECT_EQ(b.sets[0].switches[0].value, "bail_if_same_group");
    EXPECT_EQ(b.sets[0].switches[0].commit, "eff6c8ce8d4d");
    EXPECT_TRUE(b.sets[0].both_ways) << file;
  }
}

TEST(Blame, NamesTheTieBreakForTheBurstOfV5_8) {
  const Blame b = blame(found("fork-burst-spreads-v5.8.json"), "", "burst");
  EXPECT_EQ(b.against, "v5.9");
  ASSERT_EQ(b.sets.size(), 1U);
  ASSERT_EQ(names(b.sets[0]), std::vector<std::string>{"idlest_tiebreak"});
  EXPECT_EQ(b.sets[0].switches[0].commit, "3edecfef0285");
}

TEST(Blame, LeavesOutTheSwitchesThatDifferAndDoNotMatter) {
  // v5.9 and v6.13 differ in four switches.
  const Blame b = blame(found("exit-leaves-no-utilization-v6.13.json"), "v5.9", "exit");
  ASSERT_EQ(b.sets.size(), 1U);
  EXPECT_EQ(names(b.sets[0]), std::vector<std::string>{"exit_move"});
}

TEST(Blame, NamesAnotherSwitchWhenThatIsTheCause) {
  const Schedule s =
      found("exit-leaves-no-utilization-v6.13.json", "v6.13,exit_move=full,attach_keeps_sum=1");
  const Blame b = blame(s, "v5.9", "exit");
  ASSERT_EQ(b.sets.size(), 1U);
  EXPECT_EQ(names(b.sets[0]), std::vector<std::string>{"attach_keeps_sum"});
}

TEST(Blame, NamesTwoSwitchesWhenEachAloneIsEnough) {
  const Schedule s = found("exit-leaves-no-utilization-v6.13.json", "v6.13,attach_keeps_sum=1");
  const Blame b = blame(s, "v6.14", "exit");
  ASSERT_EQ(b.sets.size(), 1U);
  EXPECT_EQ(names(b.sets[0]), (std::vector<std::string>{"exit_move", "attach_keeps_sum"}));
}

TEST(Blame, AsksThePresetFirstWhenAnOverrideIsTheCause) {
  const Schedule s = found("exit-leaves-no-utilization-v6.13.json", "v6.14,exit_move=none");
  const Blame b = blame(s, "", "exit");
  EXPECT_EQ(b.against, "v6.14");
  ASSERT_EQ(b.sets.size(), 1U);
  EXPECT_EQ(b.sets[0].switches[0].value, "none");
}

TEST(Blame, AnswersForAPlacementWithoutAViolation) {
  Schedule s = found("fork-burst-spreads-v5.8.json");
  s.finding.reset();
  const Blame b = blame(s, "v5.12", "burst");
  EXPECT_FALSE(b.property);
  EXPECT_EQ(b.event, 3);
  ASSERT_EQ(b.sets.size(), 1U);
  EXPECT_EQ(names(b.sets[0]), std::vector<std::string>{"idlest_tiebreak"});
}

TEST(Blame, SaysWhenNothingFails) {
  Schedule s = found("fork-burst-spreads-v5.8.json", "v5.9");
  s.finding.reset();
  EXPECT_TRUE(blame(s, "", "burst").sets.empty());
  EXPECT_NE(blame(s, "", "burst").nothing.find("nothing fails"), std::string::npos);
  EXPECT_NE(blame(s, "v5.10", "burst").nothing.find("nothing fails"), std::string::npos);
}

TEST(Blame, SaysWhenNoPresetIsWithoutTheFailure) {
  const Blame b = blame(found("fork-burst-spreads-llc-v6.12.json"), "", "burst");
  EXPECT_TRUE(b.sets.empty());
  EXPECT_NE(b.nothing.find("every preset"), std::string::npos);
}

TEST(Blame, SaysWhenTheOtherKernelFailsToo) {
  const Blame b = blame(found("exit-leaves-no-utilization-v6.13.json"), "v6.9", "exit");
  EXPECT_TRUE(b.sets.empty());
  EXPECT_NE(b.nothing.find("violated on v6.9 too"), std::string::npos);
}

TEST(Blame, RefusesAFindingThatIsNotThere) {
  EXPECT_THROW(blame(found("fork-burst-spreads-v5.8.json", "v5.9"), "", "burst"), InputError);
}

TEST(OutcomeOn, DoesNotCountAScheduleThatIsNotEnabledAsHolding) {
  Schedule s = found("fork-burst-spreads-v5.8.json");
  const std::size_t burst = property_index("fork-burst-spreads");
  EXPECT_EQ(outcome_on(s, parse_kernel("v5.9").switches, burst, 3), Outcome::kHolds);
  s.events[1] = {.kind = EventKind::kWake, .task = 1};
  EXPECT_EQ(outcome_on(s, parse_kernel("v5.9").switches, burst, 3), Outcome::kNotReached);
}

}  // namespace
}  // namespace schedcheck
