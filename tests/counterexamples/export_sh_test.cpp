// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exported scripts: what they say, that shellcheck, shells and compilers accept them, and real
/// runs on this machine: with the helper, without a compiler, as an ordinary user, and stopped.
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include "tests/support/exported_file.hpp"

namespace schedcheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// The burst: the second child joins the first although CPU 2 has less utilisation.
Schedule burst() {
  Schedule s;
  s.topology = "smp:3";
  s.kernel = "v5.8";
  s.events = {event(EventKind::kFork, 0), event(EventKind::kBlock, 1), event(EventKind::kFork, 0)};
  s.finding = Finding{"fork-burst-spreads", 3, {{"util", 512}}, "explore", 1, "one-minimal"};
  return s;
}

/// A spawn with everything else that a script must say it cannot do.
Schedule spawn() {
  Schedule s;
  s.topology = "smp:2";
  s.kernel = "v6.13";
  s.tasks = {InitialTask{.cpu = 0, .util_avg = 300},
             InitialTask{.cpu = 1, .weight = 3, .cpus = 2, .blocked = true}};
  Event exit = event(EventKind::kExit, 2);
  exit.duration_ns = 15'000;
  exit.wakes = 0;
  Event refresh;
  refresh.kind = EventKind::kUpdateBlocked;
  Event affinity = event(EventKind::kSetAffinity, 1);
  affinity.cpus = 3;
  s.preamble = {run(1'000'000)};
  s.events = {event(EventKind::kFork, 0),
              event(EventKind::kBlock, 0),
              run(500'000),
              exit,
              refresh,
              event(EventKind::kWake, 1),
              affinity,
              event(EventKind::kBlock, 9),
              run(1'000'000)};
  return s;
}

/// 50 events: children are forked, sleep, are woken and die in turn.
Schedule long_schedule() {
  Schedule s = burst();
  s.topology = "smp:2";
  s.events.clear();
  for (int child = 1; child <= 10; ++child) {
    s.events.push_back(event(EventKind::kFork, 0));
    s.events.push_back(run(300'000));
    s.events.push_back(event(EventKind::kBlock, child));
    s.events.push_back(event(EventKind::kWake, child));
    s.events.push_back(event(EventKind::kExit, child));
  }
  return s;
}

/// Runs for 8 s if nobody stops it.
Schedule endless() {
  Schedule s = spawn();
  s.events = {event(EventKind::kFork, 0), run(8'000'000'000)};
  return s;
}

/// The processes whose command line has `text`; zombies have none.
std::vector<std::string> processes_with(const std::string& text) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream in(entry.path() / "cmdline");
    const std::string line((std::istreambuf_iterator<char>(in)), {});
    if (line.find(text) != std::string::npos) found.push_back(entry.path());
  }
  return found;
}

/// A directory of its own for the script and for what the script makes.
class ExportSh : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "export_sh_test.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    dir = name;
    fs::create_directory(dir / "tmp");
    for (const fs::path& path : {dir, dir / "tmp"}) fs::permissions(path, fs::perms{0777});
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(dir / "tmp")) << "the script left its directory behind";
    fs::remove_all(dir);
  }

  std::string write(const Schedule& schedule) {
    return std::ofstream(dir / "script") << export_sh(schedule), dir / "script";
  }
  /// Runs the script: `how` is the shell, with settings before it.
  Result run_script(const Schedule& schedule, const std::string& how = "sh",
                    const std::string& options = "") {
    const std::string script = write(schedule);
    return shell("TMPDIR=" + (dir / "tmp").string() + " timeout 20 " + how + " " + script + " " +
                 options);
  }
  static bool may_pin() {
    cpu_set_t cpus;
    return sched_getaffinity(0, sizeof cpus, &cpus) == 0 &&
           sched_setaffinity(0, sizeof cpus, &cpus) == 0;
  }
  void expect_a_whole_run(const Result& result) {
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("\noutcome: ")) << result.output;
    EXPECT_THAT(processes_with(dir), testing::IsEmpty());
  }

  fs::path dir;
};

TEST(ExportSchedule, NamesTheKnownFormatsWhenTheFormatIsUnknown) {
  EXPECT_EQ(export_schedule(burst(), "json"), to_json(burst()));
  try {
    export_schedule(burst(), "pdf");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("export format 'pdf' is unknown; known formats"));
    EXPECT_THAT(error.what(), HasSubstr("json"));
  }
}

