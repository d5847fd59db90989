// SPDX-License-Identifier: Apache-2.0
/// \file Presets from first versions, and option values that must be refused with one clear line.
#include "model/kernel_switches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

using testing::HasSubstr;

std::string_view value_of(const char* kernel, const char* name) {
  static KernelChoice choice;
  choice = parse_kernel(kernel);
  return switch_value(choice.switches, name);
}

TEST(Presets, FollowTheFirstVersionsOfTheirSwitches) {
  for (const char* v :
       {"v5.8", "v5.9", "v5.15", "v5.16", "v6.1", "v6.3", "v6.4", "v6.6", "v6.9", "v6.11",
        "v6.12-rc1", "v6.12", "v6.13", "v6.14", "v6.16", "v6.17", "v6.19", "v7.1"})
    EXPECT_NO_THROW(parse_kernel(v)) << v;
  EXPECT_EQ(value_of("v5.8", "idlest_tiebreak"), "none");
  EXPECT_EQ(value_of("v5.9", "idlest_tiebreak"), "util");
  EXPECT_EQ(value_of("v5.9", "imbalance_pct_above_llc"), "125");
  EXPECT_EQ(value_of("v5.10", "imbalance_pct_above_llc"), "117");
  EXPECT_EQ(value_of("v6.3", "exit_move"), "full");
  EXPECT_EQ(value_of("v6.4", "exit_move"), "bail_if_same_group");
  EXPECT_EQ(value_of("v6.12-rc1", "exit_move"), "bail_if_same_group");
  EXPECT_EQ(value_of("v6.13", "exit_move"), "bail_if_same_group");
  EXPECT_EQ(value_of("v6.14", "exit_move"), "full");
  EXPECT_EQ(value_of("debian-6.12.117", "exit_move"), "full");
  EXPECT_EQ(value_of("v6.9", "new_task_util_weight"), "scaled");
  EXPECT_EQ(value_of("v6.10", "new_task_util_weight"), "unscaled");
  EXPECT_EQ(value_of("v6.18", "fork_stats_scope"), "group");
  EXPECT_EQ(value_of("v6.19", "fork_stats_scope"), "affinity");
  EXPECT_EQ(value_of("v6.18.44", "fork_stats_scope"), "affinity");
  EXPECT_EQ(value_of("v5.19", "migrate_se_pelt_lag"), "0");
  EXPECT_EQ(value_of("v6.0", "migrate_se_pelt_lag"), "1");
  EXPECT_EQ(value_of("v5.9", "busy_factor"), "32");
  EXPECT_EQ(value_of("v5.10", "busy_factor"), "16");
  EXPECT_EQ(value_of("v6.1", "prefer_sibling_of"), "child");
  EXPECT_EQ(value_of("v6.12", "prefer_sibling_of"), "group");
  EXPECT_EQ(value_of("v6.1", "group_flags_follow"), "0");
  EXPECT_EQ(value_of("debian-6.12.117", "group_flags_follow"), "1");
  EXPECT_EQ(value_of("v6.1", "sd_cluster"), "0");
  EXPECT_EQ(value_of("v6.12", "sd_cluster"), "1");
}

TEST(Presets, FollowTheFirstVersionsOfTheBalancingSwitches) {
  struct Row {
    const char *name, *before, *old_value, *since, *new_value;
  };
  constexpr auto kRows = std::to_array<Row>({
      {"newidle_fail", "v6.16", "none", "v6.17", "x1.5_cap"},
      {"newidle_fail", "v6.18", "x1.5_cap", "v6.19", "ni_random"},
      {"newidle_fail", "v7.0", "ni_random", "v7.1", "ni_rate"},
      {"newidle_fail", "v6.12", "none", "debian-6.12.117", "ni_random"},
      {"newidle_fail", "v6.18", "x1.5_cap", "v6.18.44", "ni_random"},
      {"newidle_gate", "v5.15", "migration_cost", "v5.16", "max_newidle_lb_cost"},
      {"newidle_decay_wait_1s", "v5.15", "0", "v5.16", "1"},
      {"newidle_charges_blocked", "v5.15", "0", "v5.16", "1"},
      {"newidle_stop", "v6.9", "nr_running", "v6.10", "continue_balancing"},
      {"sibling_imbalance", "v6.5", "nr_difference", "v6.6", "per_core"},
      {"should_we_balance_idle_core", "v6.5", "0", "v6.6", "1"},
      {"smt_balance", "v6.5", "0", "v6.6", "1"},
      {"fully_busy_tie", "v6.4", "first", "v6.5", "last"},
      {"runnable_boosting", "v6.4", "0", "v6.5", "1"},
      {"sysctl_sched_migration_cost", "v5.8", "500000", "v7.1", "500000"},
  });
  for (const Row& row : kRows) {
    EXPECT_EQ(value_of(row.before, row.name), row.old_value) << row.name;
    EXPECT_EQ(value_of(row.since, row.name), row.new_value) << row.name;
  }
}

