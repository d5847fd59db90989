// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exported C files: the compiler accepts them without a warning, they run here to the end, and
/// scripts contain the same program.
#include "tests/support/exported_file.hpp"

namespace schedcheck {
namespace {

using testing::HasSubstr;

class ExportC : public ExportedFile {
 protected:
  /// Compiles `source` and runs it.
  Result run_program(const std::string& source) {
    const std::string file = write("run.c", source);
    const std::string binary = dir / "run";
    return shell("gcc -O2 -Wall -Wextra -Werror -o " + binary + " " + file + " && timeout 20 " +
                 binary);
  }
};

TEST_F(ExportC, CompilesWithoutAWarningAndRunsEveryFoundSchedule) {
  if (!have("gcc")) GTEST_SKIP() << "gcc is not installed";
  std::vector<Schedule> schedules = found_schedules();
  ASSERT_GE(schedules.size(), 6U);
  schedules.push_back(sleeper());
  schedules.push_back(Schedule{});
  for (const Schedule& schedule : schedules) {
    const Result result = run_program(export_c(schedule));
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("\noutcome: "));
    EXPECT_THAT(result.output, testing::Not(HasSubstr("not done")));
  }
}

TEST_F(ExportC, RunsFindingsOfTheFairClassAndRefusesThoseWithCgroups) {
  if (!have("gcc")) GTEST_SKIP() << "gcc is not installed";
  int ran = 0;
  int refused = 0;
  for (const Schedule& schedule : found_schedules(/*round_robin=*/false)) {
    if (const std::string why = refusal(schedule, "c"); why != "accepted") {
      EXPECT_THAT(why, HasSubstr("cannot be expressed"));
      ++refused;
      continue;
    }
    const Result result = run_program(export_c(schedule));
    EXPECT_EQ(result.status, 0) << result.output;
    ++ran;
  }
  EXPECT_GE(ran, 2);
  EXPECT_GE(refused, 2);
}

TEST_F(ExportC, DoesTheEventsOfTheFairAndRtClasses) {
  if (!have("gcc")) GTEST_SKIP() << "gcc is not installed";
  std::string source = export_c(sleeper());
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(source.find(from), std::string::npos) << source;
    source.replace(source.find(from), from.size(), to);
  };
  replace("event 2 1000000 set_affinity 0 -1", "event 2 1000000 yield 0 -1");
  replace("event 3 1000000 block 0 -1", "event 3 1000000 setsid 0 -1");
  replace("event 7 8000000 wake 0 -1", "event 7 8000000 set_nice 0 5");
  replace("event 8 8000000 block 1 -1", "event 8 8000000 set_policy 1 0");
  const Result result = run_program(source);
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_THAT(result.output, testing::Not(HasSubstr("not done")));
  replace("set_nice 0 5", "set_mood 0 5");
  const Result unknown = run_program(source);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.output, "set_mood: this program cannot do such an event\n");
}

TEST_F(ExportC, IsTheProgramInsideTheScript) {
  const std::string source = export_c(sleeper());
  const std::string program = source.substr(source.find("/* machine CPUS"));
  EXPECT_THAT(export_sh(sleeper()), HasSubstr("HELPER_C'\n" + program + "HELPER_C\n"));
}

TEST_F(ExportC, SaysWhatItShowsAndWhatItCannotExpress) {
  for (const Schedule& schedule : found_schedules()) {
    const std::string source = export_c(schedule);
    for (const char* text : {"//   property   ", "// The published benchmark that shows the same\n",
                             "// What it cannot express\n"})
      EXPECT_THAT(source, HasSubstr(text));
  }
}

TEST_F(ExportC, RefusesBadOptionsWithStatus2) {
  if (!have("gcc")) GTEST_SKIP() << "gcc is not installed";
  ASSERT_EQ(run_program(export_c(Schedule{})).status, 0);
  for (const char* options : {"--bogus", "--scale", "--scale 0", "--scale 1x", "--cgroup /no/such"})
    EXPECT_EQ(shell((dir / "run ").string() + options).status, 2) << options;
}

}  // namespace
}  // namespace schedcheck
