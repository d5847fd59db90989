// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exports that show the model's run: ftrace, perfetto, dot. Their records are compared with what
/// the model did, and Graphviz and a JSON parser read them.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "counterexamples/export/timeline.hpp"
#include "tests/support/exported_file.hpp"

namespace schedcheck {
namespace {

using testing::HasSubstr;

std::vector<Schedule> schedules() {
  std::vector<Schedule> all = found_schedules();
  all.push_back(sleeper());
  return all;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(ExportTimeline, SplitsTimeAtTicksAlsoInsideAnExit) {
  Schedule s;
  s.topology = "smp:2";
  s.tasks = {InitialTask{.cpu = 0}, InitialTask{.cpu = 1}, InitialTask{.cpu = 1}};
  Event exit = event(EventKind::kExit, 0);
  exit.duration_ns = 9'000'000;
  s.events = {run(5'000'000), exit};
  std::vector<std::int64_t> switches;
  for (const Change& c : record_timeline(s).changes)
    if (c.kind == ChangeKind::kSwitch && c.cpu == 1) switches.push_back(c.ns);
  EXPECT_EQ(switches, (std::vector<std::int64_t>{0, 4'000'000, 8'000'000, 12'000'000}));
}

// Every CPU runs one task at a time, and in each trace prev is what ran there before.
TEST(ExportTimeline, SwitchesFromWhatRan) {
  for (const Schedule& schedule : schedules()) {
    const Timeline timeline = record_timeline(schedule);
    std::map<int, int> runs;
    std::int64_t last = 0;
    for (const Change& c : timeline.changes) {
      EXPECT_GE(c.ns, last);
      last = c.ns;
      if (c.kind != ChangeKind::kSwitch) continue;
      EXPECT_EQ(c.task, runs.contains(c.cpu) ? runs[c.cpu] : kNoTask);
      runs[c.cpu] = c.other;
    }
    for (const auto& [cpu, task] : runs)
      EXPECT_EQ(timeline.samples.back().cpus[static_cast<std::size_t>(cpu)].curr, task);
  }
}

TEST(ExportFtrace, ShowsEveryForkExitAndWakeupOfTheModel) {
  const std::string text = export_ftrace(sleeper());
  for (const char* line :
       {"# tracer: nop\n",
        "           task0-1000    [000] d..2     0.001000: sched_switch: prev_comm=task0 "
        "prev_pid=1000 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 "
        "next_prio=120\n",
        "          <idle>-0       [001] d..2     0.003000: sched_waking: comm=task1 pid=1001 "
        "prio=125 "
        "target_cpu=001\n",
        "          <idle>-0       [001] d..2     0.003000: sched_wakeup: comm=task1 pid=1001 "
        "prio=125 "
        "target_cpu=001\n",
        "sched_process_exit: comm=task0 pid=1000 prio=120\n",
        // The one that exits wakes.
        "           task0-1000    [000] d..2     0.008500: sched_waking: comm=task1 pid=1001 "
        "prio=125 "
        "target_cpu=001\n",
        "tracing_mark_write: schedcheck event 2: set_affinity task 0 to CPUs 0\n"})
    EXPECT_THAT(text, HasSubstr(line));
  for (const Schedule& schedule : schedules()) {
    std::size_t forks = 0;
    for (const Event& e : schedule.events) forks += e.kind == EventKind::kFork ? 1 : 0;
    const std::string trace = export_ftrace(schedule);
    EXPECT_EQ(count(trace, ": sched_process_fork: "), forks);
    EXPECT_EQ(count(trace, ": sched_wakeup_new: "),
              forks + schedule.tasks.size() - (schedule.tasks.size() > 1 ? 1 : 0));
    EXPECT_EQ(count(trace, "schedcheck event "), schedule.events.size());
  }
}

TEST(ExportFtrace, RefusesAWeightThatNoPriorityShows) {
  Schedule schedule = sleeper();
  schedule.tasks[1].weight = 300;
  EXPECT_THAT(refusal(schedule, "ftrace"),
              HasSubstr("export --to ftrace: task 1 has weight 300, which no nice value has"));
}

TEST(ExportPerfetto, HasSlicesThatDoNotOverlapAndArrowsWithTwoEnds) {
  for (const Schedule& schedule : schedules()) {
    const auto json = nlohmann::json::parse(export_perfetto(schedule));
    std::map<int, double> end;
    std::map<int, int> arrows;
    std::size_t events = 0;
    for (const auto& e : json.at("traceEvents")) {
      const std::string phase = e.at("ph");
      if (phase == "X") {
        const int tid = e.at("tid");
        EXPECT_GE(e.at("ts").get<double>() + 1e-6, end[tid]);
        end[tid] = e.at("ts").get<double>() + e.at("dur").get<double>();
        events += e.contains("args") ? 1U : 0U;
      } else if (phase == "s" || phase == "f") {
        arrows[e.at("id")] += phase == "s" ? 1 : -1;
      }
    }
    EXPECT_EQ(events, schedule.events.size() + schedule.preamble.size());
    for (const auto& [id, ends] : arrows) EXPECT_EQ(ends, 0) << id;
  }
}

TEST(ExportPerfetto, DrawsForksWakesAndCounters) {
  const std::string text = export_perfetto(sleeper());
  for (const char* part :
       {"\"name\":\"CPU 1 util_avg\"", "\"name\":\"CPU 1 nr_running\"", "\"name\":\"wake\"",
        "\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":\"CPU 0\"}"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(export_perfetto(found_schedules()[1]), HasSubstr("\"name\":\"fork\""));
}

class ExportDot : public ExportedFile {};

TEST_F(ExportDot, IsDrawnByGraphviz) {
  if (!have("dot")) GTEST_SKIP() << "graphviz is not installed";
  for (const Schedule& schedule : schedules()) {
    const std::string file = write("graph.dot", export_dot(schedule));
    const Result result = shell("dot -Tsvg " + file);
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_EQ(count(result.output, "class=\"node\""), schedule.events.size());
    EXPECT_THAT(result.output, testing::Not(HasSubstr("Warning")));
  }
}

TEST_F(ExportDot, HighlightsWhatTheViolationNeedsAndNothingElse) {
  Schedule schedule = found_schedules()[3];
  ASSERT_EQ(schedule.finding->property, "fork-burst-spreads");
  EXPECT_EQ(count(export_dot(schedule), "style=filled"), 3U);
  // What comes after the violation cannot matter, nor does a mask that a sleeper gets.
  Event affinity = event(EventKind::kSetAffinity, 1);
  affinity.cpus = 7;
  schedule.events.insert(schedule.events.begin() + 2, affinity);
  schedule.events.push_back(event(EventKind::kFork, 0));
  schedule.finding->event = 4;
  const std::string text = export_dot(schedule);
  EXPECT_EQ(count(text, "style=filled"), 3U) << text;
  EXPECT_THAT(text, HasSubstr("3[label=\"4. fork task 0\\nat 0 ns\", style=filled, "
                              "fillcolor=\"#f4b6b0\", penwidth=2]"));
  EXPECT_THAT(text,
              HasSubstr("2[label=\"3. set_affinity task 1 to CPUs {0,1,2}\\nat 0 ns\", color"));
  // Time ages every queue.
  schedule.events[2].after_ns = 1;
  EXPECT_EQ(count(export_dot(schedule), "style=filled"), 4U);
}

}  // namespace
}  // namespace schedcheck
