// SPDX-License-Identifier: Apache-2.0
/// \file Export format `c`: one C file, without dependencies, that runs the schedule with real
/// processes. Compiles with gcc -Wall -Wextra -Werror.
#include <fmt/format.h>

#include "counterexamples/export/c_program.hpp"
#include "counterexamples/export/export.hpp"
#include "counterexamples/export/workload_words.hpp"
#include "model/kernel_switches.hpp"

namespace schedcheck {
namespace {

/// Every line of `text` in front of its end gets `open` and `close` around it.
std::string around_lines(std::string_view text, std::string_view open, std::string_view close) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    result += fmt::format("{}{}{}\n", open, text.substr(0, end), close);
    text.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace

std::string c_program(const Schedule& schedule, const WorkloadPlan& plan) {
  // A comment of the plan would be read as an event: what is left out is said elsewhere.
  std::string lines;
  const std::string text = plan_text(plan);
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n') + 1;
    if (rest.front() != '#') lines += rest.substr(0, end);
    rest.remove_prefix(end);
  }
  return "/* machine CPUS TASKS EVENTS END_NS\n"
         "   task CPU NICE BLOCKED UTIL_AVG CPUS                   (UTIL_AVG -1: a fresh task)\n"
         "   event LABEL AT_NS WHAT TASK OTHER CPU CPUS  (OTHER: the child, and CPU where the "
         "model\n"
         "     places it, or the task that an exit wakes; CPUS: for set_affinity) */\n"
         "static const char plan[] =\n" +
         around_lines(lines, "    \"", "\\n\"") + "    ;\n" +
         fmt::format(
             "static const double default_scale = {};\n"
             "static const char model_kernel[] = \"{}\", model_topology[] = \"{}\";\n\n",
             default_scale(plan), harmless(parse_kernel(schedule.kernel).name),
             harmless(schedule.topology)) +
         std::string(kProgramTasksC) + std::string(kProgramDriverC) + std::string(kProgramMainC);
}

std::string export_c(const Schedule& schedule) {
  const WorkloadPlan plan = plan_workload(schedule);
  std::string head = about_schedule(schedule) +
                     fmt::format(R"(# How to run
#   cc -O2 -o run THIS_FILE && ./run [--scale K] [--cgroup CGROUP/cgroup.procs]
#   real time = model time * K. Best as root on an idle machine with exactly {} CPUs and the
#   kernel above. `outcome: as in the model`: every child first ran where the model put it.
#
)",
                                 plan.nr_cpus) +
                     process_limits(plan);
  for (std::size_t at = 0; at < head.size(); at = head.find('\n', at) + 1)
    head.replace(at, 1, "//");
  return "// Runs a schedule found by schedcheck with real processes on the machine it is started "
         "on.\n//\n" +
         head + "\n" + c_program(schedule, plan);
}

}  // namespace schedcheck
