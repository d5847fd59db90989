// SPDX-License-Identifier: Apache-2.0
/// \file
/// `trace replay`: the model's own trace has the model's placements, a changed one is the first
/// mismatch, and what the trace does not show is not compared but listed.
#include "counterexamples/trace/replay_trace.hpp"
#include "tests/support/exported_file.hpp"

namespace schedcheck {
namespace {

using testing::HasSubstr;

class TraceReplayed : public ExportedFile {
 protected:
  /// Forks, sleeps, wakeups and deaths on three CPUs, each of which is seen to switch.
  static Schedule busy() {
    Schedule s;
    s.topology = "smp:3";
    s.kernel = "v6.12";
    const auto fork = [](int task) { return event(EventKind::kFork, task); };
    s.events = {fork(0), fork(0), run(1'500'000), fork(0), fork(1), run(2'000'000)};
    for (int round = 0; round < 4; ++round) {
      s.events.push_back(event(EventKind::kBlock, 0));
      s.events.push_back(run(700'000));
      s.events.push_back(event(EventKind::kWake, 0));
      s.events.push_back(run(5'300'000));
      s.events.push_back(fork(2));
    }
    return s;
  }
  /// Events that are not enabled are left out of a trace; the schedule need not be valid.
  TraceReplay replayed(const std::string& trace, const std::string& topology = "smp:3") {
    return replay_trace(write("trace.txt", trace), {"v6.12", topology, {}});
  }
};

TEST_F(TraceReplayed, TheModelsOwnTraceHasItsPlacements) {
  const TraceReplay result = replayed(export_ftrace(busy()));
  EXPECT_GE(result.compared, 3U);
  EXPECT_EQ(result.mismatches.total, 0U) << result.mismatches.first.front().line << ": "
                                         << result.mismatches.first.front().model_numbers;
}

TEST_F(TraceReplayed, AnotherPlacementIsTheFirstMismatch) {
  std::string trace = export_ftrace(busy());
  const std::size_t at = trace.rfind("sched_wakeup_new: ");
  const std::size_t cpu = trace.find("target_cpu=", at) + 13;
  const int before = trace[cpu] - '0';
  trace[cpu] = static_cast<char>('0' + (before + 1) % 3);
  trace.resize(trace.find('\n', cpu) + 1);
  const TraceReplay result = replayed(trace);
  ASSERT_EQ(result.mismatches.total, 1U);
  const PlacementMismatch& m = result.mismatches.first.front();
  EXPECT_EQ(m.model_cpu, before);
  EXPECT_EQ(m.kernel_cpu, (before + 1) % 3);
  EXPECT_THAT(m.model_numbers, HasSubstr("util"));
  EXPECT_THAT(m.kernel_cpus, HasSubstr("CPU 0 runs 1"));
}

TEST_F(TraceReplayed, CpusThatWereNotSeenAreNotTakenForIdle) {
  std::string trace = export_ftrace(busy());
  trace.resize(trace.find('\n', trace.find("sched_wakeup_new", trace.find("event 1:"))) + 1);
  const TraceReplay result = replayed(trace);
  EXPECT_EQ(result.compared, 0U);
  EXPECT_GE(result.skipped, 1U);
}

TEST_F(TraceReplayed, ATopologyThatIsTooSmallIsRefused) {
  const std::string why = refusal_of([&] { replayed(export_ftrace(busy()), "smp:2"); });
  EXPECT_THAT(why, HasSubstr("CPU 2, but topology smp:2 has 2 CPUs"));
}

TEST_F(TraceReplayed, RecordedTracesAreReplayedToTheirEnd) {
  const std::filesystem::path traces = SCHEDCHECK_SOURCE_DIR "/tests/data/traces/real";
  for (const char* name : {"burst8.ftrace.txt", "spawn2.ftrace.txt", "rtfair.ftrace.txt"}) {
    const TraceReplay result = replay_trace(traces / name, {"v6.18.44", "smp:2", {}});
    EXPECT_GT(result.compared + result.skipped, 2U) << name;
    EXPECT_GT(result.assumptions.size(), 1U) << name;
  }
}

}  // namespace
}  // namespace schedcheck
