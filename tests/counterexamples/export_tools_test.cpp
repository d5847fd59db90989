// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exports for rt-app and bpftrace: what they cannot express is refused by name, and the real tools
/// run them here; a trace shows the forks and wakeups that the file promises.
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/exported_file.hpp"

namespace schedcheck {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
namespace fs = std::filesystem;

/// A private tracefs instance; `works` is false where there is none.
class Trace {
 public:
  Trace() : instance_(fmt::format("/sys/kernel/tracing/instances/export-test-{}", getpid())) {
    std::error_code error;
    works = geteuid() == 0 && fs::create_directory(instance_, error);
    for (const char* name : {"waking", "process_fork", "process_exit"})
      std::ofstream(instance_ / "events/sched" / fmt::format("sched_{}", name) / "enable") << 1;
  }
  ~Trace() {
    std::error_code error;
    if (works) fs::remove(instance_, error);
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::ofstream(instance_ / "tracing_on") << 0;
    std::ifstream in(instance_ / "trace");
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
  bool works = false;

 private:
  fs::path instance_;
};

/// `h` among the flags. Of wakeups only sched_waking tells timers apart: sched_wakeup may come in
/// an interrupt that a waker on another CPU sent.
bool in_interrupt(const std::string& line) {
  const std::size_t flags = line.find("] ");
  return line.substr(flags + 2, 5).find_first_of("hH") != std::string::npos;
}
bool has(const std::string& line, const std::string& text) {
  return line.find(text) != std::string::npos;
}

class ExportRtApp : public ExportedFile {};

TEST_F(ExportRtApp, RunsAndGivesTheForksAndWakeupsThatItPromises) {
  if (!have("rt-app")) GTEST_SKIP() << "rt-app is not installed";
  std::vector<Schedule> schedules = found_schedules();
  schedules.push_back(sleeper());
  int run_here = 0;
  for (const Schedule& schedule : schedules) {
    if (refusal(schedule, "rt-app-1.0") != "accepted") continue;
    const std::string text = export_rt_app_1_0(schedule);
    const Json promises = Json::parse(text).at("schedcheck").at("promises");
    const std::string file = write("run.json", text);
    const Trace trace;
    const Result result = shell("cd " + dir.string() + " && timeout 20 rt-app " + file);
    EXPECT_EQ(result.status, 0) << result.output;
    ++run_here;
    if (!trace.works) continue;
    std::map<std::string, int> wakeups;
    std::set<std::string> children;
    int exits = 0;
    for (const std::string& line : trace.lines()) {
      if (has(line, "sched_process_fork: comm=rt-app "))
        children.insert(line.substr(line.find("child_pid=") + 10));
      for (const auto& [task, unused] : promises.at("timer_wakeups").items()) {
        if (has(line, "sched_process_exit: comm=" + task + " ")) ++exits;
        if (has(line, "sched_waking: comm=" + task + " ") && in_interrupt(line)) ++wakeups[task];
      }
    }
    EXPECT_EQ(children.size(), promises.at("forks").at("rt-app").get<std::size_t>());
    EXPECT_EQ(exits, promises.at("exits").get<int>());
    for (const auto& [task, number] : promises.at("timer_wakeups").items())
      EXPECT_EQ(wakeups[task], number.get<int>()) << task;
  }
  EXPECT_GE(run_here, 2);
}

TEST_F(ExportRtApp, SleepsFromBlockToWake) {
  const Json file = Json::parse(export_rt_app_1_0(sleeper()));
  EXPECT_EQ(file.at("schedcheck").at("promises").at("timer_wakeups"),
            Json({{"task0", 1}, {"task1", 2}}));
  EXPECT_EQ(file.at("tasks").at("task1").at("priority"), 5);
  EXPECT_EQ(file.at("tasks").at("task0").at("phases").size(), 3U);
}

TEST_F(ExportRtApp, RefusesGroupsAndPoliciesInEveryWorkload) {
  Schedule schedule = sleeper();
  schedule.groups = {{}};
  schedule.tasks[1].group = 1;
  for (const char* format : {"c", "sh", "rt-app-1.0", "rt-app-master"})
    EXPECT_THAT(refusal(schedule, format), HasSubstr("task 1 cannot be expressed: it starts in a"));
  schedule.tasks[1].group = 0;
  schedule.tasks[1].policy = 50;
  EXPECT_THAT(refusal(schedule, "c"),
              HasSubstr("task 1 cannot be expressed: it starts with an RT"));
  schedule.tasks[1].policy = 0;
  schedule.events.insert(schedule.events.begin(),
                         {.kind = EventKind::kMoveGroup, .task = 0, .group = 1});
  EXPECT_THAT(refusal(schedule, "c"), HasSubstr("event 1 (move_group task 0 to group 1) cannot"));
}

TEST_F(ExportRtApp, RefusesByNameWhatADialectCannotExpress) {
  for (const Schedule& schedule : found_schedules()) {
    bool forks = false;
    for (const Event& e : schedule.events) forks = forks || e.kind == EventKind::kFork;
    EXPECT_EQ(forks, has(refusal(schedule, "rt-app-1.0"), "(fork task 0) cannot be expressed"));
  }
  Schedule other_mask = found_schedules().back();
  EXPECT_THAT(refusal(other_mask, "rt-app-master"),
              HasSubstr("event 5 (set_affinity task 3) cannot be expressed"));
  Schedule warm = sleeper();
  warm.tasks[0].util_avg = 300;
  EXPECT_THAT(refusal(warm, "rt-app-1.0"), HasSubstr("task 0 cannot be expressed: it starts with"));
  Schedule heavy = sleeper();
  heavy.tasks[0].weight = 1000;
  EXPECT_THAT(refusal(heavy, "rt-app-master"), HasSubstr("its weight is that of no nice value"));
}

TEST_F(ExportRtApp, ForksInTheNewerDialect) {
  const Schedule burst = found_schedules()[3];
  const Json file = Json::parse(export_rt_app_master(burst));
  EXPECT_EQ(file.at("tasks").at("task1").at("instance"), 0);
  EXPECT_EQ(file.at("schedcheck").at("promises").at("forks"), Json({{"rt-app", 1}, {"task0", 2}}));
  const std::string parent = file.at("tasks").at("task0").dump();
  EXPECT_THAT(parent, HasSubstr("\":\"task1\""));
  EXPECT_THAT(parent, HasSubstr("\":\"task2\""));
}

class ExportBpftrace : public ExportedFile {};

TEST_F(ExportBpftrace, IsAcceptedAndAttachesForASecond) {
  if (!have("bpftrace")) GTEST_SKIP() << "bpftrace is not installed";
  if (geteuid() != 0) GTEST_SKIP() << "bpftrace needs root";
  if (!fs::exists("/sys/kernel/tracing/events/sched"))
    GTEST_SKIP() << "tracefs is not mounted at /sys/kernel/tracing";
  const bool attaches =
      shell("timeout 20 bpftrace -e 'tracepoint:sched:sched_switch { exit(); }'").status == 0;
  std::set<std::string> seen;
  std::vector<Schedule> schedules = found_schedules();
  schedules.push_back(schedules[3]);
  schedules.back().finding->property = "fork-lands-on-idle";
  for (const Schedule& schedule : schedules) {
    if (!seen.insert(schedule.finding->property).second) continue;
    const std::string file = write("watch.bt", export_bpftrace(schedule));
    const Result parsed = shell("timeout 60 bpftrace -d " + file + " >/dev/null");
    EXPECT_EQ(parsed.status, 0) << parsed.output;
    if (!attaches) continue;
    const Result result = shell("timeout 60 bpftrace " + file + " 1");
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_THAT(result.output, testing::Not(HasSubstr("ERROR: Error loading")));
  }
  EXPECT_GE(seen.size(), 5U);
}

TEST_F(ExportBpftrace, RefusesAPropertyWithoutATracepoint) {
  Schedule schedule = found_schedules()[3];
  schedule.finding->property = "pelt-bounds";
  EXPECT_THAT(refusal(schedule, "bpftrace"), HasSubstr("property pelt-bounds cannot be watched"));
  schedule.finding.reset();
  EXPECT_THAT(refusal(schedule, "bpftrace"), HasSubstr("no property to watch"));
}

TEST_F(ExportBpftrace, CarriesThePublishedCommand) {
  EXPECT_THAT(export_bpftrace(found_schedules()[3]),
              HasSubstr("//   sysbench threads --threads=3 run\n"));
}

}  // namespace
}  // namespace schedcheck
