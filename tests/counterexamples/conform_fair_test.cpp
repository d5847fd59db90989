// SPDX-License-Identifier: Apache-2.0
/// \file
/// conform() on the vectors of the fair class: shares, ends of slices, virtual time.

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
