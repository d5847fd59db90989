// SPDX-License-Identifier: Apache-2.0
/// \file Schedules in the formats of other tools; one exporter per file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/schedule.hpp"

namespace schedcheck {

/// `list formats` and `export --to` show these.
struct ExportFormat {
  std::string_view name;
  std::string_view meaning;
  std::string (*write)(const Schedule& schedule);
};

/// All formats, by name.
std::span<const ExportFormat> export_formats();

/// `schedule` in `format`. Throws InputError for an unknown format, naming the known ones, and for
/// a schedule whose topology or kernel is unknown.
std::string export_schedule(const Schedule& schedule, std::string_view format);

/// The schedule file again (docs/schedule-format.md).
std::string export_json(const Schedule& schedule);

/// A bpftrace script that watches the finding's property on a live kernel.
std::string export_bpftrace(const Schedule& schedule);

/// A C file that runs the schedule with real processes on the machine it is started on.
std::string export_c(const Schedule& schedule);

/// The text of a kernel trace of sched events, with a mark for each event of the schedule.
std::string export_ftrace(const Schedule& schedule);

/// Chrome trace-event JSON: a track per CPU, counters, arrows for forks and wakeups.
std::string export_perfetto(const Schedule& schedule);

/// A Graphviz graph: which event needs which earlier one.
std::string export_dot(const Schedule& schedule);

/// One HTML page without other files: what happens step by step, beside a kernel on which the
/// property holds if switches alone make that difference.
std::string export_html(const Schedule& schedule);

/// rt-app workloads; what rt-app 1.0 would ignore without a message is refused.
std::string export_rt_app_1_0(const Schedule& schedule);
std::string export_rt_app_master(const Schedule& schedule);

/// A shell script that runs the schedule with real processes on the machine it is started on.
std::string export_sh(const Schedule& schedule);

}  // namespace schedcheck
