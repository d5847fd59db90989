// SPDX-License-Identifier: Apache-2.0
/// \file Traces as text for the tests of trace check.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "counterexamples/trace/check_trace.hpp"
#include "tests/support/refusal.hpp"

namespace schedcheck {

inline const std::string kTraces = SCHEDCHECK_SOURCE_DIR "/tests/data/traces/";

class Trace : public testing::Test {
 public:
  TraceReport check(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return check_trace(path_, options);
  }
  std::string message(const std::string& text) {
    return refusal_of([&] { check(text); });
  }
  ~Trace() override { std::filesystem::remove(path_); }

  TraceOptions options;

 private:
  std::string path_ =
      std::filesystem::temp_directory_path() / ("schedcheck-trace-" + std::to_string(getpid()));
};

/// "line property verdict", the findings of a report.
inline std::vector<std::string> findings(const TraceReport& report) {
  std::vector<std::string> all;
  for (const TraceFinding& f : report.findings())
    all.push_back(std::to_string(f.line) + " " + f.property +
                  (f.certain ? " certain" : " possible"));
  return all;
}

/// Lines of ftrace text, with times in microseconds.
inline std::string at(int us, int cpu, int current, const std::string& event) {
  char time[32];
  std::snprintf(time, sizeof time, "%d.%06d", 10 + us / 1'000'000, us % 1'000'000);
  return "  task-" + std::to_string(current) + " [00" + std::to_string(cpu) + "] d..2. " + time +
         ": " + event + "\n";
}
inline std::string switches(int us, int cpu, int from, const std::string& state, int to,
                            int from_prio = 120, int to_prio = 120) {
  const auto name = [](int pid) { return std::string(pid == 0 ? "swapper" : "task"); };
  return at(us, cpu, from,
            "sched_switch: prev_comm=" + name(from) + " prev_pid=" + std::to_string(from) +
                " prev_prio=" + std::to_string(from_prio) + " prev_state=" + state +
                " ==> next_comm=" + name(to) + " next_pid=" + std::to_string(to) +
                " next_prio=" + std::to_string(to_prio));
}
inline std::string wakes(int us, int cpu, int current, int pid, int target, int prio = 120,
                         const std::string& event = "sched_wakeup") {
  return at(us, cpu, current,
            event + ": comm=task pid=" + std::to_string(pid) + " prio=" + std::to_string(prio) +
                " target_cpu=00" + std::to_string(target));
}
inline std::string forks(int us, int cpu, int parent, int pid, int target) {
  return wakes(us, cpu, parent, pid, target, 120, "sched_wakeup_new");
}

}  // namespace schedcheck
