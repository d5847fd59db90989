// SPDX-License-Identifier: Apache-2.0
/// \file Kind `exit_path`.
#include "counterexamples/conform/exit_path.hpp"

#include <charconv>
#include <optional>
#include <string_view>

#include "counterexamples/conform/exit_spawn_loop.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"

namespace schedcheck {
namespace {

bool needs_groups(std::string_view name) {
  const std::size_t at = name.find("depth");
  return at != std::string_view::npos && !name.substr(at).starts_with("depth0");
}

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

void check_table(const ExitTableCase& c, const JsonReader& table, ConformFile& result) {
  const auto got = c.run<NativeDomain>(c.units);
  if (got.size() != c.expected.size())
    table.fail(std::to_string(got.size()) + " steps are expected, not " +
               std::to_string(c.expected.size()));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const ExitStep<NativeDomain>& step = c.expected[i];
    if (step.label != got[i].label)
      table.at(i).fail("the step '" + got[i].label + "' is expected, not '" + step.label + "'");
    std::string first;
    for (const auto& [name, value] : step.numbers) {
      const auto model = got[i].numbers.find(name);
      if (model == got[i].numbers.end()) table.at(i).fail("number '" + name + "' is unknown");
      if (!first.empty() || model->second == value) continue;
      first = c.name + " step " + std::to_string(i) + " '" + step.label + "': " + name + ": " +
              std::to_string(value) + " in the file, " + std::to_string(model->second) +
              " in the model";
    }
    count_row(result, first);
  }
}

}  // namespace

Model exit_path_model(bool move, int max_tasks) {
  Model model;
  model.topology = build_sched_domains(parse_topology("smp:1"));
  model.kernel.exit_move = move ? ExitMove::kFull : ExitMove::kNone;
  model.tick_ns = 0;
  // The tables say who runs; nothing is preempted.
  model.eevdf = false;
  model.max_tasks = max_tasks;
  return model;
}

std::vector<ExitTableCase> exit_table_cases(const JsonReader& file) {
  std::vector<ExitTableCase> cases;
  for (const std::string& name : file.keys())
    if (!name.starts_with("S3") && !needs_groups(name))
      cases.push_back(read_table(name, file.at(name)));
  return cases;
}

void check_exit_path(const JsonReader& file, ConformFile& result) {
  for (const ExitTableCase& c : exit_table_cases(file)) check_table(c, file.at(c.name), result);
  for (const std::string& name : file.keys()) {
    if (name.starts_with("S3")) {
      check_spawn_loop(name, file.at(name), result);
    } else if (needs_groups(name)) {
      const auto rows = static_cast<std::int64_t>(file.at(name).size());
      skip_rows(result, rows,
                name + " (" + std::to_string(rows) + " steps): task groups are not modelled");
    }
  }
}

}  // namespace schedcheck
