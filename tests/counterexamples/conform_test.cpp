// SPDX-License-Identifier: Apache-2.0
/// \file
/// conform() on the vectors in tests/data and on copies with one number changed; the command.

#include <algorithm>

#include "cli/conform_command.hpp"
#include "tests/counterexamples/conform_fixture.hpp"

namespace schedcheck {
namespace {

TEST_F(Conform, AgreesWithEveryCoveredFile) {
  const auto files = conform({vectors()});
  std::vector<std::string> kinds;
  for (const ConformFile& file : files) {
    SCOPED_TRACE(file.file);
    kinds.push_back(file.kind);
    EXPECT_EQ(file.differing, 0) << file.first_difference;
    EXPECT_EQ(file.first_difference, "");
    EXPECT_GT(file.compared, 0);
  }
  for (const char* kind : {"pelt_primitives",
                           "pelt_sequences",
                           "new_task_util",
                           "group_classify",
                           "fork_dst_group",
                           "exit_path",
                           "pelt",
                           "attach",
                           "detach",
                           "postinit",
                           "groups",
                           "placements",
                           "find_dst_group_cpu",
                           "find_dst_cpu",
                           "topology",
                           "topology_executed",
                           "balance_domains",
                           "lb_src_group",
                           "find_src_rq",
                           "should_we_balance",
                           "balance_rq",
                           "newidle",
                           "newidle_flow",
                           "group_shares",
                           "slice_end_resched",
                           "eevdf_pick"})
    EXPECT_THAT(kinds, testing::Contains(kind));
}

TEST_F(Conform, ComparesEveryRow) {
  const auto compared = [](const char* file) { return conform({vectors() / file}).at(0).compared; };
  EXPECT_EQ(compared("kernel/pelt.csv"), 8778);
  EXPECT_EQ(compared("kernel/placements.csv"), 1030);
  EXPECT_EQ(compared("fork_dst_group.json"), 318);
  EXPECT_EQ(compared("pelt_sequences.json"), 629);
  EXPECT_EQ(compared("pelt_primitives.json"), 126 + 36 + 301 + 32 + 40 + 40);
  EXPECT_EQ(compared("exit_path.json"), 123 + 4 * 21);
  EXPECT_EQ(compared("topology.json"), 6);
  EXPECT_EQ(compared("balance/topology_executed.json"), 2 * 21);
  EXPECT_EQ(compared("balance/balance_domains.json"), 38);
  EXPECT_EQ(compared("lb_src_group.json"), 300);
  EXPECT_EQ(compared("newidle.json"), 60 + 5 + 2 + 2 + 1);
  EXPECT_EQ(compared("balance/find_src_rq.json"), 50);
  EXPECT_EQ(compared("balance/should_we_balance.json"), 57);
  EXPECT_EQ(compared("balance/newidle_flow.json"), 53);
  EXPECT_EQ(compared("balance/balance_rq.json"), 45);
}

TEST_F(Conform, NamesTheRowsItSkips) {
  const ConformFile primitives =
      conform({write("p.json", R"({"decay":[[1,0,0]],"segments":[],"roots":[1,2]})")}).at(0);
  EXPECT_EQ(primitives.skipped, 2);
  EXPECT_THAT(primitives.skipped_rows, testing::Contains(HasSubstr("roots")));
}

// Seen from the second node: 2 nodes of 2 cores with 2 threads, and a machine without domains.
TEST_F(Conform, TellsTheMachineOfTopologyRowsByTheirDomains) {
  const auto domain = [](const char* level, Json span, Json groups, Json flags, int pct, int tries,
                         int ms, Json imb, bool prefer) {
    for (const char* flag : {"BALANCE_NEWIDLE", "BALANCE_EXEC", "BALANCE_FORK", "WAKE_AFFINE"})
      flags.push_back(flag);
    return Json{{"level", level},
                {"span", span},
                {"groups", groups},
                {"flags", flags},
                {"imbalance_pct", pct},
                {"cache_nice_tries", tries},
                {"min_interval_ms", ms},
                {"max_interval_ms", 2 * ms},
                {"busy_factor", 16},
                {"imb_numa_nr", imb},
                {"groups_have_prefer_sibling", prefer}};
  };
  const Json smt =
      domain("SMT", {4, 5}, {{5}, {4}}, {"SHARE_CPUCAPACITY", "SHARE_LLC", "PREFER_SIBLING"}, 110,
             0, 2, nullptr, false);
  const Json mc = domain("MC", {4, 5, 6, 7}, {{4, 5}, {6, 7}}, {"SHARE_LLC", "PREFER_SIBLING"}, 117,
                         1, 4, nullptr, true);
  const Json numa = domain("NUMA", {0, 1, 2, 3, 4, 5, 6, 7}, {{4, 5, 6, 7}, {0, 1, 2, 3}},
                           {"NUMA", "SERIALIZE", "OVERLAP"}, 117, 2, 8, 1, true);
  const Json rows = {{{"name", "threads"}, {"cpu", 5}, {"domains", {smt, mc, numa}}},
                     {{"name", "one"}, {"cpu", 0}, {"domains", Json::array()}}};
  const ConformFile file = conform({write("t.json", rows.dump())}).at(0);
  EXPECT_EQ(file.kind, "topology");
  EXPECT_EQ(file.compared, 2);
  EXPECT_EQ(file.differing, 0) << file.first_difference;
}

TEST_F(Conform, LooksOnlyAtFilesThatCount) {
  write("README.txt", "nothing");
  write("machines.json", "nothing");
  write("notes.md", "nothing");
  EXPECT_THROW(conform({folder}), InputError);
  fs::create_directories(folder / "deep");
  write("deep/rows.csv", csv(kPostinitHeader, "x,1024,512,0,1,512"));
  const auto files = conform({folder});
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].kind, "postinit");
}

