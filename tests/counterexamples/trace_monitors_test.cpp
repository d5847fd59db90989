// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every monitor of trace check on the smallest trace that it must find certain, on the same trace
/// with something not shown, and on one that is as it should be.
#include "tests/counterexamples/trace_fixture.hpp"

namespace schedcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kLost = "CPU:1 [LOST 3 EVENTS]\n";
/// Two CPUs; task 1 was on CPU 1 and is on CPU 0 now, CPU 1 is idle.
const std::string kStart = "# entries-in-buffer/entries-written: 9/9   #P:2\n" +
                           switches(0, 1, 9, "S", 1) + switches(100, 1, 1, "S", 0) +
                           wakes(150, 0, 7, 1, 0) + switches(200, 0, 7, "S", 1);
const std::string kEnd = switches(9000, 0, 1, "S", 0);

TEST_F(Trace, ExcerptOfTheV5_8ThreadIsABurst) {
  std::string one;
  std::string four;
  for (int i = 0; i < 4; ++i) {
    const std::string line = "sysbench 500 [006] 74.00" + std::to_string(i) +
                             "100: sched:sched_wakeup_new: sysbench:" + std::to_string(501 + i) +
                             " [120] success=1 CPU:0";
    one += line + "07\n";
    four += line + (i < 2 ? "0" : "1") + std::to_string((8 + i) % 10) + "\n";
  }
  EXPECT_THAT(findings(check(one)),
              ElementsAre("2 fork-burst-spreads possible", "3 fork-burst-spreads possible",
                          "4 fork-burst-spreads possible"));
  EXPECT_THAT(findings(check(four)), IsEmpty());
}

TEST_F(Trace, BurstOntoABusyCpuWithAnIdleOneIsCertain) {
  const std::string burst = forks(300, 0, 1, 21, 0) + forks(310, 0, 1, 22, 0);
  EXPECT_THAT(findings(check(kStart + burst + kEnd)),
              ElementsAre("6 fork-work-conserving certain", "7 fork-burst-spreads certain",
                          "7 fork-work-conserving certain"));
  // What CPU 1 does is not known after a loss; a block ends the burst.
  EXPECT_THAT(findings(check(kStart + kLost + burst + kEnd)),
              ElementsAre("8 fork-burst-spreads possible"));
  EXPECT_THAT(findings(check(kStart + forks(300, 0, 1, 21, 1) + switches(310, 0, 1, "S", 0) +
                             switches(311, 1, 0, "R", 21) + wakes(900, 0, 0, 1, 0) +
                             switches(910, 0, 0, "R", 1) + forks(930, 0, 1, 22, 1) + kEnd)),
              IsEmpty());
}

TEST_F(Trace, ForkToABusyCpuNeedsAnIdleCpuThatWasSeenAllowed) {
  const std::string fork = forks(300, 0, 1, 21, 0);
  EXPECT_THAT(findings(check(kStart + fork + kEnd)), ElementsAre("6 fork-work-conserving certain"));
  EXPECT_THAT(findings(check(kStart + forks(300, 0, 1, 21, 1) + kEnd)), IsEmpty());
  // Idle for 40 us only; a wakeup that was on its way; a parent never seen on CPU 1.
  EXPECT_THAT(findings(check(kStart + forks(140, 0, 1, 21, 0) + kEnd)),
              ElementsAre("6 fork-work-conserving possible"));
  EXPECT_THAT(findings(check(kStart + fork + wakes(330, 1, 0, 8, 1) + kEnd)),
              ElementsAre("6 fork-work-conserving possible"));
  EXPECT_THAT(findings(check(kStart + switches(290, 0, 1, "S", 30) + forks(300, 0, 30, 21, 0) +
                             switches(9000, 0, 30, "S", 0))),
              ElementsAre("7 fork-work-conserving possible"));
  // A mask decides.
  options.affinity[1] = {true, false};
  EXPECT_THAT(findings(check(kStart + fork + kEnd)), ElementsAre("2 affinity-respected certain"));
}

