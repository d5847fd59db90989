// SPDX-License-Identifier: Apache-2.0
/// \file Kind `domain_dump`.
#include "counterexamples/conform/domain_dump.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "counterexamples/conform/conform_case.hpp"
#include "counterexamples/domain_names.hpp"
#include "counterexamples/read_text_file.hpp"
#include "counterexamples/schedule_json_strict.hpp"
#include "counterexamples/topology_json.hpp"
#include "model/input_error.hpp"

namespace schedcheck {
namespace {

/// What the file says of one domain: lines by name, and the mask of its schedstat line.
using DomainLines = std::map<std::string, std::string>;
using Dump = std::map<std::pair<int, int>, DomainLines>;  // By CPU and domain.

const std::string kSpan = "span";  // Not a line of the folder, so no line is called so.

[[noreturn]] void fail_line(const std::string& file, int line, const std::string& what) {
  throw InputError(file + ":" + std::to_string(line) + ": " + what + "; correct the file");
}

/// Takes `word` and the number behind it from the front of `text`.
std::optional<int> take_number(std::string_view& text, std::string_view word) {
  int number = 0;
  if (!text.starts_with(word)) return std::nullopt;
  const char* first = text.data() + word.size();
  const char* end = text.data() + text.size();
  const auto at = std::from_chars(first, end, number);
  if (at.ec != std::errc() || *first == '-' || number >= kMachineCpuEnd) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(at.ptr - text.data()));
  return number;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") + 1 - first));
}

/// ".../cpu0/domain1/name: MC".
void read_domain_line(const std::string& file, int line, std::string_view text, Dump& dump) {
  text.remove_prefix(kDomainPrefix.size());
  const auto cpu = take_number(text, "cpu");
  const auto domain = cpu ? take_number(text, "/domain") : std::nullopt;
  const std::size_t colon = text.find(':');
  if (!domain || !text.starts_with('/') || colon == std::string_view::npos)
    fail_line(file, line, "'cpuN/domainN/NAME: VALUE' is expected behind the prefix");
  DomainLines& lines = dump[{*cpu, *domain}];
  if (!lines.try_emplace(std::string(text.substr(1, colon - 1)), trimmed(text.substr(colon + 1)))
           .second)
    fail_line(file, line, "the line is there twice");
}

/// "ff,00000003": words of 32 bits, the highest first; nothing for other text.
std::optional<std::vector<int>> cpus_of_mask(std::string_view mask) {
  std::vector<int> cpus;
  int word_from = 0;
  while (true) {
    const std::size_t comma = mask.rfind(',');
    const std::string_view word = comma == std::string_view::npos ? mask : mask.substr(comma + 1);
    std::uint32_t bits = 0;
    const auto at = std::from_chars(word.data(), word.data() + word.size(), bits, 16);
    if (at.ec != std::errc() || at.ptr != word.data() + word.size()) return std::nullopt;
    for (int bit = 0; bit < 32; ++bit)
      if ((bits >> bit & 1) != 0) cpus.push_back(word_from + bit);
    if (comma == std::string_view::npos) return cpus;
    mask = mask.substr(0, comma);
    word_from += 32;
  }
}

/// A line of /proc/schedstat: "cpu0 ..", or "domain0 MASK ..", since v6.14 "domain0 NAME MASK ..".
void read_schedstat_line(std::string_view text, int& cpu, Dump& dump) {
  std::istringstream words{std::string(text)};
  std::string first, mask;
  words >> first;
  std::string_view rest = first;
  if (const auto number = take_number(rest, "cpu"); number && rest.empty()) cpu = *number;
  const auto domain = take_number(rest = first, "domain");
  if (!domain || !rest.empty() || cpu < 0) return;
  for (int word = 0; word < 2 && words >> mask; ++word) {
    const auto cpus = cpus_of_mask(mask);
    if (!cpus) continue;
    dump[{cpu, *domain}][kSpan] = cpu_list_text(*cpus);
    return;
  }
}

Dump read_dump(const std::string& file, const std::string& text) {
  Dump dump;
  std::istringstream lines(text);
  int number = 0;
  int schedstat_cpu = -1;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with(kDomainPrefix))
      read_domain_line(file, number, line, dump);
    else
      read_schedstat_line(line, schedstat_cpu, dump);
  }
  return dump;
}

struct Subject {
  MachineDescription machine;
  KernelChoice kernel;
};

