// SPDX-License-Identifier: Apache-2.0
/// \file minimize, explain, export.
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "counterexamples/explain.hpp"
#include "counterexamples/export/export.hpp"
#include "counterexamples/minimize.hpp"
#include "counterexamples/schedule_json.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck::cli {
namespace {

void deliver(const std::string& text, const std::string& out) {
  if (out.empty()) {
    fmt::print("{}", text);
  } else {
    write_file(out, text);
  }
}

}  // namespace

int run_minimize(const std::string& file, bool certify, const std::string& out) {
  const Schedule schedule = load_schedule(file);
  const Replay run = replay(schedule);
  require_enabled(run, schedule, file);
  if (run.violations.empty())
    throw InputError(file +
                     ": nothing is violated in this schedule, so there is nothing to minimize");
  std::size_t property = run.violations.front().property;
  if (schedule.finding && !schedule.finding->property.empty()) {
    property = property_index(schedule.finding->property);
    if (std::none_of(run.violations.begin(), run.violations.end(),
                     [&](const Violation& v) { return v.property == property; }))
      throw InputError(fmt::format(
          "{}: /finding/property: {} is not violated here; drop the finding or mend the schedule",
          file, schedule.finding->property));
  }
  MinimizeOptions options;
  options.certify = certify;
  const StillFails fails = violates(property);
  Schedule small = minimize(schedule, fails, options);
  const RunResult result =
      run_schedule(make_model(small), small, PropertySet{1} << property, property);
  const Violation* violation = result.of(property);
  const std::string minimality = small.finding->minimality;
  small.finding = Finding{std::string(property_catalogue()[property].name),
                          violation->event,
                          violation->numbers,
                          schedule.finding ? schedule.finding->engine : "",
                          schedule.finding ? schedule.finding->seed : 0,
                          minimality};
  deliver(to_json(small), out);
  fmt::print(stderr, "{}: {} events -> {}{}\n", small.finding->property, schedule.events.size(),
             small.events.size(), minimality.empty() ? ", work limit reached" : ", " + minimality);
  return kHolds;
}

int run_explain(const std::string& what) {
  for (std::size_t p = 0; p < kPropertyCount; ++p) {
    if (property_catalogue()[p].name != what) continue;
    fmt::print("{}", explain_property(p));
    return kHolds;
  }
  if (what != "-" && !std::filesystem::exists(what))
    throw InputError(fmt::format(
        "explain '{}': neither a property nor a file; see schedcheck list properties", what));
  fmt::print("{}", explain_schedule(load_schedule(what), what));
  return kHolds;
}

int run_export(const std::string& file, const std::string& format, const std::string& out) {
  const Schedule schedule = load_schedule(file);
  require_enabled(replay(schedule, 0), schedule, file);
  deliver(export_schedule(schedule, format), out);
  if (format == "sh" && !out.empty()) {
    std::filesystem::permissions(out, std::filesystem::perms::owner_exec,
                                 std::filesystem::perm_options::add);
  }
  return kHolds;
}

}  // namespace schedcheck::cli
