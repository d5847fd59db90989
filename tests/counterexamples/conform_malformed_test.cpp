// SPDX-License-Identifier: Apache-2.0
/// \file
/// conform() on files that are broken in one place each: the message is one line with the place.

#include "tests/counterexamples/conform_fixture.hpp"

namespace schedcheck {
namespace {

class ConformMalformed : public Conform {};

TEST_F(ConformMalformed, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(conform({folder / "missing.json"}), InputError);
  EXPECT_THAT(message("a.json", R"({"format":"schedcheck/schedule"})"), HasSubstr("no known kind"));
  EXPECT_THAT(message("a.csv", "x,y\n1,2\n"), HasSubstr("no known kind"));
  EXPECT_THAT(message("a.txt", "some words\nmore\n"), HasSubstr("no known kind"));
  EXPECT_THAT(message("b.json", "3"), HasSubstr("no known kind"));
  EXPECT_THAT(message("c.json", "[]"), HasSubstr("no known kind"));
  const auto alone = kPlacementsHeader + "r,7,1,0,MC,2,0,2,0\n";
  EXPECT_THAT(message("placements.csv", alone), HasSubstr("groups.csv"));
}

TEST_F(ConformMalformed, NamesTheLineOfMalformedCsv) {
  const std::string& header = kPostinitHeader;
  EXPECT_THAT(message("a.csv", ""), HasSubstr("a.csv:1: the file is empty"));
  EXPECT_THAT(message("a.csv", header + "\n"), HasSubstr("a.csv:2: there is no row"));
  EXPECT_THAT(message("a.csv", csv(header, "x,1024,512,0,1")), HasSubstr("a.csv:2: 5 columns"));
  EXPECT_THAT(message("a.csv", csv(header, "x,1024,512,0,1,512,9")),
              HasSubstr("a.csv:2: 7 columns"));
  EXPECT_THAT(message("a.csv", csv(header, "x,1024,512,0,1,512\n")), HasSubstr("a.csv:3: 1 col"));
  EXPECT_THAT(message("a.csv", csv(header, "x,heavy,512,0,1,512")), HasSubstr("'weight'"));
  EXPECT_THAT(message("a.csv", csv(header, "x,1024,512,0,1,5.5")), HasSubstr("'util_out'"));
  EXPECT_THAT(message("a.csv", csv(header, "x,1024,512,-1,1,512")), HasSubstr("'cfs_util'"));
  EXPECT_THAT(message("a.csv", csv(header, "x,1024,512,0,99999999999999999999,512")),
              HasSubstr("'cfs_load'"));
  EXPECT_THAT(message("a.csv", csv("src,weight,cfs_util,cfs_load,util_out", "x,1024,0,1,512")),
              HasSubstr("a.csv:1: column 'cap' is missing"));
  std::string pelt = text_of(vectors() / "kernel/pelt.csv");
  pelt.replace(pelt.find(",cfs,"), 5, ",rt,");
  EXPECT_THAT(message("a.csv", pelt), HasSubstr("a.csv:2: column 'kind'"));
}

TEST_F(ConformMalformed, NamesTheLineOfWhatIsNotJson) {
  EXPECT_THAT(message("a.json", "{\n \"decay\": [[1,2,3]\n"), HasSubstr("a.json:"));
  EXPECT_THAT(message("a.json", "[\n{\"cfs_util\":1,\n\"cfs_load\":}]"), HasSubstr("a.json:3"));
  EXPECT_THAT(message("a.json", "cfs_util"), HasSubstr("a.json:1"));
}

TEST_F(ConformMalformed, NamesThePointerInMalformedJson) {
  const auto util = [&](const std::string& members) {
    const std::string common = R"("cfs_util":0,"cfs_load":0,"weight":1024,"init_util_v6_10":512)";
    return message("a.json", "[{" + common + members + "}]");
  };
  EXPECT_THAT(util(""), HasSubstr("at /0: key 'init_util_before' is missing"));
  EXPECT_THAT(util(R"(,"init_util_before":"512")"), HasSubstr("at /0/init_util_before"));
  EXPECT_THAT(util(R"(,"init_util_before":-512)"), HasSubstr("at /0/init_util_before"));
  EXPECT_THAT(util(R"(,"init_util_before":512.5)"), HasSubstr("at /0/init_util_before"));
  EXPECT_THAT(util(R"(,"init_util_before":18446744073709551615)"),
              HasSubstr("18446744073709551615"));
  const auto primitives = [&](const std::string& decay) {
    return message("a.json", R"({"decay":)" + decay + R"(,"segments":[]})");
  };
  EXPECT_THAT(primitives("5"), HasSubstr("at /decay: a list is expected"));
  EXPECT_THAT(primitives("[[1,2]]"), HasSubstr("at /decay/0: a list of 3"));
  EXPECT_THAT(primitives("[[-1,2,3]]"), HasSubstr("at /decay/0/0"));
  EXPECT_THAT(message("a.json", R"({"columns":["imbalance_pct"],"rows":[[117]]})"),
              HasSubstr("at /columns: column 'group_capacity'"));
  EXPECT_THAT(message("a.json", R"({"S9_x_depth0_move0":[]})"), HasSubstr("no known kind"));
  EXPECT_THAT(message("a.json", R"({"S1_x_depth0_move0":[]})"), HasSubstr("at /S1_x_depth0_move0"));
}

TEST_F(ConformMalformed, RefusesMachinesThatMakeNoSense) {
  Json walk = Json::parse(text_of(vectors() / "balance/find_dst_cpu.json"));
  walk[2]["levels"][0]["spans"][1] = {0, 1};
  EXPECT_THAT(message("a.json", walk.dump()), HasSubstr("at /2/levels/0/spans/1"));
  Json group = Json::parse(text_of(vectors() / "balance/find_dst_group_cpu.json"));
  group[1]["group"] = {0, 0};
  EXPECT_THAT(message("a.json", group.dump()), HasSubstr("at /1/group/1"));
  group[1]["group"] = {0, 63};
  EXPECT_THAT(message("a.json", group.dump()), HasSubstr("at /1/group"));
}

TEST_F(ConformMalformed, RefusesBalancePassesThatMakeNoSense) {
  const auto refusal = [&](const char* file, const char* pointer, const Json& value) {
    Json document = Json::parse(text_of(vectors() / file));
    document.at(Json::json_pointer(pointer)) = value;
    return message("a.json", document.dump());
  };
  const char* pass = "balance/balance_rq.json";
  EXPECT_THAT(refusal(pass, "/0/domain/groups", Json::array()), HasSubstr("at /0/domain/groups"));
  EXPECT_THAT(refusal(pass, "/0/domain/groups/1", {9}), HasSubstr("at /0/domain/groups/1"));
  EXPECT_THAT(refusal(pass, "/0/this_cpu", 4), HasSubstr("at /0/this_cpu"));
  EXPECT_THAT(refusal(pass, "/0/cpus/2/nr_running", 2), HasSubstr("at /0/cpus/2"));
  EXPECT_THAT(refusal(pass, "/0/cpus/2/cpu", 1), HasSubstr("at /0/cpus/2"));
  EXPECT_THAT(refusal(pass, "/0/idle_type", "busy"), HasSubstr("not_idle, idle or newly_idle"));
  EXPECT_THAT(refusal(pass, "/0/domain/max_interval", 9), HasSubstr("twice min_interval"));
  EXPECT_THAT(refusal("balance/find_src_rq.json", "/0/migration", "load"), HasSubstr("migrate_lo"));
  EXPECT_THAT(refusal("lb_src_group.json", "/cases/0/rows", Json::array()),
              HasSubstr("at /cases/0/rows"));
  EXPECT_THAT(refusal("balance/newidle_flow.json", "/1/dice", Json::array()),
              HasSubstr("at /1/dice: more numbers"));
  EXPECT_THAT(refusal("newidle.json", "/repeated_failure/0/version", "v6"), HasSubstr("v6.19"));
}

}  // namespace
}  // namespace schedcheck
