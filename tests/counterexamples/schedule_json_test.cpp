// SPDX-License-Identifier: Apache-2.0
/// \file
/// The schedule file: random schedules survive writing and reading, every field is read from a file
/// typed by hand, and every kind of malformed file gets its own one-line message.
#include "counterexamples/schedule_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/input_error.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

constexpr int kCpus = 6;  // llc:2x3.
constexpr int kGroups = 3;

template <class T>
rc::Gen<T> one_of(std::vector<T> values) {
  return rc::gen::elementOf(std::move(values));
}

rc::Gen<CpuMask> some_cpus() { return rc::gen::inRange<CpuMask>(1, CpuMask{1} << kCpus); }

std::int64_t duration() {
  return *rc::gen::oneOf(rc::gen::just<std::int64_t>(0), rc::gen::just(kMaxEventNs),
                         rc::gen::inRange<std::int64_t>(0, kMaxEventNs));
}

Event random_event(int max_tasks) {
  Event event;
  event.kind = static_cast<EventKind>(*rc::gen::inRange(0, kEventKinds));
  if (*rc::gen::arbitrary<bool>()) event.after_ns = duration();
  if (event.kind == EventKind::kRun) {
    event.duration_ns = duration();
  } else if (event.kind == EventKind::kUpdateBlocked) {
    event.cpu = *rc::gen::inRange(0, kCpus);
  } else if (event.kind == EventKind::kSetWeight) {
    event.group = *rc::gen::inRange(1, kGroups + 1);
    event.amount = *one_of<std::int64_t>({kMinShares, 1024, kMaxShares});
  } else {
    event.task = *rc::gen::inRange(0, max_tasks);
  }
  if (event.kind == EventKind::kSetAffinity) event.cpus = *some_cpus();
  if (event.kind == EventKind::kSetNice) event.amount = *rc::gen::inRange(-20, 20);
  if (event.kind == EventKind::kSetPolicy)
    event.amount = *one_of<std::int64_t>({0, 1, 99, 101, 199});
  if (event.kind == EventKind::kMoveGroup) event.group = *rc::gen::inRange(0, kGroups + 1);
  if (event.kind == EventKind::kExit) {
    event.duration_ns = duration();
    if (*rc::gen::arbitrary<bool>() && max_tasks > 1)
      event.wakes = (event.task + *rc::gen::inRange(1, max_tasks)) % max_tasks;
  }
  return event;
}

std::vector<Event> random_events(int max_tasks) {
  std::vector<Event> events;
  for (int n = *rc::gen::inRange(0, 12); n > 0; --n) events.push_back(random_event(max_tasks));
  return events;
}

InitialTask random_task() {
  InitialTask task;
  task.cpu = *rc::gen::inRange(0, kCpus);
  task.weight = *one_of<std::int64_t>({1024, 1, 3, 15, 88761, 1277});
  if (*rc::gen::arbitrary<bool>()) task.cpus = *some_cpus() | CpuMask{1} << task.cpu;
  task.group = *rc::gen::inRange(0, kGroups + 1);
  task.policy = *one_of<std::int64_t>({0, 0, 1, 199});
  task.util_avg = *rc::gen::inRange(-1, 1025);
  task.blocked = *rc::gen::arbitrary<bool>();
  return task;
}

Finding random_finding(std::size_t nr_events) {
  using Numbers = std::map<std::string, std::int64_t>;
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const Numbers extremes = {{"a/b~c\n", kMax}, {"util \"0\"", kMin}, {"", -1}};
  Finding finding;
  finding.property = property_catalogue()[*rc::gen::inRange<std::size_t>(0, kPropertyCount)].name;
  finding.event = *rc::gen::inRange(0, static_cast<int>(nr_events) + 1);
  if (*rc::gen::arbitrary<bool>()) finding.numbers = extremes;
  finding.engine = "z3";
  finding.seed = *one_of<std::uint64_t>({0, 7, ~std::uint64_t{0}});
  finding.minimality = *one_of<std::string>({"", "one-minimal", "certified shortest"});
  return finding;
}