TEST_F(Conform, RecognisesAKindUnderAnyNameAndLineEnd) {
  std::string text = text_of(vectors() / "kernel/detach.csv");
  text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
  const ConformFile file = conform({write("pelt.txt", text)}).at(0);
  EXPECT_EQ(file.kind, "detach");
  EXPECT_EQ(file.differing, 0);
}

TEST_F(Conform, FindsOneChangedNumberInJson) {
  expect_one(with_json("pelt_primitives.json", "/decay/7/2", 4711), "decay[7]", "result");
  expect_one(with_json("pelt_primitives.json", "/segments/3/3", 4711), "segments[3]", "c");
  expect_one(with_json("pelt_primitives.json", "/inv_table/9", 4711), "inv_table[9]", "entry");
  expect_one(with_json("pelt_sequences.json", "/3/steps/17/util_sum", 4711), "step 17", "util_sum");
  expect_one(with_json("pelt_sequences.json", "/3/steps/17/ret", 2), "step 17", "ret");
  expect_one(with_json("new_task_util.json", "/200/init_util_before", 4711), "row 200",
             "init_util_before");
  expect_one(with_json("group_classify.json", "/rows/99/6", 3), "row 99", "type");
  expect_one(with_json("fork_dst_group.json", "/1/dst_v5_8", 1), "row 1 ", "dst_v5_8");
  expect_one(with_json("balance/find_dst_group_cpu.json", "/0/cpu", 3), "row 0 ", "cpu");
  expect_one(with_json("balance/find_dst_cpu.json", "/0/cpu", 3), "row 0 ", "cpu");
  expect_one(with_json("balance/find_dst_cpu.json", "/0/steps/1/picked", 1), "row 0 ",
             "steps/1/picked");
  expect_one(with_json("balance/find_dst_cpu.json", "/0/steps/1/group", {4, 5}), "row 0 ",
             "steps/1/group");
  const char* executed = "balance/topology_executed.json";
  expect_one(with_json(executed, "/1/v6_12/0/imbalance_pct", 116), "row 1 ", "imbalance_pct");
  expect_one(with_json(executed, "/1/v6_1/0/busy_factor", 32), "row 1 ", "busy_factor");
  expect_one(with_json(executed, "/1/v6_1/0/balance_interval_ms", 3), "v6_1",
             "balance_interval_ms");
  expect_one(with_json(executed, "/1/v6_1/0/level", "SMT"), "row 1 ", "level");
  expect_one(with_json(executed, "/11/v6_1", "same"), "row 11 ", "remote_group_share_cpucapacity");
  expect_one(with_json("topology.json", "/4/domains/1/imb_numa_nr", 2), "row 4 ", "imb_numa_nr");
  expect_one(with_json("topology.json", "/2/domains/0/groups", {{2}, {3}, {1}, {0}}), "row 2 ",
             "groups/2");
  expect_one(with_json("topology.json", "/5/domains/1/flags/3", "NUMA"), "row 5 ", "flags");
  const char* periodic = "balance/balance_domains.json";
  expect_one(with_json(periodic, "/1/result/domains/1/last_balance", 7), "row 1 ",
             "domains/1/last_balance");
  expect_one(with_json(periodic, "/1/result/next_balance", 7), "row 1 ", "next_balance");
  expect_one(with_json(periodic, "/1/result/balanced_levels", {0}), "row 1 ", "balanced_levels");
}

