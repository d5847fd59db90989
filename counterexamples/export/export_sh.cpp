// SPDX-License-Identifier: Apache-2.0
/// \file Export format `sh`: a self-contained script around the C program of `c`, which falls back
/// to shell processes where there is no compiler.
#include <fmt/format.h>

#include "counterexamples/export/c_program.hpp"
#include "counterexamples/export/export.hpp"
#include "counterexamples/export/sh_sections.hpp"
#include "counterexamples/export/workload_words.hpp"
#include "model/kernel_switches.hpp"

namespace schedcheck {
namespace {

std::string usage_section(const WorkloadPlan& plan) {
  return fmt::format(R"(# How to run
#   sh SCRIPT [--help]; best as root on an idle machine or virtual machine with exactly {} CPUs
#   and the kernel above. A C compiler gives microseconds, without one sleeps are used.
#
# What to look at
#   The line `outcome:` is `as in the model` if every child first ran where the model put it,
#   and `not comparable` on a machine with fewer CPUs than the model.
#   In tracefs (--trace): target_cpu of sched_wakeup_new is the kernel's choice for a child;
#   sched_process_fork and sched_process_exit frame it, sched_switch shows who ran.
#
)",
                     plan.nr_cpus);
}

std::string settings_section(const Schedule& schedule, const WorkloadPlan& plan) {
  return fmt::format("set -u\n\nnr_cpus={}\nscale={:.9g}\nmodel_kernel='{}'\nmodel_topology='{}'\n",
                     plan.nr_cpus, default_scale(plan),
                     harmless(parse_kernel(schedule.kernel).name), harmless(schedule.topology));
}

}  // namespace

std::string export_sh(const Schedule& schedule) {
  const WorkloadPlan plan = plan_workload(schedule);
  std::string script =
      "#!/bin/sh\n"
      "# Runs a schedule found by schedcheck with real processes on the machine it is started "
      "on.\n#\n" +
      about_schedule(schedule) + usage_section(plan) + process_limits(plan) +
      settings_section(schedule, plan);
  script +=
      std::string(kShOptions) + std::string(kShCleanup) +
      "\n# The schedule for the fallback; the C program has it too and explains the columns.\n"
      "model_plan() {\n  cat <<'PLAN'\n" +
      plan_text(plan) + "PLAN\n}\n" + std::string(kShRealPlan) + std::string(kShCgroup) +
      std::string(kShTrace) +
      "\n# --- the C program "
      "-----------------------------------------------------------------------\n\n"
      "helper_source() {\n  cat <<'HELPER_C'\n" +
      c_program(schedule, plan) + "HELPER_C\n}\n";
  for (const std::string_view part : {kShHelperRun, kShFallback, kShReport, kShMain})
    script += part;
  return script;
}

}  // namespace schedcheck
