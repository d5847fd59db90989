// SPDX-License-Identifier: Apache-2.0
/// \file Export format `rt-app-master`: a workload for rt-app from 2018 on: with forks.
#include "counterexamples/export/export.hpp"
#include "counterexamples/export/rt_app_program.hpp"

namespace schedcheck {

std::string export_rt_app_master(const Schedule& schedule) {
  return rt_app_program(schedule, {"rt-app-master", true, "c or sh"});
}

}  // namespace schedcheck
