// SPDX-License-Identifier: Apache-2.0
/// \file Two kernels in words: the switches in which they differ, a diverging decision side by
/// side.
#pragma once

#include <string>

#include "counterexamples/two_kernels.hpp"

namespace schedcheck::cli {

/// "exit_move bail_if_same_group -> full (eff6c8ce8d4d ...)", one line per switch; empty if none.
std::string switch_differences(const std::string& kernel_a, const std::string& kernel_b);

/// Which decision, and what each kernel read and chose.
std::string divergence_text(const Divergence& d, const Schedule& schedule,
                            const std::string& kernel_a, const std::string& kernel_b);

/// "fork of task 2 by task 0 on CPU 0", "wakeup of task 3".
std::string decision_name(const Divergence& d, const Schedule& schedule);

}  // namespace schedcheck::cli
