// SPDX-License-Identifier: Apache-2.0
/// \file
/// conform() on the vectors of the fair class: shares, ends of slices, virtual time, picks.

#include "tests/counterexamples/conform_fixture.hpp"

namespace schedcheck {
namespace {

class ConformFair : public Conform {
 protected:
  /// How many rows of a vector file agree; all must.
  static std::int64_t agreeing(const std::string& file) {
    const ConformFile result = conform({vectors() / file}).at(0);
    EXPECT_EQ(result.differing, 0) << result.first_difference;
    EXPECT_EQ(result.skipped, 0);
    return result.compared;
  }
  /// The message that a file gives with `value` at `pointer`.
  std::string message_with(const std::string& file, const std::string& pointer, const Json& value) {
    Json document = Json::parse(text_of(vectors() / file));
    document.at(Json::json_pointer(pointer)) = value;
    return message("a.json", document.dump());
  }
};

TEST_F(ConformFair, SharesOfGroupsAgree) {
  EXPECT_EQ(agreeing("group_shares.json"), 200);
  expect_one(with_json("group_shares.json", "/rows/7/5", 4711), "row 7:", "result_group_se_weight");
}

TEST_F(ConformFair, EndsOfSlicesAgreeUnderEveryRule) {
  EXPECT_EQ(agreeing("slice_end_resched.json"), 72);
  const char* rules[] = {"v6_6_to_6_11", "85e511df3cec", "fixed_d4ac164bde7a", "v6_17"};
  // Row 71: everything holds; row 0: nothing does.
  for (int rule = 0; rule < 4; ++rule) {
    const std::string column = "/" + std::to_string(5 + rule);
    expect_one(with_json("slice_end_resched.json", "/rows/71" + column, 0), "row 71:", rules[rule]);
    expect_one(with_json("slice_end_resched.json", "/rows/0" + column, 1), "row 0:", rules[rule]);
  }
}

TEST_F(ConformFair, VirtualTimeAndWeightsOfNiceValuesAgree) {
  EXPECT_EQ(agreeing("pelt_primitives.json"), 126 + 36 + 301 + 32 + 40 + 40);
  const auto changed = [&](const std::string& pointer) {
    return with_json("pelt_primitives.json", pointer, 4711);
  };
  expect_one(changed("/calc_delta_fair/77/2"), "calc_delta_fair[77]", "result");
  expect_one(changed("/weights/20"), "weights[20]", "entry");
  expect_one(changed("/wmult_precomputed/3"), "wmult_precomputed[3]", "entry");
}

TEST_F(ConformFair, EveryPickAndEveryVirtualTimeAgrees) {
  EXPECT_EQ(agreeing("eevdf_pick.json"), 6314);
  // Scenario 6 sleeps at event 5 and wakes at event 11; B of event 2 is its second state.
  const auto changed = [&](const std::string& pointer, const Json& value) {
    return with_json("eevdf_pick.json", "/6/events" + pointer, value);
  };
  const std::string where = "sleep/wake with lag 2000000 ns";
  const char* words[] = {"vruntime", "deadline", "vlag", "on_rq", "delayed", "eligible"};
  for (int word = 0; word < 6; ++word)
    expect_one(changed("/2/3/1/" + std::to_string(word + 1), 4711), where,
               std::string("B ") + words[word]);
  expect_one(changed("/2/2", "C"), where, "picked: C in the file, B in the model");
  expect_one(changed("/1/0", "tick+resched->pick"), "1000000 ns", "event: tick+resched->pick");
  expect_one(changed("/11/2", "no resched"), "wake C", "flag: no resched in the file");
}

// No scenario depends on RUN_TO_PARITY or PLACE_REL_DEADLINE.
TEST_F(ConformFair, ScenariosDependOnTheFeaturesTheyName) {
  const auto differing = [&](int scenario, const char* feature, int value) {
    const std::string at = "/" + std::to_string(scenario) + "/features";
    return with_json("eevdf_pick.json", at, {{feature, value}}).differing;
  };
  EXPECT_GT(differing(3, "PREEMPT_SHORT", 0), 0);
  EXPECT_GT(differing(6, "DELAY_DEQUEUE", 0), 0);
  EXPECT_GT(differing(6, "DELAY_ZERO", 0), 0);
  EXPECT_GT(differing(6, "PLACE_LAG", 0), 0);
  EXPECT_GT(differing(11, "PLACE_LAG", 1), 0);
  EXPECT_EQ(differing(6, "PLACE_LAG", 1), 0) << "a feature that is on already changes nothing";
}

TEST_F(ConformFair, RefusesScenariosThatMakeNoSense) {
  const auto at = [&](const std::string& pointer, const Json& value) {
    return message_with("eevdf_pick.json", pointer, value);
  };
  EXPECT_THAT(at("/0/features", {{"COFFEE", 1}}), HasSubstr("at /0/features: feature 'COFFEE'"));
  EXPECT_THAT(at("/0/tasks", Json::array()), HasSubstr("at /0/tasks: 1 to 64 tasks"));
  EXPECT_THAT(at("/0/tasks/1/name", "A"), HasSubstr("at /0/tasks/1: the name is used twice"));
  EXPECT_THAT(at("/2/tasks/1/nice", 20), HasSubstr("at /2/tasks/1/nice"));
  EXPECT_THAT(at("/0/tick_ns", 0), HasSubstr("at /0/tick_ns"));
  EXPECT_THAT(at("/0/events/2/1", 0), HasSubstr("at /0/events/2/1"));
  EXPECT_THAT(at("/0/events/2/0", "sneeze"), HasSubstr("at /0/events/2: unknown event 'sneeze'"));
  EXPECT_THAT(at("/0/events/2/0", "wake Z"), HasSubstr("at /0/events/2: task 'Z' is unknown"));
  EXPECT_THAT(at("/0/events/0/0", "sleep_current->pick"), HasSubstr("nothing runs"));
  EXPECT_THAT(at("/0/events/0/3/0", {"A", 1}), HasSubstr("at /0/events/0/3/0: a list of 7"));
  EXPECT_THAT(at("/0/events/0/3/0/6", nullptr), HasSubstr("at /0/events/0/3/0/6"));
}

TEST_F(ConformFair, RefusesTablesThatMakeNoSense) {
  EXPECT_THAT(message_with("group_shares.json", "/columns/1", "weight"),
              HasSubstr("at /columns: column 'grq_load_weight(unscaled)'"));
  EXPECT_THAT(message_with("group_shares.json", "/rows/3", {1, 2}),
              HasSubstr("at /rows/3: a list"));
  EXPECT_THAT(message_with("group_shares.json", "/rows/0/3", 9), HasSubstr("at /rows/0: grq_tg"));
  EXPECT_THAT(message_with("group_shares.json", "/rows/0/0", -1), HasSubstr("at /rows/0/0"));
  EXPECT_THAT(message_with("slice_end_resched.json", "/rows/5/2", 2), HasSubstr("at /rows/5/2"));
  EXPECT_THAT(message_with("slice_end_resched.json", "/rows/5/3", 0), HasSubstr("at /rows/5/3"));
  EXPECT_THAT(message_with("slice_end_resched.json", "/rows/5/8", "no"), HasSubstr("at /rows/5/8"));
  EXPECT_THAT(message_with("slice_end_resched.json", "/rows", 5), HasSubstr("at /rows: a list"));
  EXPECT_THAT(message_with("pelt_primitives.json", "/calc_delta_fair/2/1", 0),
              HasSubstr("at /calc_delta_fair/2/1"));
  EXPECT_THAT(message_with("pelt_primitives.json", "/weights", {1, 2}),
              HasSubstr("at /weights: a list of 40"));
}

}  // namespace
}  // namespace schedcheck