Schedule random_schedule() {
  Schedule schedule;
  schedule.topology = "llc:2x3";
  schedule.kernel = *one_of<std::string>(
      {"v5.8", "v7.1", "debian-6.12.117", "v6.13,exit_move=none,death_removes=exact"});
  schedule.tick_ns = *one_of<std::int64_t>({0, 100'000, 4'000'000, 1'000'000'000});
  schedule.max_tasks = *one_of<int>({1, 2, 16, kMaxTasks});
  schedule.groups = {{}, {.parent = 1, .weight = kMinShares}, {.parent = *rc::gen::inRange(0, 3)}};
  schedule.max_sessions = *rc::gen::inRange(0, kMaxTaskGroups - kGroups + 1);
  schedule.sched_autogroup_enabled = *rc::gen::arbitrary<bool>();
  schedule.tasks.resize(
      static_cast<std::size_t>(*rc::gen::inRange(0, std::min(schedule.max_tasks, 8) + 1)));
  for (InitialTask& task : schedule.tasks) task = random_task();
  schedule.preamble = random_events(schedule.max_tasks);
  schedule.events = random_events(schedule.max_tasks);
  // With ticks, long times are refused.
  if (schedule.tick_ns > 0) {
    for (auto* events : {&schedule.preamble, &schedule.events}) {
      for (Event& event : *events) {
        event.after_ns %= 10 * schedule.tick_ns;
        event.duration_ns %= 10 * schedule.tick_ns;
      }
    }
  }
  if (*rc::gen::arbitrary<bool>()) schedule.finding = random_finding(schedule.events.size());
  return schedule;
}

RC_GTEST_PROP(ScheduleJson, IsReadBackAsWritten, ()) {
  const Schedule schedule = random_schedule();
  const std::string text = to_json(schedule);
  RC_ASSERT(text.ends_with("}\n"));
  const Schedule again = schedule_from_json(text, "f");
  RC_ASSERT(again == schedule);
  RC_ASSERT(to_json(again) == text);
}

const std::string kFork = R"({"kind": "fork", "task": 0})";

// A valid file; `replace` swaps one piece of it.
const std::string kFile = R"({"format": "schedcheck/schedule", "version": 1,
 "topology": "smp:3", "kernel": "v5.8", "limits": ["L1"], "tick_ns": 1000000, "max_tasks": 8,
 "tasks": [{"name": "P", "cpu": 0, "nice": 0}, {"name": "Q", "cpu": 1, "affinity": [1, 2]}],
 "preamble": [{"kind": "run", "duration_ns": 500}],
 "events": [{"kind": "fork", "task": 0}, {"kind": "block", "task": 2, "at_ns": 700}],
 "finding": {"property": "no-ghost-busy", "event": 2}}
)";

std::string replace(const std::string& from, const std::string& to) {
  std::string text = kFile;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ScheduleJson, ReadsEveryFieldOfAFileTypedByHand) {
  const Schedule s = schedule_from_json(
      replace(R"("kernel": "v5.8")",
              R"("kernel": {"preset": "v5.8", "switches": {"idlest_tiebreak": "util"}})"),
      "f");
  EXPECT_EQ(s.kernel, "v5.8,idlest_tiebreak=util");
  EXPECT_EQ(s.tick_ns, 1'000'000);
  ASSERT_EQ(s.tasks.size(), 2U);
  EXPECT_EQ(s.tasks[0], InitialTask{});
  EXPECT_EQ(s.tasks[1].cpus, 6U);
  ASSERT_EQ(s.events.size(), 2U);
  EXPECT_EQ(s.events[1].after_ns, 200) << "at_ns 700, of which the preamble takes 500";
  EXPECT_EQ(s.finding->event, 2);
}

TEST(ScheduleJson, CountsAfterMoveTimeAndWaitsTowardsAtNs) {
  const Schedule s = schedule_from_json(
      replace(kFork,
              R"({"kind": "exit", "task": 1, "after_ns": 30, "after_move_ns": 20, "wakes": 0})"),
      "f");
  EXPECT_EQ(s.events[0].duration_ns, 20);
  EXPECT_EQ(s.events[0].wakes, 0);
  EXPECT_EQ(s.events[1].after_ns, 150);
}