TEST_F(Trace, IdleCpuBesideAWaitingTaskIsCertainIfTheTaskMayUseIt) {
  const std::string waits = wakes(300, 0, 1, 9, 0) + switches(20'300, 0, 1, "S", 9);
  EXPECT_THAT(findings(check(kStart + waits)), ElementsAre("7 idle-while-waiting certain"));
  EXPECT_THAT(findings(check(kStart + wakes(300, 0, 1, 8, 0) + switches(20'300, 0, 1, "S", 8))),
              ElementsAre("7 idle-while-waiting possible"));
  EXPECT_THAT(findings(check(kStart + wakes(300, 0, 1, 9, 0) + "CPU:0 [LOST 1 EVENTS]\n" +
                             switches(20'300, 0, 1, "S", 9))),
              ElementsAre("8 idle-while-waiting possible"));
  options.idle_bound_ns = 21'000'000;
  EXPECT_THAT(findings(check(kStart + waits)), IsEmpty());
}

TEST_F(Trace, WaitIsMeasuredFromTheLastWakeup) {
  const std::string busy = switches(0, 0, 5, "S", 1);
  EXPECT_THAT(findings(check(busy + wakes(10, 0, 1, 9, 0) + switches(1'500'000, 0, 1, "S", 9))),
              ElementsAre("3 wait-bounded certain"));
  // Shown as R although it slept (v5.18 to v6.14): it is woken once more.
  EXPECT_THAT(findings(check(switches(0, 0, 9, "R", 1) + wakes(1'400'000, 0, 1, 9, 0) +
                             switches(1'500'000, 0, 1, "S", 9))),
              IsEmpty());
  EXPECT_THAT(findings(check(busy + wakes(10, 0, 1, 9, 0) + wakes(1'500'000, 0, 1, 1, 0))),
              ElementsAre("2 wait-bounded possible"));
  EXPECT_THAT(findings(check(busy + wakes(10, 0, 1, 9, 0) + kLost + kLost +
                             switches(1'500'000, 0, 1, "S", 9))),
              ElementsAre("5 wait-bounded possible"));
}

TEST_F(Trace, FairTaskBeforeAWaitingRealtimeTaskIsCertainOnceThatRuns) {
  const std::string wrong = switches(0, 0, 5, "S", 1) + wakes(5, 0, 1, 2, 0) +
                            wakes(10, 0, 1, 9, 0, 49) + switches(100, 0, 1, "R", 2);
  EXPECT_THAT(findings(check(wrong + switches(200, 0, 2, "S", 9, 120, 49))),
              ElementsAre("4 rt-first certain"));
  EXPECT_THAT(findings(check(wrong)), ElementsAre("4 rt-first possible"));
  EXPECT_THAT(
      findings(check(wrong + "CPU:0 [EVENTS DROPPED]\n" + switches(200, 0, 2, "S", 9, 120, 49))),
      ElementsAre("4 rt-first possible"));
  // It was asleep, shown as R; it ran for so long that throttling may be why.
  EXPECT_THAT(
      findings(check(wrong + wakes(150, 0, 2, 9, 0, 49) + switches(200, 0, 2, "S", 9, 120, 49))),
      IsEmpty());
  EXPECT_THAT(findings(check(switches(0, 0, 5, "S", 9, 120, 49) + wakes(10, 1, 4, 2, 0) +
                             switches(950'000, 0, 9, "R+", 2, 49, 120) +
                             switches(990'000, 0, 2, "R+", 9, 120, 49))),
              ElementsAre("3 rt-first possible"));
  EXPECT_THAT(findings(check(switches(0, 0, 5, "S", 1) + wakes(10, 0, 1, 9, 0, 49) +
                             switches(20, 0, 1, "R", 9, 120, 49))),
              IsEmpty());
}

TEST_F(Trace, AffinityIsWhatIsGivenOrWhatANameSays) {
  const std::string trace = switches(0, 0, 5, "S", 1) + forks(10, 0, 1, 21, 1) +
                            switches(20, 1, 0, "R", 21) + switches(30, 1, 21, "S", 0);
  EXPECT_THAT(findings(check(trace)), IsEmpty());
  options.affinity[1] = {true, false};
  EXPECT_THAT(findings(check(trace)), ElementsAre("2 affinity-respected certain"));
  options.affinity.clear();
  const auto named = [&](const std::string& comm, int prio) {
    return findings(check(at(
        0, 1, 0,
        "sched_wakeup: comm=" + comm + " pid=7 prio=" + std::to_string(prio) + " target_cpu=001")));
  };
  EXPECT_THAT(named("migration/3", 0), ElementsAre("1 affinity-respected certain"));
  EXPECT_THAT(named("migration/1", 0), IsEmpty());
  EXPECT_THAT(named("kworker/3:1H", 100), ElementsAre("1 affinity-respected possible"));
  EXPECT_THAT(named("kworker/u3:1", 120), IsEmpty());
}

/// Two spawn loops, 1 on CPU 0 and 2 on CPU 1; a round takes 1 ms. In the last one the child of 1
/// goes to `target`.
std::string spawn_loops(int rounds, int target, const std::string& before_last = "") {
  std::string text = "# entries-in-buffer/entries-written: 9/9   #P:2\n" +
                     switches(0, 0, 5, "S", 1) + switches(0, 1, 6, "S", 2);
  for (int i = 1; i <= rounds; ++i) {
    const int t = i * 1000;
    const bool last = i == rounds;
    if (last) text += before_last;
    for (int cpu = 0; cpu < 2; ++cpu) {
      const int parent = cpu + 1;
      const int child = 100 + 2 * i + cpu;
      text += forks(t + cpu, cpu, parent, child, last ? target : cpu);
      if (last) return text;
      text += switches(t + 10 + cpu, cpu, parent, "S", child) +
              wakes(t + 600 + cpu, cpu, child, parent, cpu) +
              switches(t + 610 + cpu, cpu, child, "Z", parent);
    }
  }
  return text;
}

TEST_F(Trace, SpawnLoopKeepsItsChildrenWhereOnlyLoopsRun) {
  EXPECT_THAT(findings(check(spawn_loops(200, 0))), IsEmpty());
  EXPECT_THAT(findings(check(spawn_loops(200, 1))),
              ElementsAre(testing::HasSubstr("spawn-stays-local certain")));
  // Not long enough to know what ran before; too few rounds to be a loop; something else runs.
  EXPECT_THAT(findings(check(spawn_loops(20, 1))),
              ElementsAre(testing::HasSubstr("spawn-stays-local possible")));
  EXPECT_THAT(findings(check(spawn_loops(3, 1))), IsEmpty());
  EXPECT_THAT(findings(check(spawn_loops(200, 1, switches(199'800, 1, 2, "R", 77)))),
              ElementsAre(testing::HasSubstr("spawn-stays-local possible")));
  EXPECT_THAT(findings(check(spawn_loops(200, 1, kLost))), IsEmpty());
}

TEST_F(Trace, EventsOutOfOrderAreSortedAndTimeThatGoesBackIsAGap) {
  // A wakeup printed 60 lines late still counts; a second trace in the same file starts anew.
  std::string text = switches(0, 0, 5, "S", 1);
  for (int i = 0; i < 60; ++i) text += wakes(2'000'000 + i, 1, 4, 4, 1);
  text += wakes(10, 0, 1, 9, 0) + switches(1'500'000, 0, 1, "S", 9);
  EXPECT_THAT(findings(check(text)), ElementsAre("63 wait-bounded certain"));
  text = switches(0, 0, 5, "S", 1) + wakes(1'900'000, 0, 1, 9, 0);
  for (int i = 0; i < 300; ++i) text += wakes(2'000'000 + i, 1, 4, 4, 1);
  const TraceReport r = check(text + switches(10, 0, 1, "S", 9));
  EXPECT_GE(r.gaps.total, 1U);
  EXPECT_THAT(findings(r), IsEmpty());
}

TEST_F(Trace, WithoutTimesOnlyTheOrderIsJudged) {
  const std::string t = "-1 [000] d..2.: sched_";
  EXPECT_THAT(
      findings(
          check("a" + t + "switch: x:5 [120] S ==> a:1 [120]\na" + t +
                "wakeup: r:9 [49] CPU:000\n" + "a" + t + "wakeup: b:2 [120] CPU:000\na" + t +
                "switch: a:1 [120] S ==> b:2 [120]\nb-2 [000] d..2.: sched_switch: b:2 [120] S ==> "
                "r:9 [49]\n")),
      ElementsAre("4 rt-first possible"));
}

TEST_F(Trace, ListsAreBoundedAndStillCounted) {
  std::string text = wakes(1, 0, 1, 2, 1);
  for (int i = 0; i < 5000; ++i) text += "what is this\n";
  const TraceReport r = check(text);
  EXPECT_EQ(r.unparsed.first.size(), FirstOf<int>::kKept);
  EXPECT_EQ(r.unparsed.total, 5000U);
}

}  // namespace
}  // namespace schedcheck
