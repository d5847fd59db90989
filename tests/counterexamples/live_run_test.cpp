// SPDX-License-Identifier: Apache-2.0
/// \file
/// `run`: the model against its own trace is the same, a changed trace differs where it was
/// changed, a trace of another schedule is refused; on this machine nothing is left behind.
#include "counterexamples/live/live_run.hpp"

#include <unistd.h>

#include "counterexamples/live/fidelity.hpp"
#include "tests/support/exported_file.hpp"
#include "tests/support/refusal.hpp"

namespace schedcheck {
namespace {

using testing::HasSubstr;

class RunOnKernel : public ExportedFile {
 protected:
  Fidelity compare(const Schedule& schedule, const std::string& trace) {
    return compare_with_kernel(schedule, write("trace.txt", trace));
  }
  static Schedule found(const std::string& name) {
    for (const Schedule& schedule : found_schedules(/*round_robin=*/false))
      if (schedule.finding && schedule.finding->property == name) return schedule;
    for (const Schedule& schedule : found_schedules())
      if (schedule.finding && schedule.finding->property == name) return schedule;
    ADD_FAILURE() << name;
    return {};
  }
};

TEST_F(RunOnKernel, TheModelsOwnTraceHasTheSameDecisions) {
  int compared = 0;
  std::vector<Schedule> schedules = found_schedules();
  for (const Schedule& schedule : found_schedules(/*round_robin=*/false))
    schedules.push_back(schedule);
  schedules.push_back(sleeper());
  for (const Schedule& schedule : schedules) {
    std::string trace;
    try {
      trace = export_ftrace(schedule);
    } catch (const InputError&) {
      continue;  // A weight that no nice value has.
    }
    const Fidelity result = compare(schedule, trace);
    EXPECT_FALSE(result.first_difference())
        << decision_text(result, result.decisions[*result.first_difference()]);
    EXPECT_TRUE(result.moves.empty());
    EXPECT_EQ(result.count(Agreement::kSame) + result.count(Agreement::kNotJudged),
              static_cast<int>(result.decisions.size()));
    compared += result.count(Agreement::kSame);
  }
  EXPECT_GT(compared, 50);
}

TEST_F(RunOnKernel, AnotherPlacementIsTheFirstDifference) {
  const Schedule schedule = found("fork-burst-spreads");
  std::string trace = export_ftrace(schedule);
  const std::size_t at = trace.rfind("sched_wakeup_new: ");
  const std::size_t cpu = trace.find("target_cpu=", at) + 13;
  const char before = trace[cpu];
  trace[cpu] = before == '2' ? '1' : '2';
  const Fidelity result = compare(schedule, trace);
  ASSERT_TRUE(result.first_difference());
  const ComparedDecision& d = result.decisions[*result.first_difference()];
  EXPECT_EQ(d.model.kind, DecisionKind::kForkPlacement);
  EXPECT_EQ(d.model.value, before - '0');
  EXPECT_EQ(d.kernel, trace[cpu] - '0');
  EXPECT_THAT(d.cpus, HasSubstr("CPU 0 runs task 0"));
  EXPECT_THAT(result.why[*result.first_difference()], HasSubstr("util"));
}

TEST_F(RunOnKernel, TheBurstIsViolatedForRealWhereTheTraceShowsIt) {
  const Schedule schedule = found("fork-burst-spreads");
  EXPECT_NE(compare(schedule, export_ftrace(schedule)).verdict, RealVerdict::kNotDecidable);
  const Schedule averages = found("exit-leaves-no-utilization");
  EXPECT_EQ(compare(averages, export_ftrace(averages)).verdict, RealVerdict::kNotDecidable);
}

TEST_F(RunOnKernel, EventsWithoutAMarkWereNotDone) {
  const Schedule schedule = found("no-ghost-busy");
  std::string trace = export_ftrace(schedule);
  trace.resize(trace.rfind('\n', trace.find("schedcheck event 4:")) + 1);
  const Fidelity result = compare(schedule, trace);
  EXPECT_GT(result.count(Agreement::kNotDone), 0);
  EXPECT_FALSE(result.first_difference());
}

TEST_F(RunOnKernel, AnotherSchedulesTraceIsRefused) {
  const std::string trace = export_ftrace(found("no-ghost-busy"));
  EXPECT_THROW(compare(found("fork-burst-spreads"), trace), InputError);
  EXPECT_THROW(compare(found("no-ghost-busy"), "no trace\n"), InputError);
}

TEST_F(RunOnKernel, ARecordOfARealKernelIsRead) {
  const std::filesystem::path data = SCHEDCHECK_SOURCE_DIR "/tests/data/live";
  const Fidelity result =
      compare_with_kernel(found("no-ghost-busy"), data / "no-ghost-busy-6.18.44.ftrace.txt");
  ASSERT_TRUE(result.first_difference());
  const ComparedDecision& d = result.decisions[*result.first_difference()];
  EXPECT_EQ(d.model.kind, DecisionKind::kForkPlacement);
  EXPECT_EQ(d.model.value, 1);
  EXPECT_EQ(d.kernel, 0);
  EXPECT_EQ(result.moves.size(), 1U);
  EXPECT_EQ(result.lost, 0U);
}

TEST_F(RunOnKernel, MoreCpusThanThisMachineHasAreRefusedWithTheNumber) {
  Schedule schedule;
  schedule.topology = "smp:64";
  if (sysconf(_SC_NPROCESSORS_ONLN) >= 64) GTEST_SKIP() << "this machine has them";
  try {
    run_live(schedule);
    FAIL();
  } catch (const NotRunnableHere& why) {
    EXPECT_THAT(why.what(), HasSubstr("needs 64 CPUs"));
  }
}

TEST_F(RunOnKernel, RunsHereAndLeavesNothingBehind) {
  try {
    const LiveResult live = run_live(sleeper());
    const Fidelity result = compare(sleeper(), live.trace);
    EXPECT_EQ(result.count(Agreement::kNotDone), 0) << live.report;
    EXPECT_GT(result.count(Agreement::kSame) + result.count(Agreement::kDiffers), 0) << live.report;
  } catch (const NotRunnableHere& why) {
    GTEST_SKIP() << why.what();
  }
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
    EXPECT_THAT(entry.path().filename().string(), testing::Not(HasSubstr("schedcheck-run.")));
}

}  // namespace
}  // namespace schedcheck
