// SPDX-License-Identifier: Apache-2.0
/// \file Export format `json`: the schedule file.
#include "counterexamples/export/export.hpp"
#include "counterexamples/schedule_json.hpp"

namespace schedcheck {

std::string export_json(const Schedule& schedule) { return to_json(schedule); }

}  // namespace schedcheck
