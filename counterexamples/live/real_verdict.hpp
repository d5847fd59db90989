// SPDX-License-Identifier: Apache-2.0
/// \file Was the property violated on the kernel that was traced?
#pragma once

#include <string>

#include "counterexamples/live/fidelity.hpp"

namespace schedcheck {

/// Sets verdict and verdict_text of `result` from the monitors of `trace check`, as far as they
/// judge the finding's property and speak about the schedule's tasks.
void judge_for_real(const Schedule& schedule, const std::string& path, const KernelRecord& record,
                    Fidelity& result);

}  // namespace schedcheck
