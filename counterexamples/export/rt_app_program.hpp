// SPDX-License-Identifier: Apache-2.0
/// \file What both rt-app dialects share: a program of phases for each task.
#pragma once

#include <string>

#include "model/schedule.hpp"

namespace schedcheck {

/// What a dialect can do beyond run, sleep and masks.
struct RtAppDialect {
  std::string_view name;
  bool can_fork = false;
  std::string_view instead;  ///< Formats for what it cannot do.
};

/// The workload file. Throws InputError for what `dialect` cannot express, by its name.
std::string rt_app_program(const Schedule& schedule, const RtAppDialect& dialect);

}  // namespace schedcheck