TEST_F(Conform, FindsOneChangedNumberOfABalancePass) {
  expect_one(with_json("lb_src_group.json", "/cases/3/imbalance", 974), "row 3: imbalance", "975");
  expect_one(with_json("lb_src_group.json", "/cases/3/src_group", 1), "row 3: ", "src_group");
  expect_one(with_json("lb_src_group.json", "/cases/3/migration_type", "load"),
             "row 3: ", "migration_type");
  expect_one(with_json("balance/find_src_rq.json", "/0/v6_1", 1), "row 0 ", "v6_1: CPU");
  expect_one(with_json("balance/should_we_balance.json", "/2/v6_12", 0), "row 2 ", "v6_12: result");
  const char* pass = "balance/balance_rq.json";
  expect_one(with_json(pass, "/3/v6_12/moved", 2), "row 3 ", "moved");
  expect_one(with_json(pass, "/3/v6_12/nr_balance_failed", 1), "row 3 ", "nr_balance_failed");
  expect_one(with_json(pass, "/3/v6_12/balance_interval", 6), "row 3 ", "balance_interval");
  expect_one(with_json(pass, "/3/v6_12/active_balance_from", 1), "row 3 ", "active_balance_from");
  expect_one(with_json(pass, "/3/v6_12/task_cpu/3", 1), "row 3 ", "task_cpu/3");
  const char* walk = "balance/newidle_flow.json";
  expect_one(with_json(walk, "/1/v6_12/domains/0/newidle_call", 596), "row 1 ", "newidle_call");
  expect_one(with_json(walk, "/1/v6_12/dice_used", 2), "row 1 ", "dice_used");
  expect_one(with_json(walk, "/1/v6_12/calls", Json::array()), "row 1 ", "number of calls");
  expect_one(with_json("newidle.json", "/costs/v6.17/9/0", 7), "events[9] v6.17", "max_newidle");
  expect_one(with_json("newidle.json", "/avg_idle/samples/3/1", 7), "avg_idle", "7 in the file");
}

// The second result of a row is another kernel's: taken for the first one's, it differs.
TEST_F(Conform, TellsV6_1FromV6_12InBalancing) {
  for (const auto& [name, row] : {std::pair{"should_we_balance", 45}, std::pair{"find_src_rq", 10},
                                  std::pair{"newidle_flow", 9}, std::pair{"balance_rq", 42}}) {
    const std::string pointer = "/" + std::to_string(row) + "/v6_1";
    expect_one(with_json("balance/" + std::string(name) + ".json", pointer, "same"),
               "row " + std::to_string(row), "v6_1: ");
  }
}

TEST_F(Conform, FindsOneChangedNumberInCsv) {
  expect_one(with_csv("kernel/pelt.csv", 1234, "util_sum1"), "row 1234", "util_sum1");
  expect_one(with_csv("kernel/pelt.csv", 12, "decayed"), "row 12 ", "decayed");
  expect_one(with_csv("kernel/attach.csv", 77, "s_load_sum1"), "row 77 ", "s_load_sum1");
  expect_one(with_csv("kernel/detach.csv", 501, "c_runnable_avg1"), "row 501 ", "c_runnable_avg1");
  expect_one(with_csv("kernel/postinit.csv", 40, "util_out"), "row 40 ", "util_out");
  expect_one(with_csv("kernel/postinit.csv", 40, "cap"), "row 40 ", "cap");
  expect_one(with_csv("kernel/groups.csv", 3, "group_type"), "row 3 ", "group_type");
  expect_one(with_csv("kernel/groups.csv", 3, "avg_load"), "row 3 ", "avg_load");
  expect_one(with_csv("kernel/placements.csv", 20, "idlest_first_cpu"), "row 20 ", "idlest");
  expect_one(with_csv("kernel/placements.csv", 20, "target_cpu"), "row 20 ", "target_cpu");
}

/// Two packages of two CPUs: a decision with two levels, groups of two CPUs at the upper one.
const std::string kTwoLevelGroups =
    "src,decision,sd,imbalance_pct,first_cpu,group_weight,group_type,idle_cpus,sum_nr_running,"
    "sum_h_nr_running,group_util,group_runnable,group_load,group_capacity,avg_load\n"
    "r,7,PKG,117,0,2,0,1,1,1,300,300,900,2048,0\n"
    "r,7,PKG,117,2,2,0,2,0,0,40,40,90,2048,0\n"
    "r,7,MC,117,3,1,0,1,0,0,40,40,90,1024,0\n"
    "r,7,MC,117,2,1,0,1,0,0,0,0,0,1024,0\n"
    "r,8,PKG,117,2,2,5,1,1,1,9,9,9,2048,0\n"
    "r,8,PKG,117,0,2,0,1,1,1,9,9,9,2048,0\n";
