// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exported pages: the data in them is the replay's, nothing in a schedule is read as markup, no
/// other file is needed, and a browser shows them without a message on its console.
#include <nlohmann/json.hpp>

#include "counterexamples/replay.hpp"
#include "tests/support/exported_file.hpp"

namespace schedcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

class ExportHtml : public ExportedFile {
 protected:
  static nlohmann::json data_of(const std::string& page) {
    const std::string open = "id=\"data\">";
    const std::size_t at = page.find(open) + open.size();
    return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
  }
  static std::vector<Schedule> all_found() {
    std::vector<Schedule> all = found_schedules();
    for (const Schedule& schedule : found_schedules(/*round_robin=*/false)) all.push_back(schedule);
    return all;
  }
  static std::string browser() {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
      if (have(name)) return name;
    return "";
  }
  /// What the page is after its script ran, and what the console said.
  Result open_page(const std::string& page) {
    const std::string file = write("page.html", page);
    return shell("HOME=" + dir.string() + " timeout 60 " + browser() +
                 " --headless --no-sandbox --disable-gpu --virtual-time-budget=2000"
                 " --enable-logging=stderr --dump-dom file://" +
                 file + " 2> " + (dir / "log").string() + "; grep -E 'CONSOLE|Uncaught' " +
                 (dir / "log").string());
  }
};

TEST_F(ExportHtml, HasEveryStepWithItsNumbersAndTheViolation) {
  for (const Schedule& schedule : all_found()) {
    const nlohmann::json data = data_of(export_html(schedule));
    const nlohmann::json& steps = data["sides"][0]["steps"];
    ASSERT_EQ(steps.size(), schedule.events.size());
    EXPECT_EQ(data["violated"], schedule.finding->event);
    const auto number = static_cast<std::size_t>(schedule.finding->event);
    EXPECT_THAT(steps[number - 1]["violated"].dump(), HasSubstr(schedule.finding->property));
    EXPECT_EQ(data["texts"]["schedule"], to_json(schedule));
  }
}

TEST_F(ExportHtml, ShowsBesideItAKernelOnWhichNothingIsViolated) {
  int pairs = 0;
  for (const Schedule& schedule : all_found()) {
    const nlohmann::json data = data_of(export_html(schedule));
    if (data["sides"].size() < 2) continue;
    ++pairs;
    const auto event = static_cast<std::size_t>(schedule.finding->event);
    const nlohmann::json& steps = data["sides"][1]["steps"];
    for (std::size_t i = 0; i < std::min(event, steps.size()); ++i)
      EXPECT_TRUE(steps[i]["violated"].empty()) << schedule.finding->property;
  }
  EXPECT_GE(pairs, 8);
}

TEST_F(ExportHtml, TakesNothingOfAScheduleForMarkupAndNeedsNoOtherFile) {
  Schedule schedule = all_found().front();
  schedule.finding->engine = "</script><script>alert(1)</script><!-- \xff";
  const std::string page = export_html(schedule);
  EXPECT_THAT(page, Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>\\u003cscript>alert(1)"));
  EXPECT_EQ(std::string::npos, page.find("src="));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/2000/svg"));
  EXPECT_EQ(page.find("https://"), std::string::npos);
}

TEST_F(ExportHtml, IsShownByABrowserAndGoesBackByTheKeyboard) {
  if (browser().empty()) GTEST_SKIP() << "no chromium";
  for (const Schedule& schedule : all_found()) {
    if (schedule.finding->property != "no-ghost-busy") continue;
    std::string page = export_html(schedule);
    const Result shown = open_page(page);
    EXPECT_THAT(shown.output, HasSubstr("Violated: no-ghost-busy"));
    EXPECT_THAT(shown.output, HasSubstr("10 of 10: fork task 3"));
    EXPECT_THAT(shown.output, Not(HasSubstr("CONSOLE")));
    page.insert(page.rfind("</body>"),
                "<script>document.body.dispatchEvent(new KeyboardEvent('keydown',"
                "{key:'ArrowLeft',bubbles:true}))</script>");
    const Result back = open_page(page);
    EXPECT_THAT(back.output, HasSubstr("9 of 10: fork task 3"));
    EXPECT_THAT(back.output, Not(HasSubstr("CONSOLE")));
    page.insert(page.rfind("</body>"), "<script>nothing_like_this()</script>");
    EXPECT_THAT(open_page(page).output, HasSubstr("CONSOLE"));
  }
}

}  // namespace
}  // namespace schedcheck
