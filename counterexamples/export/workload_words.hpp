// SPDX-License-Identifier: Apache-2.0
/// \file What exported workloads say about their schedule, and the plan that they follow.
#pragma once

#include <string>
#include <string_view>

#include "counterexamples/export/workload_plan.hpp"

namespace schedcheck {

/// Text from a file for a comment or a quoted word: what could end either is replaced.
std::string harmless(std::string_view text);

/// The command of the benchmark whose published result the schedule's property is about.
std::string published_command(const Schedule& schedule);

/// Lines that start with `#`: the finding, the machine, the published benchmark.
std::string about_schedule(const Schedule& schedule);
/// The same for what programs with processes cannot express.
std::string process_limits(const WorkloadPlan& plan);

/// The plan as the C program reads it. Throws InputError for a kind of event it has no row for.
std::string plan_text(const WorkloadPlan& plan);

/// nice_of_weight() of the weight nearest to `weight` that has one.
int nearest_nice(std::int64_t weight);

/// InputError if a task starts in a group or as an RT task, which `format` cannot express.
void refuse_groups_and_policies(std::string_view format, const WorkloadPlan& plan);

/// InputError: `format` cannot express event `label`, because `why`; `instead`: formats that can.
[[noreturn]] void refuse_event(std::string_view format, std::string_view label, const Event& event,
                               std::string_view why, std::string_view instead);

}  // namespace schedcheck
