// SPDX-License-Identifier: Apache-2.0
/// \file The table of export formats.
#include "counterexamples/export/export.hpp"

#include <array>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

constexpr std::array<ExportFormat, 2> kFormats = {{
    {"json", "the schedule file, to keep or to replay", export_json},
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
