// SPDX-License-Identifier: Apache-2.0
/// \file Kind `exit_path`.
#include "counterexamples/conform/exit_path.hpp"

#include <charconv>
#include <optional>
#include <string_view>

#include "counterexamples/conform/exit_path_groups.hpp"
#include "counterexamples/conform/exit_spawn_loop.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "model/kernel_switches.hpp"

namespace schedcheck {
namespace {

/// The number before "units" in a table's name, such as 500 in S1_one_child_500units_depth0_move1.
std::optional<std::int64_t> units_in(std::string_view name) {
  const std::size_t end = name.find("units");
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t begin = name.substr(0, end).rfind('_') + 1;
  std::int64_t units = 0;
  const auto [rest, error] = std::from_chars(name.data() + begin, name.data() + end, units);
  if (error != std::errc{} || rest != name.data() + end) return std::nullopt;
  return units;
}

/// The numbers of a step; those of nested objects as `leaf/util_avg`.
void read_numbers(const JsonReader& object, const std::string& prefix,
                  std::map<std::string, std::int64_t>& numbers) {
  for (const std::string& key : object.keys()) {
    const JsonReader value = object.at(key);
    if (value.is_object()) {
      read_numbers(value, prefix + key + "/", numbers);
    } else {
      numbers[prefix + key] = value.integer(0, kFileResultMax);
    }
  }
}

ExitTableCase read_table(const std::string& name, const JsonReader& table) {
  ExitTableCase c;
  c.name = name;
  const std::string_view text = name;
  const auto units = units_in(text);
  if (text.starts_with("S0_")) {
    c.program = ExitProgram::kBusyCpu;
  } else if (text.starts_with("S1b_")) {
    c.program = ExitProgram::kLateMove;
  } else if (!text.starts_with("S1_") && !text.starts_with("S2_")) {
    table.fail("a table S0_, S1_, S1b_ or S2_ is expected");
  }
  if (!units || !(text.ends_with("_move0") || text.ends_with("_move1")))
    table.fail("a name like S1_one_child_500units_depth0_move1 is expected");
  c.units = *units;
  c.move = text.ends_with("1");
  c.exit_move = exit_moves(c.move)[0];
  c.depth = exit_path_depth(name, table);
  if (c.depth > 0 && c.program == ExitProgram::kBusyCpu)
    table.fail("tables S0_ are expected without groups");
  int forks = 0;
  for (const JsonReader& step : table.elements()) {
    const auto cells = step.elements(2);
    ExitStep<NativeDomain> read{cells[0].text(), {}};
    read_numbers(cells[1], "", read.numbers);
    if (read.label.starts_with("fork")) ++forks;
    c.expected.push_back(std::move(read));
  }
  c.children = forks;
  const std::int64_t total = c.units * forks + (c.program == ExitProgram::kLateMove ? 500 : 0);
  if (forks < 1 || c.units < 1 || total > kWindowUnits)
    table.fail("at least one fork and at most one window of running are expected");
  return c;
}

/// The first number of a step that differs; empty: none.
std::string step_difference(const ExitTableCase& c, std::size_t number,
                            const ExitStep<NativeDomain>& got, const JsonReader& step) {
  const ExitStep<NativeDomain>& expected = c.expected[number];
  if (expected.label != got.label)
    step.fail("the step '" + got.label + "' is expected, not '" + expected.label + "'");
  std::string first;
  for (const auto& [name, value] : expected.numbers) {
    const auto model = got.numbers.find(name);
    if (model == got.numbers.end()) step.fail("number '" + name + "' is unknown");
    if (!first.empty() || model->second == value) continue;
    KernelSwitches kernel;
    kernel.exit_move = c.exit_move;
    first = c.name + " step " + std::to_string(number) + " '" + expected.label +
            "', exit_move=" + std::string(switch_value(kernel, "exit_move")) + ": " + name + ": " +
            std::to_string(value) + " in the file, " + std::to_string(model->second) +
            " in the model";
  }
  return first;
}

void check_table(ExitTableCase c, const JsonReader& table, ConformFile& result) {
  std::vector<std::string> differences(c.expected.size());
  for (const ExitMove exit_move : exit_moves(c.move)) {
    c.exit_move = exit_move;
    const auto got = c.depth > 0 ? play_exit_table_in_groups(c) : c.run<NativeDomain>(c.units);
    if (got.size() != c.expected.size())
      table.fail(std::to_string(got.size()) + " steps are expected, not " +
                 std::to_string(c.expected.size()));
    for (std::size_t i = 0; i < got.size(); ++i) {
      const std::string difference = step_difference(c, i, got[i], table.at(i));
      if (differences[i].empty()) differences[i] = difference;
    }
  }
  for (const std::string& difference : differences) count_row(result, difference);
}

}  // namespace

Model exit_path_model(ExitMove exit_move, int max_tasks) {
  Model model;
  model.topology = build_sched_domains(parse_topology("smp:1"));
  model.kernel.exit_move = exit_move;
  model.tick_ns = 0;
  // The tables say who runs; nothing is preempted.
  model.eevdf = false;
  model.max_tasks = max_tasks;
  return model;
}

int exit_path_depth(std::string_view name, const JsonReader& at) {
  const std::size_t found = name.find("depth");
  if (found == std::string_view::npos) return 0;
  const std::string_view digits = name.substr(found + std::string_view("depth").size());
  int depth = -1;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, depth);
  if (error != std::errc{} || rest == end || *rest != '_' || depth < 0 ||
      depth > kExitPathGroupsMax)
    at.fail("a depth from 0 to " + std::to_string(kExitPathGroupsMax) + " is expected in '" +
            std::string(name) + "'");
  return depth;
}

std::vector<ExitTableCase> exit_table_cases(const JsonReader& file) {
  std::vector<ExitTableCase> cases;
  for (const std::string& name : file.keys()) {
    if (name.starts_with("S3")) continue;
    ExitTableCase table = read_table(name, file.at(name));
    if (table.depth == 0) cases.push_back(std::move(table));
  }
  return cases;
}

void check_exit_path(const JsonReader& file, ConformFile& result) {
  for (const std::string& name : file.keys()) {
    if (name.starts_with("S3")) {
      check_spawn_loop(name, file.at(name), result);
    } else {
      check_table(read_table(name, file.at(name)), file.at(name), result);
    }
  }
}

}  // namespace schedcheck