TEST_F(Conform, FollowsADecisionOverTwoLevels) {
  write("groups.csv", kTwoLevelGroups);
  const std::string header = kPlacementsHeader;
  const auto differing = [&](const std::string& rows) {
    const ConformFile file = conform({write("placements.csv", header + rows)}).at(0);
    EXPECT_EQ(file.compared, std::count(rows.begin(), rows.end(), '\n'));
    return file.differing;
  };
  EXPECT_EQ(differing("r,7,0,1,PKG,2,0,3,0\nr,7,1,3,MC,2,0,3,0\n"), 0);
  EXPECT_EQ(differing("r,7,0,1,PKG,0,0,3,0\nr,7,1,3,MC,2,0,3,0\n"), 1);
  EXPECT_EQ(differing("r,7,1,3,MC,2,0,2,0\n"), 1) << "equally idle: the local CPU is kept";
  EXPECT_EQ(differing("r,7,1,0,PKG,2,0,3,0\n"), 0) << "any CPU of the chosen group may be it";
  EXPECT_EQ(differing("r,7,1,0,PKG,2,0,1,0\n"), 1);
  EXPECT_EQ(differing("r,8,1,2,PKG,0,0,1,0\n"), 0) << "an imbalanced local group sends it away";
  EXPECT_EQ(conform({folder / "groups.csv"}).at(0).differing, 0);
}

TEST_F(Conform, AppliesTheTieRuleOfTheRow) {
  write("groups.csv", kTwoLevelGroups + "r,9,MC,117,0,1,0,0,1,1,9,9,9,1024,0\n" +
                          "r,9,MC,117,1,1,0,1,0,0,50,9,9,1024,0\n" +
                          "r,9,MC,117,2,1,0,1,0,0,40,9,9,1024,0\n");
  const auto rows = kPlacementsHeader + "r,9,1,0,MC,2,0,2,0\nr,9,1,0,MC,1,1,1,0\n";
  EXPECT_EQ(conform({write("placements.csv", rows)}).at(0).differing, 0);
  const auto swapped = kPlacementsHeader + "r,9,1,0,MC,1,0,1,0\nr,9,1,0,MC,2,1,2,0\n";
  EXPECT_EQ(conform({write("placements.csv", swapped)}).at(0).differing, 2);
}

TEST_F(Conform, SkipsAPlacementWithoutItsGroups) {
  write("groups.csv", kTwoLevelGroups);
  const auto path = write("placements.csv", kPlacementsHeader + "r,6,1,0,MC,2,0,2,0\n");
  const ConformFile file = conform({path}).at(0);
  EXPECT_EQ(file.skipped, 1);
  EXPECT_THAT(file.skipped_rows, testing::ElementsAre(HasSubstr("decision 6")));
}

TEST(RunConform, PrintsJsonAndTellsByItsStatusWhetherAnythingDiffers) {
  const std::string file = (vectors() / "kernel/postinit.csv").string();
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_conform({file}, true), 0);
  const Json object = Json::parse(testing::internal::GetCapturedStdout());
  const Json& entry = object.at("files").at(0);
  EXPECT_EQ(entry.at("file"), file);
  EXPECT_EQ(entry.at("kind"), "postinit");
  EXPECT_EQ(entry.at("compared"), 1208);
  EXPECT_EQ(entry.at("differing"), 0);
  EXPECT_EQ(entry.at("skipped"), 0);
  EXPECT_TRUE(entry.at("first_difference").is_null());
  EXPECT_TRUE(entry.at("skipped_rows").empty());
}

TEST(RunConform, PrintsATableWithTheFirstDifference) {
  const fs::path path =
      fs::temp_directory_path() / ("schedcheck-run-conform-" + std::to_string(getpid()) + ".csv");
  std::ofstream(path) << csv(kPostinitHeader, "x,1024,512,0,1,511");
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_conform({path.string()}, false), 1);
  const std::string table = testing::internal::GetCapturedStdout();
  EXPECT_THAT(table, HasSubstr("util_out: 511 in the file, 512 in the model"));
  EXPECT_THAT(table, HasSubstr("1 rows of 1 files compared, 1 differ, 0 skipped"));
  fs::remove(path);
}

}  // namespace
}  // namespace schedcheck
