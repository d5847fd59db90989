// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lines of three tools: each spelling by hand, the small traces as they must be read, files that
/// are no traces.
#include "counterexamples/trace/event_body.hpp"
#include "counterexamples/trace/line_header.hpp"
#include "tests/counterexamples/trace_fixture.hpp"

namespace schedcheck {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

TraceEvent event_of(std::string_view line) {
  TraceEvent event;
  LineHeader header;
  if (!read_bracket_header(line, event, header) && !read_plain_header(line, event, header))
    ADD_FAILURE() << "no header: " << line;
  read_body(header.name, header.body, event);
  return event;
}

struct Spelling {
  const char* line;
  int cpu;
  int current;
  std::int64_t time_ns;
};

TEST(TraceHeader, IsFoundInEverySpelling) {
  const Spelling spellings[] = {
      {"<idle>-0 [000] d..2 1.5: sched_switch:", 0, 0, 1'500'000'000},
      {"a [1]-b-12 (  7) [002] dNh3. 1.000002: sched_switch:", 2, 12, 1'000'002'000},
      {"<...>-7 (-----) [002] d..2 1.000002003: sched_switch:", 2, 7, 1'000'002'003},
      {"x-7 [012] 17: sched_switch:", 12, 7, kUnknownNumber},
      {"x-7 [012] d..2. 17: sched_switch:", 12, 7, kUnknownNumber},
      {"x-7 [001] dN.1.:  sched_switch:", 1, 7, kUnknownNumber},
      {"[008] d..2.: sched_switch:", 8, kUnknownNumber, kUnknownNumber},
      {"buf:   x-7 [001] 2.000001: (+1952) sched_switch:", 1, 7, 2'000'001'000},
      {"a b 2  99 [001] 2.1: sched:sched_switch:", 1, 99, 2'100'000'000},
      {"a:b [7] 3/99 [001] 2.1:   1 sched:sched_switch/freq=9/:", 1, 99, 2'100'000'000},
      {":-1 -1 [001] 2.1: sched:sched_switch:u:", 1, kUnknownNumber, 2'100'000'000},
      {"x 99 [001] sched:sched_switch:", 1, 99, kUnknownNumber},
      {"bio thread/3  9001/9004 77.5: sched:sched_switch:", -1, 9004, 77'500'000'000},
      {" x-99  1dN.2. 4213us+: sched_switch:", 1, 99, 4'213'000},
  };
  for (const Spelling& s : spellings) {
    const TraceEvent event = event_of(s.line);
    EXPECT_EQ(event.kind, TraceKind::kSwitch) << s.line;
    EXPECT_EQ(std::tuple(event.cpu, event.current, event.time_ns),
              std::tuple(s.cpu, s.current, s.time_ns))
        << s.line;
  }
}

TEST(TraceHeader, IsNotFoundInOtherText) {
  TraceEvent event;
  LineHeader header;
  for (const char* line : {"", "[1]", "x-1 [001]", "x-1 [99999] d..2 1.0: a:", "see [001] d: x",
                           "[    0.80] CPU0 attaching", "a 1 2.0: no system:", "1.0: 2.0: 3.0:",
                           "x-1 [001] d..2 99999999999999999999.0: a:"})
    EXPECT_FALSE(read_bracket_header(line, event, header) || read_plain_header(line, event, header))
        << line;
}

TEST(TraceBody, OfASwitchMayHaveAnyCommandNames) {
  for (const std::string name : {"a", "a b", "a==> b=", " ==> ", "x:1 [2]", "prev_pid=1",
                                 " next_pid=1", "a:b [7]", "-", ":", "[001] 1.0: b"}) {
    for (const std::string& body :
         {"prev_comm=" + name + " prev_pid=31 prev_prio=97 prev_state=R+ ==> next_comm=" + name +
              " next_pid=42 next_prio=139",
          "prev_comm=" + name + " prev_pid=31 prev_prio=97 prev_state=4096 next_comm=" + name +
              " next_pid=42 next_prio=139 # remark",
          name + ":31 [97] R+ ==> " + name + ":42 [139]"}) {
      const TraceEvent e = event_of(name + "-31 [003] d..2. 1.000001: sched_switch: " + body);
      EXPECT_EQ(std::tuple(e.cpu, e.from, e.from_prio, e.task, e.prio, e.complete),
                std::tuple(3, 31, 97, 42, 139, true))
          << body;
      EXPECT_EQ(e.leaves, TraceLeaves::kRunnable) << body;
      EXPECT_EQ(e.name(), name) << body;
    }
  }
}

TEST(TraceBody, OfAWakeupHasItsTargetInFourSpellings) {
  for (const char* body :
       {"comm=a pid=1 b pid=7 prio=120 success=1 target_cpu=032", "a pid:7 [120] success=1 CPU:032",
        "a [1]:7 [120]<CANT FIND FIELD success> CPU:032", "a:7 [120] CPU:032 # remark"}) {
    const TraceEvent e = event_of(std::string("x-1 [000] 1.0: sched_wakeup_new: ") + body);
    EXPECT_EQ(std::tuple(e.task, e.prio, e.target, e.complete), std::tuple(7, 120, 32, true))
        << body;
  }
}

TEST(TraceBody, KeepsWhatACutLineStillHas) {
  EXPECT_FALSE(event_of("x-1 [0] 1.0: sched_wakeup: comm=a pid=7 prio=120 targ").complete);
  EXPECT_FALSE(event_of("x-1 [0] 1.0: sched_switch: prev_comm=a prev_p").complete);
  const TraceEvent e =
      event_of("[8] d..2.: sched_switch: ... ==> next_comm=wk next_pid=18 next_prio=1");
  EXPECT_EQ(std::tuple(e.from, e.task, e.complete), std::tuple(kUnknownNumber, 18, false));
  const TraceEvent fork = event_of(
      "x-1 [0] 1.0: sched_process_fork: parent_comm=a parent_pid=5 child_comm=b child_pid=6");
  EXPECT_EQ(std::tuple(fork.from, fork.task, fork.complete), std::tuple(5, 6, true));
}

TEST(TraceBody, KnowsTheStatesThatLeaveATaskRunnable) {
  const std::pair<const char*, TraceLeaves> states[] = {
      {"R", TraceLeaves::kRunnable},     {"R+", TraceLeaves::kRunnable},
      {"0", TraceLeaves::kRunnable},     {"256", TraceLeaves::kRunnable},
      {"0x100", TraceLeaves::kRunnable}, {"1", TraceLeaves::kSleeps},
      {"64", TraceLeaves::kSleeps},      {"D|W", TraceLeaves::kSleeps},
      {"1026", TraceLeaves::kSleeps},    {"x", TraceLeaves::kDead},
      {"Z", TraceLeaves::kDead},         {"?", TraceLeaves::kUnknown}};
  for (const auto& [state, leaves] : states)
    EXPECT_EQ(
        event_of(std::string("x-1 [0] 1.0: sched_switch: x:1 [120] ") + state + " ==> y:2 [120]")
            .leaves,
        leaves)
        << state;
}

TEST_F(Trace, SmallTracesAreReadAsExpected) {
  const auto read = [&](const char* name) { return check_trace(kTraces + name, options); };
  TraceReport r = read("t01_perf_script_pretty_mixed.txt");
  EXPECT_THAT(r.events, UnorderedElementsAre(Pair("sched_wakeup_new", 3), Pair("sched_switch", 6),
                                             Pair("sched_migrate_task", 1)));
  EXPECT_THAT(findings(r),
              ElementsAre("2 fork-burst-spreads possible", "3 fork-burst-spreads possible"));
  EXPECT_THAT(r.gaps.first, ElementsAre(Field(&TraceGap::text, HasSubstr("CPU 1 runs 4112"))));
  r = read("t02_perf_script_nocpu_stacks.txt");
  EXPECT_EQ(r.sched_events, 4U);
  EXPECT_THAT(findings(r), IsEmpty());
  r = read("t03_ftrace_tgid_flags.txt");
  EXPECT_EQ(std::tuple(r.sched_events, r.lost, r.overwritten), std::tuple(8U, 3271U, 4202U));
  r = read("t04_ftrace_5flags_fork.txt");
  EXPECT_EQ(r.sched_events, 7U);
  EXPECT_THAT(r.gaps.first, Contains(Field(&TraceGap::text, HasSubstr("CPU 32 runs 5315"))));
  r = read("t06_tracecmd_raw_numeric_state.txt");
  EXPECT_EQ(std::tuple(r.sched_events, r.lost), std::tuple(7U, 1284U));
  r = read("t07_ftrace_notimestamp_elided.txt");
  EXPECT_EQ(std::tuple(r.sched_events, r.incomplete, r.other_events), std::tuple(5U, 3U, 2U));
  EXPECT_THAT(findings(r), IsEmpty());
  r = read("t14_perf_ns_reordered_lost.txt");
  EXPECT_EQ(std::tuple(r.sched_events, r.lost), std::tuple(6U, 17U));
  EXPECT_THAT(findings(r), ElementsAre("11 wait-bounded possible"));
}

TEST_F(Trace, LinesBetweenEventsAreExplainedAndOthersNamed) {
  const TraceReport r = check(
      "# tracer: nop\r\n\ncpus=4\nversion = 6\nCPU 1 is empty\n##### CPU 1 buffer started ####\n" +
      wakes(1, 0, 1, 2, 1) +
      "\tffffffff81b0a1b3 schedule+0x1 ([kernel.kallsyms])\n\t           ee137 f (/lib/x.so)\n"
      " => schedule\n => <00007f12>\n  x-1 [000] d..2. 10.000002: <stack trace>\n"
      "  x-1 [000] d..2. 10.000003: irq_handler_entry: irq=1\nwhat is this\n"
      "Processed 3 events and lost 1 chunks!\n\nCheck IO/CPU overload!\n  x-1 [000] d..2. 10.0");
  EXPECT_THAT(r.unparsed.first, ElementsAre(14, 18));
  EXPECT_EQ(std::tuple(r.lines, r.sched_events, r.other_events), std::tuple(18U, 1U, 2U));
}

TEST_F(Trace, LossesAreCountedInEverySpelling) {
  EXPECT_EQ(check(wakes(1, 0, 1, 2, 1) + "CPU:1 [LOST 5 EVENTS]\nCPU:1 [40 EVENTS DROPPED]\n"
                                         "CPU:2 [EVENTS DROPPED]\n"
                                         "x 1 [000] 10.0: PERF_RECORD_LOST lost 300\n")
                .lost,
            345U);
}

TEST_F(Trace, FilesThatAreNoTracesAreNamed) {
  for (const auto& [file, what] :
       {std::pair("t05_trace_printk_reweight_multiline.txt", "reweight_entity"),
        std::pair("t08_sched_debug_old_and_new.txt", "sched/debug"),
        std::pair("t09_sched_domains_dmesg.txt", "sched domains"),
        std::pair("t10_scx_dump_journald.txt", "sched_ext"),
        std::pair("t11_schedstat_v15.txt", "schedstat"),
        std::pair("t11b_schedstat_v17.txt", "schedstat"),
        std::pair("t12_perf_sched_latency_timehist.txt", "perf sched latency"),
        std::pair("t13_eevdf_tree_dump.txt", "EEVDF")}) {
    std::ifstream in(kTraces + file);
    EXPECT_THAT(message({std::istreambuf_iterator<char>(in), {}}), HasSubstr(what)) << file;
  }
  EXPECT_THAT(message(""), HasSubstr("no scheduler event in 0 lines"));
  EXPECT_THAT(message("# tracer: nop\n"), HasSubstr("no scheduler event"));
  EXPECT_THAT(message(wakes(1, 0, 1, 2, 1) + std::string(1, '\0')), HasSubstr("binary"));
  EXPECT_THROW(check_trace(testing::TempDir(), options), InputError);
  EXPECT_THROW(check_trace(kTraces + "missing", options), InputError);
}

TEST_F(Trace, HugeAndHostileLinesAreOnlyNotUnderstood) {
  const std::string huge(700'000, 'x');
  TraceReport r = check(huge + "\n" + wakes(1, 0, 1, 2, 1) + huge);
  EXPECT_THAT(r.unparsed.first, ElementsAre(1, 3));
  EXPECT_EQ(r.sched_events, 1U);
  // Every cut of a line, and every byte of it replaced, is read without harm.
  const std::string line = switches(1, 0, 1, "S", 2);
  std::string text = line;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    text += line.substr(0, i) + "\n";
    for (const char c : {'[', ':', ' ', '9', '-', '\xff'})
      text += line.substr(0, i) + c + line.substr(i + 1);
  }
  r = check(text);
  EXPECT_GT(r.sched_events, 100U);
  EXPECT_GT(r.unparsed.total, 10U);
}

}  // namespace
}  // namespace schedcheck
