// SPDX-License-Identifier: Apache-2.0
/// \file Export format `rt-app-1.0`: a workload for Debian's rt-app 1.0: no forks.
#include "counterexamples/export/export.hpp"
#include "counterexamples/export/rt_app_program.hpp"

namespace schedcheck {

std::string export_rt_app_1_0(const Schedule& schedule) {
  return rt_app_program(schedule, {"rt-app-1.0", false, "rt-app-master, c or sh"});
}

}  // namespace schedcheck
