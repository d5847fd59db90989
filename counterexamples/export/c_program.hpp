// SPDX-License-Identifier: Apache-2.0
/// \file The C program that runs a plan with real processes: the whole of `c`, the helper of `sh`.
#pragma once

#include <string>
#include <string_view>

#include "counterexamples/export/workload_plan.hpp"
#include "model/schedule.hpp"

namespace schedcheck {

// The parts that are the same for every schedule, in order of use.
extern const std::string_view kProgramTasksC;
extern const std::string_view kProgramDriverC;
extern const std::string_view kProgramMainC;

/// The program without its opening comment.
std::string c_program(const Schedule& schedule, const WorkloadPlan& plan);

}  // namespace schedcheck
