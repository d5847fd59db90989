// SPDX-License-Identifier: Apache-2.0
/// \file The table of export formats.
#include "counterexamples/export/export.hpp"

#include <array>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

constexpr std::array<ExportFormat, 10> kFormats = {{
    {"bpftrace", "watches a live kernel for what the property forbids", export_bpftrace},
    {"c", "one C file that runs the schedule with real processes", export_c},
    {"dot", "for Graphviz: which events need which, the slice behind the violation", export_dot},
    {"ftrace", "the model's run as the text of a kernel trace", export_ftrace},
    {"html", "one page to look at: timeline, decisions, ledger, before and after", export_html},
    {"json", "the schedule file, to keep or to replay", export_json},
    {"perfetto", "trace-event JSON for ui.perfetto.dev and chrome://tracing", export_perfetto},
    {"rt-app-1.0", "a workload for Debian's rt-app 1.0, which cannot fork", export_rt_app_1_0},
    {"rt-app-master", "a workload for rt-app from 2018 on, which can", export_rt_app_master},
    {"sh", "a script that runs the schedule with real processes", export_sh},
}};

}  // namespace

std::span<const ExportFormat> export_formats() { return kFormats; }

std::string export_schedule(const Schedule& schedule, std::string_view format) {
  std::string known;
  for (const ExportFormat& candidate : kFormats) {
    if (candidate.name == format) return candidate.write(schedule);
    known += (known.empty() ? "" : ", ") + std::string(candidate.name);
  }
  throw InputError("export format '" + std::string(format) +
                   "' is unknown; known formats: " + known);
}

}  // namespace schedcheck
