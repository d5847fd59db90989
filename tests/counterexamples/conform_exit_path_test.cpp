// SPDX-License-Identifier: Apache-2.0
/// \file
/// conform() on the tables and the spawn loop of the exit path, with and without groups.

#include "tests/counterexamples/conform_fixture.hpp"

namespace schedcheck {
namespace {

class ConformExitPath : public Conform {
 protected:
  static Json file() { return Json::parse(text_of(vectors() / "exit_path.json")); }
  /// A file with one table only, under another name.
  Json renamed(const std::string& from, const std::string& to) { return {{to, file().at(from)}}; }
};

TEST_F(ConformExitPath, EveryStepAgreesInTheRootAndInAGroup) {
  const ConformFile result = conform({vectors() / "exit_path.json"}).at(0);
  EXPECT_EQ(result.compared, 67 + 56 + 4 * 21);
  EXPECT_EQ(result.differing, 0) << result.first_difference;
  EXPECT_EQ(result.skipped, 0);
}

TEST_F(ConformExitPath, FindsOneChangedNumberOfATable) {
  const std::string table = "S1_one_child_500units_depth0_move1";
  expect_one(with_json("exit_path.json", "/" + table + "/1/1/child_util_sum", 4711), "step 1",
             "child_util_sum");
  const std::string root_cfs_rq = "/" + table + "/3/1/root";
  expect_one(with_json("exit_path.json", root_cfs_rq + "/util_avg", 4711), "step 3",
             "root/util_avg");
}

TEST_F(ConformExitPath, TellsTheLeafFromTheRootInAGroup) {
  const std::string end = "/S2_eight_children_100units_depth1_move0/16/1/";
  expect_one(with_json("exit_path.json", end + "leaf/load_sum", 280358), "step 16",
             "leaf/load_sum");
  expect_one(with_json("exit_path.json", end + "root/load_sum", 16), "step 16", "root/load_sum");
  const std::string dead = "/S1b_move_then_100units_depth1_move1/2/1/";
  expect_one(with_json("exit_path.json", dead + "removed_util", 518), "step 2", "removed_util");
}

TEST_F(ConformExitPath, FindsOneChangedNumberOfTheSpawnLoop) {
  for (const std::string depth : {"depth0", "depth1"}) {
    const std::string loop = "/S3_spawn_loop/root_util_avg_at_each_fork/" + depth + "_move0/";
    const auto changed = [&](const std::string& pointer, const Json& value) {
      return with_json("exit_path.json", loop + pointer, value);
    };
    expect_one(changed("samples/50", 4711), depth + "_move0", "samples/50");
    expect_one(changed("first_fork_with_util_ge_876", 377), depth + "_move0", "first_fork");
    expect_one(changed("mean_last_100", 865.18), depth + "_move0", "mean_last_100");
  }
}

TEST_F(ConformExitPath, SeesWhetherTheMoveWasMade) {
  const auto table = [](const std::string& depth, const std::string& move) {
    return "S1_one_child_500units_" + depth + "_move" + move;
  };
  for (const std::string depth : {"depth0", "depth1"}) {
    Json moved = renamed(table(depth, "1"), table(depth, "0"));
    moved.begin()->erase(1);
    const ConformFile result = conform({write("moved.json", moved.dump())}).at(0);
    EXPECT_EQ(result.differing, 2);
    EXPECT_THAT(result.first_difference, HasSubstr("exit_move=none"));
  }
}

TEST_F(ConformExitPath, RefusesNamesAndStepsThatMakeNoSense) {
  const std::string child = "S1_one_child_500units_depth1_move0";
  for (const std::string name :
       {"S1_one_child_500units_depth9_move0", "S1_one_child_500units_depthx_move0",
        "S1_one_child_500units_depth1_move2", "S1_one_child_units_depth1_move0",
        "S0_busy_cpu_500units_depth1_move0"})
    EXPECT_THAT(message("a.json", renamed(child, name).dump()), HasSubstr("at /" + name));
  Json steps = file();
  steps[child][1][0] = "gone";
  EXPECT_THAT(message("a.json", steps.dump()), HasSubstr("at /" + child + "/1: the step 'dead'"));
  steps = file();
  steps[child][1][1]["colour"] = 1;
  EXPECT_THAT(message("a.json", steps.dump()), HasSubstr("number 'colour' is unknown"));
  Json loop = file();
  Json& results = loop["S3_spawn_loop"]["root_util_avg_at_each_fork"];
  results["deep_move0"] = results["depth1_move0"];
  EXPECT_THAT(message("a.json", loop.dump()), HasSubstr("deep_move0"));
}

}  // namespace
}  // namespace schedcheck