TEST_F(ExportSh, SaysWhatItShowsAndWhatItCannotExpress) {
  const std::string script = export_sh(burst());
  for (const char* text :
       {"#   property   fork-burst-spreads, violated at event 3\n", "#   number     util = 512\n",
        "#   kernel     v5.8", "#   topology   smp:3", "# What it cannot express\n",
        "sched_wakeup_new", "sysbench threads --threads=3 run", "trap cleanup EXIT\n"})
    EXPECT_THAT(script, HasSubstr(text));
  const std::string other = export_sh(spawn());
  for (const char* text :
       {"./Run -c 2 spawn", "#   update_blocked: 1 left out", "#   exit's after-move time",
        "#   explicit averages", "#   weights that no nice value has", "#   events that are not"})
    EXPECT_THAT(other, HasSubstr(text));
}

TEST_F(ExportSh, TakesThePredictedCpusFromTheModel) {
  EXPECT_THAT(export_sh(burst()), HasSubstr("machine 3 3 3 0\n"
                                            "task 0 0 0 -1 0,1,2\n"
                                            "event 1 0 fork 0 1 1 0\n"
                                            "event 2 0 block 1 -1 -1 0\n"
                                            "event 3 0 fork 0 2 1 0\n"));
  Schedule fixed = burst();
  fixed.kernel = "v5.9";
  EXPECT_THAT(export_sh(fixed), HasSubstr("event 3 0 fork 0 2 2 0\n"));
}

TEST_F(ExportSh, LetsTheTimeBeforeAnEventPassOnce) {
  Schedule later = burst();
  later.events[1].after_ns = 1'000'000;
  later.events[2].after_ns = 2'000'000;
  EXPECT_THAT(export_sh(later), HasSubstr("machine 3 3 3 3000000\n"));
  EXPECT_THAT(export_sh(later), HasSubstr("event 2 1000000 block 1 "));
  EXPECT_THAT(export_sh(later), HasSubstr("event 3 3000000 fork 0 "));
}

TEST_F(ExportSh, LeavesOutWhatIsNotEnabledWithAComment) {
  EXPECT_THAT(
      export_sh(spawn()),
      HasSubstr("# event 8 is left out: block task 9 is not enabled in the model\nevent 9 "));
}

TEST_F(ExportSh, KeepsTextOfTheFileInsideComments) {
  Schedule hostile = burst();
  hostile.finding->property = "x\ntouch /evil\n'$(id)`id`\\";
  hostile.finding->engine = "z3\r\nid";
  EXPECT_THAT(export_sh(hostile), HasSubstr("property   x_touch /evil___(id)_id__, violated"));
  EXPECT_THAT(export_sh(hostile), HasSubstr("found by   z3__id, seed 1"));
}

TEST_F(ExportSh, IsCleanForShellcheckShellsAndTheCompiler) {
  for (const Schedule& schedule : {burst(), spawn(), long_schedule(), Schedule{}}) {
    const std::string script = write(schedule);
    for (const std::string checker : {"bash -n", "sh -n", "shellcheck"}) {
      if (!have(checker.substr(0, checker.find(' ')))) continue;
      const Result result = shell(fmt::format("{} {}", checker, script));
      EXPECT_EQ(result.status, 0) << checker << ":\n" << result.output;
    }
    if (!have("cc")) continue;
    const Result result =
        shell("sed -n \"/<<'HELPER_C'/,/^HELPER_C/p\" " + script +
              " | sed '1d;$d' | cc -O2 -Wall -Wextra -Werror -x c -o /dev/null -");
    EXPECT_EQ(result.status, 0) << result.output;
  }
}

TEST_F(ExportSh, RefusesBadOptionsWithStatus2) {
  for (const char* options : {"--bogus", "--scale", "--scale 0", "--scale 1x", "--scale ''"})
    EXPECT_EQ(run_script(burst(), "sh", options).status, 2) << options;
  EXPECT_EQ(run_script(burst(), "sh", "--help").status, 0);
}

TEST_F(ExportSh, RunsToTheEnd) {
  if (!may_pin()) GTEST_SKIP() << "sched_setaffinity is not permitted here";
  for (const Schedule& schedule : {burst(), spawn(), long_schedule(), Schedule{}})
    expect_a_whole_run(run_script(schedule, "sh", "--trace"));
  if (have("bash")) expect_a_whole_run(run_script(spawn(), "bash", "--no-cgroup --scale 2.5"));
}

TEST_F(ExportSh, RunsWithoutACompiler) {
  if (!may_pin()) GTEST_SKIP() << "sched_setaffinity is not permitted here";
  for (const Schedule& schedule : {burst(), spawn()}) {
    const Result result = run_script(schedule, "env CC=no-such-compiler sh");
    expect_a_whole_run(result);
    EXPECT_THAT(result.output, HasSubstr("note: no compiler"));
  }
}