TEST(Presets, TakeAnyNumberForATunable) {
  EXPECT_EQ(parse_kernel("v6.17,sysctl_sched_migration_cost=0").name,
            "v6.17,sysctl_sched_migration_cost=0");
  EXPECT_EQ(
      parse_kernel("v6.17,sysctl_sched_migration_cost=-1").switches.sysctl_sched_migration_cost,
      -1);
  EXPECT_EQ(parse_kernel("v6.17,sysctl_sched_migration_cost=500000").name, "v6.17");
}

TEST(Presets, CoverEveryReleaseFromV5_8ToV7_1) {
  const auto names = known_presets();
  EXPECT_EQ(names.size(), 12U + 20U + 2U + 3U);
  for (const std::string& name : names) EXPECT_EQ(parse_kernel(name).name, name);
}

TEST(Presets, NameOverridesOnlyWhereTheyDiffer) {
  EXPECT_EQ(parse_kernel("v6.13,exit_move=full").name, "v6.13,exit_move=full");
  EXPECT_EQ(parse_kernel("v6.14,exit_move=full").name, "v6.14");
  EXPECT_EQ(parse_kernel(parse_kernel("v5.8,idlest_tiebreak=util,exit_move=none").name).switches,
            parse_kernel("v5.8,exit_move=none,idlest_tiebreak=util").switches);
}

TEST(Presets, RoundTripEveryValueOfEverySwitch) {
  for (const SwitchInfo& info : switch_catalogue())
    for (const SwitchValue& value : info.values) {
      KernelSwitches k;
      set_switch(k, info.name, value.name);
      EXPECT_EQ(switch_value(k, info.name), value.name);
      EXPECT_THAT((std::vector<std::string_view>{"executed", "read", "patch", "memory"}),
                  testing::Contains(value.evidence));
    }
}

TEST(Presets, TakeTheNearestReleaseThatIsNotNewer) {
  EXPECT_EQ(preset_for_release("6.18.44-fc-v782"), "v6.18.44");
  EXPECT_EQ(preset_for_release("6.12.117+deb13-amd64"), "debian-6.12.117");
  EXPECT_EQ(preset_for_release("6.12.3-arch1"), "v6.12");
  EXPECT_EQ(preset_for_release("5.15.0-91-generic"), "v5.15");
  EXPECT_EQ(preset_for_release("7.4.1"), "v7.1");
  EXPECT_THROW(preset_for_release("5.4.0"), InputError);
  EXPECT_THROW(preset_for_release("rolling"), InputError);
}

TEST(ParseKernel, RefusesWithOneLineThatSaysWhatToDo) {
  constexpr auto kCases = std::to_array<std::pair<const char*, const char*>>(
      {{"", "use v5.8"},
       {"v5.7", "use v5.8"},
       {"v7.2", "use v5.8"},
       {"v5.20", "use v5.8"},
       {"6.12", "use v5.8"},
       {"v6.012", "use v5.8"},
       {"v6.12 ", "use v5.8"},
       {"v6", "use v5.8"},
       {"v6.12-rc2", "use v5.8"},
       {"v6.12,", "switch=value expected"},
       {"v6.12,exit_move", "not switch=value"},
       {"v6.12,exit_move=", "its values: none, full"},
       {"v6.12,exit_move=Full", "its values"},
       {"v6.12,exitmove=full", "known switches"},
       {"v6.12,exit_move=full,exit_move=none", "given twice"},
       {"v6.12,exit_move=full,", "nothing follows"},
       {"v6.12,,", "not switch=value"},
       {"v6.12,attach_keeps_sum=true", "its values: 0, 1"},
       {"v6.12,sysctl_sched_migration_cost=-2", "whole number from -1"},
       {"v6.12,sysctl_sched_migration_cost=5us", "whole number from -1"}});
  for (const auto& [text, hint] : kCases) {
    try {
      parse_kernel(text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(hint)) << text;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace schedcheck
