// SPDX-License-Identifier: Apache-2.0
/// \file minimize, explain, export.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/certify.hpp"
#include "cli/commands.hpp"
#include "counterexamples/explain.hpp"
#include "counterexamples/export/export.hpp"
#include "counterexamples/minimize.hpp"
#include "counterexamples/schedule_json.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck::cli {
namespace {

void deliver(const std::string& text, const std::string& out, bool executable = false) {
  if (out.empty() || out == "-") {
    put(text);
  } else {
    write_file(out, text, executable);
  }
}

/// What the claim rests on: how far, over which events, and that the start stays.
std::string minimality_text(const Schedule& small, const SearchReport& report) {
  const std::string& claim = small.finding->minimality;
  if (claim.empty()) return "work limit reached: no claim";
  if (report.alphabet == 0)
    return claim + ": no event can be dropped; too long to search all shorter schedules";
  const std::string over = fmt::format(
      "over {} events (all kinds on tasks 0..{} and all CPUs, after and for 0, 48128 ns and the "
      "schedule's durations; exits wake nobody and end at once), same machine and start, {} runs",
      report.alphabet, small.max_tasks - 1, report.runs);
  if (report.exhausted)
    return fmt::format("{}: none of at most {} events fails {}", claim, report.tried_up_to, over);
  return fmt::format("{}: tried all of at most {} events {}, where the budget ended", claim,
                     report.tried_up_to, over);
}

/// Formulas are made in solver/, which exporters do not know; they are of a question about all
/// schedules, not of one.
[[noreturn]] void refuse_smt2(const Schedule& schedule) {
  throw InputError(fmt::format(
      "export --to smt2: a formula is of a question, not of one schedule; use schedcheck solve "
      "--property {} --kernel {} --topology {} --tasks {} --depth {} --smt2 FILE",
      schedule.finding ? schedule.finding->property : "P", schedule.kernel, schedule.topology,
      schedule.max_tasks, std::max<std::size_t>(1, schedule.events.size())));
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
  if (schedule.finding) {
    property = property_index(schedule.finding->property);
    if (std::none_of(run.violations.begin(), run.violations.end(),
                     [&](const Violation& v) { return v.property == property; }))
      throw InputError(fmt::format(
          "{}: /finding/property: {} is not violated here; drop the finding or mend the schedule",
          file, schedule.finding->property));
  }
  MinimizeOptions options;
  SearchReport report;
  Schedule small = minimize(schedule, violates(property), options, &report);
  std::string certified;
  std::optional<Certificate> certificate;
  if (certify) certificate = certify_shortest(small, property, certified);
  const RunResult result =
      run_schedule(make_model(small), small, PropertySet{1} << property, property);
  const Violation* violation = result.of(property);
  small.finding = Finding{std::string(property_catalogue()[property].name),
                          violation->event,
                          violation->numbers,
                          schedule.finding ? schedule.finding->engine : "",
                          schedule.finding ? schedule.finding->seed : 0,
                          certificate ? "certified shortest" : small.finding->minimality,
                          certificate};
  deliver(to_json(small), out);
  note("{}: {} events -> {}, {}\n", small.finding->property, schedule.events.size(),
       small.events.size(), certify ? certified : minimality_text(small, report));
  return kHolds;
}

int run_explain(const std::string& what) {
  for (std::size_t p = 0; p < kPropertyCount; ++p) {
    if (property_catalogue()[p].name != what) continue;
    print("{}", explain_property(p));
    return kHolds;
  }
  if (what != "-" && !std::filesystem::exists(what))
    throw InputError(fmt::format(
        "explain '{}': neither a property nor a file; see schedcheck list properties", what));
  print("{}", explain_schedule(load_schedule(what), what));
  return kHolds;
}

int run_export(const std::string& file, const std::string& format, const std::string& out) {
  const Schedule schedule = load_schedule(file);
  if (format == "smt2") refuse_smt2(schedule);
  const Replay run = replay(schedule);
  require_enabled(run, schedule, file);
  require_finding(run, schedule, file);
  deliver(export_schedule(schedule, format), out, format == "sh" || format == "bpftrace");
  return kHolds;
}

}  // namespace schedcheck::cli