TEST_F(ExportSh, RunsAsAnOrdinaryUserAndSaysWhatIsLeftOut) {
  if (!may_pin()) GTEST_SKIP() << "sched_setaffinity is not permitted here";
  const bool root = geteuid() == 0;
  if (root && !have("setpriv")) GTEST_SKIP() << "setpriv is needed to leave root";
  const Result result =
      run_script(long_schedule(),
                 root ? "setpriv --reuid=65534 --regid=65534 --clear-groups sh" : "sh", "--trace");
  expect_a_whole_run(result);
  EXPECT_THAT(result.output, HasSubstr("note: tracefs left out: not root"));
  if (!have("cc")) return;
  EXPECT_THAT(result.output, HasSubstr("note: cgroup left out: not root"));
}

TEST_F(ExportSh, EndsWithOneMessageWhenNobodyReadsItsOutput) {
  if (!may_pin()) GTEST_SKIP() << "sched_setaffinity is not permitted here";
  const std::string message = "standard output cannot be written; stopped";
  for (const std::string how : {"sh", "bash"}) {
    if (!have(how)) continue;
    const std::string run =
        "TMPDIR=" + (dir / "tmp").string() + " timeout 60 " + how + " " + write(burst());
    for (const std::string sink : {" >/dev/full", " >&-", " --help >/dev/full"}) {
      const Result result = shell("{ " + run + sink + "; }");
      EXPECT_EQ(result.status, 1) << how << sink << result.output;
      EXPECT_THAT(result.output, testing::EndsWith(message + "\n")) << how << sink;
      EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
      EXPECT_TRUE(fs::is_empty(dir / "tmp")) << how << sink;
    }
    // The reader goes away at once, or after the first line; SIGPIPE may be ignored from the start.
    for (const std::string settings : {"", "trap '' PIPE; "}) {
      for (const std::string reader : {"true", "head -1"}) {
        const Result result =
            shell("{ { " + settings + run + "; echo status $? >&2; } | " + reader + "; }");
        EXPECT_THAT(result.output, HasSubstr("status 1\n")) << how << settings << reader;
        EXPECT_THAT(result.output, HasSubstr(message)) << how << settings << reader;
        EXPECT_TRUE(fs::is_empty(dir / "tmp")) << how << settings << reader;
      }
    }
  }
}

TEST_F(ExportSh, ComparesNothingOnAMachineWithFewerCpus) {
  if (!may_pin()) GTEST_SKIP() << "sched_setaffinity is not permitted here";
  if (!have("taskset")) GTEST_SKIP() << "taskset is needed to take CPUs away";
  cpu_set_t cpus;
  ASSERT_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &cpus)) ++cpu;
  const Result result = run_script(burst(), fmt::format("taskset -c {} sh", cpu));
  expect_a_whole_run(result);
  EXPECT_THAT(result.output,
              HasSubstr("outcome: not comparable (1 CPUs here for 3 modelled ones)"));
  EXPECT_THAT(result.output, testing::Not(HasSubstr("outcome: different")));
}

bool within_seconds(int seconds, const std::function<bool()>& condition) {
  for (int i = 0; i < seconds * 20; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return condition();
}

TEST_F(ExportSh, LeavesNothingBehindWhenStopped) {
  if (!may_pin()) GTEST_SKIP() << "sched_setaffinity is not permitted here";
  const std::string script = write(endless());
  for (const char* compiler : {"cc", "no-such-compiler"}) {
    const pid_t pid = fork();
    if (pid == 0) {
      setenv("TMPDIR", (dir / "tmp").c_str(), 1);
      setenv("CC", compiler, 1);
      if (freopen("/dev/null", "w", stdout) != nullptr) execlp("sh", "sh", script.c_str(), nullptr);
      _exit(127);
    }
    // The compiler takes its time on a loaded machine; midway is when the tasks are there.
    EXPECT_TRUE(within_seconds(20, [&] { return processes_with(dir).size() >= 3U; }))
        << "not midway";
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    kill(pid, SIGTERM);
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM);
    EXPECT_TRUE(within_seconds(5, [&] { return processes_with(dir).empty(); }));
    EXPECT_TRUE(fs::is_empty(dir / "tmp"));
    EXPECT_FALSE(fs::exists(fmt::format("/sys/fs/cgroup/cpu/schedcheck-{}", pid)));
  }
}

}  // namespace
}  // namespace schedcheck
