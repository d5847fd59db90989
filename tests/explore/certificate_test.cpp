// SPDX-License-Identifier: Apache-2.0
/// \file Kept schedules that carry a certificate are certified again, with the same counts; a
/// schedule that is not shortest gets none for itself.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/certify.hpp"
#include "counterexamples/schedule_json.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

Schedule kept(const std::string& name) {
  const std::string path = SCHEDCHECK_SOURCE_DIR "/counterexamples/found/" + name + ".json";
  return schedule_from_json(text_of(path), path);
}

TEST(Certificates, KeptOnesAreFoundAgainWithTheSameCounts) {
  constexpr std::int64_t kQuick = 1'000'000;  // Transitions.
  int certified = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(SCHEDCHECK_SOURCE_DIR "/counterexamples/found")) {
    const Schedule schedule = schedule_from_json(text_of(entry.path()), entry.path().string());
    if (!schedule.finding->certificate) continue;
    if (schedule.finding->certificate->counts.at("transitions") > kQuick) continue;
    ++certified;
    Schedule again = schedule;
    std::string text;
    EXPECT_EQ(cli::certify_shortest(again, property_index(schedule.finding->property), text),
              schedule.finding->certificate)
        << entry.path() << ": " << text;
    EXPECT_EQ(again.events, schedule.events);
  }
  EXPECT_GE(certified, 5);
}

TEST(Certificates, ALongerScheduleIsReplacedByAShortestOne) {
  Schedule longer = kept("fork-burst-spreads-v5.8");
  const std::size_t shortest = longer.events.size();
  longer.events.insert(longer.events.begin(), {.kind = EventKind::kUpdateBlocked, .cpu = 1});
  std::string text;
  const auto certificate =
      cli::certify_shortest(longer, property_index("fork-burst-spreads"), text);
  ASSERT_TRUE(certificate);
  EXPECT_EQ(longer.events.size(), shortest);
  EXPECT_EQ(certificate->counts.at("depth"), static_cast<std::int64_t>(shortest) - 1);
}

TEST(Certificates, SurviveReadingAndWritingAndBelongToTheirClaim) {
  Schedule schedule = kept("fork-burst-spreads-v5.8");
  schedule.finding->minimality = "certified shortest";
  schedule.finding->certificate = Certificate{"explore", "words", {{"depth", 2}, {"states", 7}}};
  EXPECT_EQ(schedule_from_json(to_json(schedule), "x"), schedule);
  schedule.finding->minimality = "one-minimal";
  EXPECT_THROW((void)schedule_from_json(to_json(schedule), "x"), InputError);
  schedule.finding->minimality = "certified shortest";
  schedule.finding->certificate->counts["states"] = -1;
  EXPECT_THROW((void)schedule_from_json(to_json(schedule), "x"), InputError);
}

}  // namespace
}  // namespace schedcheck