/// What machines.json beside the file says of it.
Subject subject_of(const std::filesystem::path& path) {
  const std::string file = path.filename().string();
  const std::string machines = (path.parent_path() / "machines.json").string();
  const std::string remedy = "add {\"" + file + R"(": {"topology": .., "kernel": ..}} to it)";
  if (!std::filesystem::exists(machines))
    throw InputError(path.string() +
                     ": a dump does not say which machine it shows and there is no " + machines +
                     "; write one: " + remedy);
  const auto tree = parse_strict_json(read_text_file(machines), machines);
  const JsonPlace all(tree, machines);
  if (!tree.is_object() || !all.has(file)) all.fail("says nothing of " + file + "; " + remedy);
  const JsonPlace entry = all.at(file);
  entry.expect_object({"topology", "kernel"});
  const JsonPlace topology = entry.at("topology");
  const JsonPlace kernel = entry.at("kernel");
  Subject subject;
  subject.kernel = with_place(kernel, [&] { return parse_kernel(kernel.text()); });
  if (!topology.value().is_string()) {
    subject.machine = read_topology(file, topology);
    return subject;
  }
  const std::string name = topology.text();
  const bool is_file = name.ends_with(".json") && !name.starts_with('/');
  subject.machine = with_place(topology, [&] {
    return load_topology(is_file ? (path.parent_path() / name).string() : name);
  });
  return subject;
}

/// What a dump of the model would say.
Dump model_dump(const Subject& subject) {
  const auto topology = build_sched_domains(subject.machine, subject.kernel.switches);
  const int version = subject.kernel.version;
  const auto& numbers = subject.machine.host_cpu;
  Dump dump;
  for (std::size_t cpu = 0; cpu < topology.domains.size(); ++cpu) {
    for (std::size_t d = 0; d < topology.domains[cpu].size(); ++d) {
      const SchedDomain& sd = topology.domains[cpu][d];
      dump[{numbers[cpu], static_cast<int>(d)}] = {
          {"name", domain_name(sd, version)},
          {"flags", flag_names(sd.flags, version, "SD_")},
          {"imbalance_pct", std::to_string(sd.imbalance_pct)},
          {"busy_factor", std::to_string(sd.busy_factor)},
          {"cache_nice_tries", std::to_string(sd.cache_nice_tries)},
          {"min_interval", std::to_string(sd.min_interval())},
          {"max_interval", std::to_string(sd.max_interval())},
          {"groups_flags", flag_names(sd.group_flags.at(0), version, "SD_")},
          {"level", std::to_string(sd.level)},
          {kSpan, cpu_list_text(subject.machine, sd.span)}};
    }
  }
  return dump;
}

/// Lines that only some kernels or some dumps have.
bool may_be_missing(const std::string& name) {
  return name == "groups_flags" || name == "level" || name == kSpan;
}

/// Flags are a set: their order differs between versions.
std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
  std::sort(words.begin(), words.end());
  return words;
}

/// The first line of a domain that differs.
std::string lines_difference(const std::string& file, const std::string& row,
                             const DomainLines& lines, const DomainLines& model) {
  for (const auto& [name, expected] : model) {
    const auto line = lines.find(name);
    if (line == lines.end()) {
      if (may_be_missing(name)) continue;
      throw InputError(file + ": " + row + " has no line '" + name +
                       "'; give the whole folder, as grep -r . prints it");
    }
    if (words_of(line->second) != words_of(expected))
      return row + ": " + name + ": '" + line->second + "' in the file, '" + expected +
             "' in the model";
  }
  return "";
}

}  // namespace

void check_domain_dump(const std::filesystem::path& path, const std::string& text,
                       ConformFile& result) {
  result.kind = "domain_dump";
  const Dump dump = read_dump(result.file, text);
  const Dump model = model_dump(subject_of(path));
  const auto row_name = [](const std::pair<int, int>& row) {
    return "cpu" + std::to_string(row.first) + "/domain" + std::to_string(row.second);
  };
  for (const auto& [row, lines] : dump) {
    const auto at = model.find(row);
    count_row(result, at == model.end()
                          ? row_name(row) + ": in the file, not in the model"
                          : lines_difference(result.file, row_name(row), lines, at->second));
  }
  for (const auto& [row, lines] : model)
    if (!dump.contains(row)) count_row(result, row_name(row) + ": in the model, not in the file");
}

}  // namespace schedcheck