TEST(ScheduleJson, LabelsAWarmStart) {
  Schedule schedule;
  EXPECT_EQ(to_json(schedule).find("warm_start"), std::string::npos);
  schedule.tasks[0].util_avg = 0;
  EXPECT_NE(to_json(schedule).find(R"("warm_start": "explicit averages")"), std::string::npos);
}

struct Malformed {
  std::string text;
  std::string message;  // The end of "f: " or "f:LINE:COLUMN: ", a fragment.
};

std::vector<Malformed> not_json() {
  return {
      {"", "f: the file is empty"},
      {" \n", "f: the file is empty"},
      {"hello", "f:1:1: not JSON here"},
      {"{\"a\": 1,\n \"b\" 2}", "f:2:6: not JSON here"},
      {"{\"a\": [1", "f:1:9: the file ends too early"},
      {std::string("{}\0{}", 5), "f: NUL at byte 2"},
      {"{\"\xff\": 1}", "f:1:3: not valid UTF-8 here"},
      {"\xff{}", "f:1:1: not JSON here"},
      {std::string(100'000, '['), "f: nested deeper than 16 levels"},
      {"{\"a\": 1e999}", "f: a number is too large"},
  };
}

std::vector<Malformed> wrong_heads() {
  return {
      {"[]", "f: must be a JSON object"},
      {"{}", "f: key \"format\" is missing"},
      {replace("schedcheck/schedule", "other"), "f: /format: is not \"schedcheck/schedule\""},
      {replace("\"version\": 1", "\"version\": 2"), "f: /version: 2 is newer than this program"},
      {replace("\"version\": 1", "\"version\": 0"), "f: /version: 0 is not a whole number in 1"},
      {replace("\"version\": 1", R"("version": "1")"), "f: /version: \"1\" is not a whole number"},
      {replace("\"limits\"", R"("limit\n")"), R"(f: unknown key "limit\n"; known here: format,)"},
      {replace("\"max_tasks\": 8", "\"tick_ns\": 0"),
       "f: /tick_ns: key \"tick_ns\" is given twice"},
      {replace(kFork, R"({"kind": "fork", "task": 0, "task": 1})"),
       "f: /events/0/task: key \"task\" is given twice"},
      {replace("smp:3", "smp:0"), "f: /topology: topology 'smp:0': the number of CPUs must be"},
      {replace("v5.8", "v4.4"), "f: /kernel: kernel 'v4.4' is unknown"},
      {replace("\"v5.8\"", "5"), "f: /kernel: must be an object, not 5"},
      {replace("\"v5.8\"", R"({"preset": "v5.8,exit_move=none"})"),
       "f: /kernel/preset: must be a preset alone"},
      {replace("\"v5.8\"", R"({"preset": "v5.8", "switches": {"exit_move": "up"}})"),
       "f: /kernel/switches/exit_move: kernel switch 'exit_move' has no value 'up'"},
      {replace("\"v5.8\"", R"({"preset": "v5.8", "switches": {"a/b": "up"}})"),
       "f: /kernel/switches/a~1b: kernel switch 'a/b' is unknown"},
      {replace("\"L1\"", "1"), "f: /limits/0: must be a text, not 1"},
      {replace("1000000", "99999"), "f: /tick_ns: 99999 is too short"},
      {replace("1000000", "1000000001"), "f: /tick_ns: 1000000001 is not a whole number in 0.."},
      {replace("\"max_tasks\": 8", "\"max_tasks\": 8193"), "f: /max_tasks: 8193 is not"},
  };
}

std::vector<Malformed> wrong_tasks() {
  return {
      {replace("\"max_tasks\": 8", "\"max_tasks\": 1"), "f: /tasks: has 2 elements; at most 1"},
      {replace(R"("name": "Q")", R"("name": "P")"), "f: /tasks/1/name: another task has this"},
      {replace("\"cpu\": 0", "\"cpu\": 3"), "f: /tasks/0/cpu: 3 is not a CPU; CPUs are 0..2"},
      {replace("\"cpu\": 0", "\"cpu\": 0.0"), "f: /tasks/0/cpu: 0.0 is not a CPU"},
      {replace("\"cpu\": 0", "\"cpu\": true"), "f: /tasks/0/cpu: true is not a CPU"},
      {replace("\"cpu\": 0, ", ""), "f: /tasks/0: key \"cpu\" is missing"},
      {replace("\"cpu\": 1", "\"cpu\": 0"), "f: /tasks/1/cpu: 0 is not in the task's affinity"},
      {replace("[1, 2]", "[]"), "f: /tasks/1/affinity: is empty"},
      {replace("[1, 2]", "[1, 1]"), "f: /tasks/1/affinity/1: this CPU is given twice"},
      {replace("\"nice\": 0", "\"nice\": 20"), "f: /tasks/0/nice: 20 is not a whole number in -20"},
      {replace("\"nice\": 0", R"("nice": 0, "weight": 3)"), "f: /tasks/0: has both \"nice\" and"},
      {replace("\"nice\": 0", R"("policy": "batch")"),
       "f: /tasks/0/policy: must be \"fair\", \"fifo\""},
      {replace("\"nice\": 0", R"("policy": "fifo")"),
       "f: /tasks/0: key \"rt_priority\" is missing"},
      {replace("\"nice\": 0", R"("rt_priority": 1)"),
       "f: /tasks/0/rt_priority: fair tasks have none"},
      {replace("\"nice\": 0", R"("group": 1)"), "f: /tasks/0/group: "},
      {replace("\"nice\": 0", R"("state": "dead")"), "f: /tasks/0/state: must be \"running\" or"},
      {replace("\"nice\": 0", "\"util_avg\": 5"), "f: tasks have util_avg; label the start"},
      {replace(R"("limits": ["L1"])", R"("warm_start": "explicit averages")"),
       "f: no task has util_avg; remove"},
  };
}

std::vector<Malformed> wrong_events() {
  std::string too_many = "[";
  for (std::size_t i = 0; i <= kMaxScheduleEvents; ++i) too_many += i == 0 ? "0" : ",0";
  return {
      {replace("500", "1000000000000001"), "f: /preamble/0/duration_ns: 1000000000000001 is not"},
      {replace("500", "-1"), "f: /preamble/0/duration_ns: -1 is not a whole number in 0.."},
      {replace("500", "18446744073709551616"), "f: /preamble/0/duration_ns: 1.844674"},
      {replace(kFork, "7"), "f: /events/0: must be an object with a \"kind\""},
      {replace("\"fork\"", "\"frok\""), "f: /events/0/kind: unknown kind of event; known: run,"},
      {replace("\"task\": 0", "\"task\": 9"), "f: /events/0/task: 9 is not a task; tasks are 0..7"},
      {replace(kFork, R"({"kind": "fork"})"), "f: /events/0: key \"task\" is missing"},
      {replace(kFork, R"({"kind": "fork", "task": 0, "cpu": 1})"),
       "f: /events/0: unknown key \"cpu\"; known here: kind, after_ns, at_ns, task"},
      {replace(kFork, R"({"kind": "exit", "task": 1, "wakes": 1})"),
       "f: /events/0/wakes: a task that exits cannot wake itself"},
      {replace(kFork, R"({"kind": "set_affinity", "task": 1, "cpus": [3]})"),
       "f: /events/0/cpus/0: 3 is not a CPU"},
      {replace("700", "400"), "f: /events/1/at_ns: 400 is in the past; 500 ns have passed here"},
      {replace("\"at_ns\": 700", R"("at_ns": 700, "after_ns": 1)"), "f: /events/1: has both"},
      {replace("\"event\": 2", "\"event\": 3"),
       "f: /finding/event: 3 is not a whole number in 0..2"},
      {replace("no-ghost-busy", "no-ghost"), "f: /finding/property: unknown property; see"},
      {replace("no-ghost-busy", ""), "f: /finding/property: unknown property; see"},
      {replace("\"event\": 2", R"("event": 2, "seed": -1)"), "f: /finding/seed: -1 is not"},
      {replace("\"event\": 2", R"("event": 2, "numbers": {"u": 1.5})"),
       "f: /finding/numbers/u: 1.5 is not a whole number"},
      {replace(R"([{"kind": "run", "duration_ns": 500}])", too_many + "]"),
       "f: /preamble: has 100001 elements; at most 100000"},
  };
}

TEST(ScheduleJson, RefusesEveryMalformedFileWithOneLine) {
  for (const auto& files : {not_json(), wrong_heads(), wrong_tasks(), wrong_events()})
    for (const Malformed& file : files) {
      SCOPED_TRACE(file.message);
      try {
        schedule_from_json(file.text, "f");
        ADD_FAILURE() << "accepted";
      } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_THAT(message, testing::StartsWith(file.message));
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        EXPECT_LT(message.size(), 500U);
      }
    }
}

TEST(ScheduleJson, RefusesTextCutAnywhere) {
  const std::size_t end = kFile.rfind('}');
  for (std::size_t size = 0; size < end; ++size)
    EXPECT_THROW(schedule_from_json(kFile.substr(0, size), "f"), InputError) << size;
}

TEST(ScheduleJson, RefusesAScheduleLongerThanTheModelsClock) {
  std::string events;
  for (int i = 0; i < 1001; ++i)
    events += std::string(i == 0 ? "" : ",") + R"({"kind":"run","duration_ns":1000000000000000})";
  EXPECT_THROW(schedule_from_json(replace(kFork, events), "f"), InputError);
}

// Whatever passes the time: the preamble, a run, the time before an event or in an exit.
TEST(ScheduleJson, RefusesAScheduleOfTooManyTicksWhereItBecomesTooLong) {
  const std::string late = "1000000000000000";
  for (const auto& [text, place] : std::vector<std::pair<std::string, std::string>>{
           {replace("500", late), "/preamble/0"},
           {replace(kFork, R"({"kind": "run", "duration_ns": )" + late + "}"), "/events/0"},
           {replace(kFork, R"({"kind": "fork", "task": 0, "after_ns": )" + late + "}"),
            "/events/0"},
           {replace(kFork, R"({"kind": "exit", "task": 0, "after_move_ns": )" + late + "}"),
            "/events/0"}}) {
    std::string file = text;
    file.replace(file.find(", \"at_ns\": 700"), 14, "");
    try {
      schedule_from_json(file, "f");
      FAIL() << "accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(),
                  testing::StartsWith("f: " + place + ": too long to replay: 100000000"));
    }
    file.replace(file.find("\"tick_ns\": 1000000"), 18, "\"tick_ns\": 0");
    EXPECT_EQ(schedule_from_json(file, "f").events.size(), 2U) << "no ticks, no limit";
  }
}

std::string many(int count, const std::string& event, const std::string& topology) {
  std::string text = R"({"format": "schedcheck/schedule", "version": 1, "kernel": "v5.8",
    "topology": ")" + topology +
                     R"(", "max_tasks": 8192, "tasks": [{"cpu": 0}], "events": [)";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + event;
  return text + "]}";
}

// A reader of quadratic cost takes 13 s here; this one 0.2 s.
TEST(ScheduleJson, ReadsAHundredThousandEventsInLinearTime) {
  const std::string text = many(100'000, R"({"kind": "run", "duration_ns": 1})", "smp:4");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(schedule_from_json(text, "f").events.size(), 100'000U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(6));
}

TEST(ScheduleJson, RefusesMoreTasksOnMoreCpusThanAReplayCanVisit) {
  EXPECT_EQ(schedule_from_json(many(2500, kFork, "smp:64"), "f").events.size(), 2500U);
  EXPECT_EQ(schedule_from_json(many(8000, kFork, "smp:4"), "f").events.size(), 8000U);
  try {
    schedule_from_json(many(8000, kFork, "smp:64"), "f");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("with 8001 tasks on 64 CPUs, are more than"));
  }
}

}  // namespace
}  // namespace schedcheck
