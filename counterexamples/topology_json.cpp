// SPDX-License-Identifier: Apache-2.0
/// \file Machines from JSON: shapes and lists of parts.
#include "counterexamples/topology_json.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "counterexamples/read_text_file.hpp"
#include "counterexamples/schedule_json_strict.hpp"

namespace schedcheck {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "schedcheck/topology";
constexpr int kVersion = 1;

/// The kinds of parts that nest, innermost first, then nodes, which may cut across them.
struct PartKind {
  const char* name;
  CpuSets MachineParts::*sets;
  int CpuPlace::*place;
};
constexpr std::array<PartKind, 5> kPartKinds = {{
    {"cores", &MachineParts::cores, &CpuPlace::core},
    {"clusters", &MachineParts::clusters, &CpuPlace::cluster},
    {"llcs", &MachineParts::llcs, &CpuPlace::llc},
    {"packages", &MachineParts::packages, &CpuPlace::package},
    {"nodes", &MachineParts::nodes, &CpuPlace::node},
}};
constexpr std::size_t kNestingKinds = 4;

bool contains(const std::vector<int>& cpus, int cpu) {
  return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

/// A member or element of a place that may be missing: then the place itself.
JsonPlace inside(const JsonPlace& place, std::string_view member, std::size_t element) {
  if (!place.value().is_object() || !place.has(member)) return place;
  const JsonPlace at = place.at(member);
  if (!at.value().is_array() || element >= at.value().size()) return at;
  return at.elements(at.value().size())[element];
}
constexpr std::size_t kWhole = SIZE_MAX;

std::vector<int> online_cpus(const MachineParts& parts, const JsonPlace& place) {
  std::vector<int> online;
  for (const int cpu : parts.cpus)
    if (!contains(parts.offline, cpu)) online.push_back(cpu);
  if (online.empty()) inside(place, "offline", kWhole).fail("no CPU is online; leave at least one");
  if (online.size() > kMaxCpus)
    inside(place, "cpus", kWhole)
        .fail(std::to_string(online.size()) + " CPUs are online, but at most " +
              std::to_string(kMaxCpus) + " are modelled; list others in \"offline\"");
  return online;
}

/// The set that each CPU is in; empty if none are given.
std::map<int, std::size_t> owners(const MachineParts& parts, const PartKind& kind,
                                  const std::vector<int>& online, const JsonPlace& place) {
  std::map<int, std::size_t> owner;
  const CpuSets& sets = parts.*kind.sets;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].empty()) inside(place, kind.name, i).fail("is empty; name its CPUs or drop it");
    for (const int cpu : sets[i]) {
      if (!contains(parts.cpus, cpu))
        inside(place, kind.name, i).fail("the machine has no CPU " + std::to_string(cpu));
      if (!owner.try_emplace(cpu, i).second)
        inside(place, kind.name, i)
            .fail("CPU " + std::to_string(cpu) + " is listed a second time; keep one");
    }
  }
  for (const int cpu : online)
    if (!sets.empty() && !owner.contains(cpu))
      inside(place, kind.name, kWhole)
          .fail("CPU " + std::to_string(cpu) + " is in none of them; add it to one");
  return owner;
}

/// Numbers the parts 0, 1, .. in order of their first CPU; returns which sets these are.
std::vector<std::size_t> set_parts(MachineDescription& machine, const MachineParts& parts,
                                   const PartKind& kind, const JsonPlace& place) {
  const auto owner = owners(parts, kind, machine.host_cpu, place);
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < machine.cpus.size() && !owner.empty(); ++i) {
    const std::size_t set = owner.at(machine.host_cpu[i]);
    const auto at = std::find(used.begin(), used.end(), set);
    machine.cpus[i].*kind.place = static_cast<int>(at - used.begin());
    if (at == used.end()) used.push_back(set);
  }
  return used;
}

void check_nesting(const MachineDescription& machine, const PartKind& inner, const PartKind& outer,
                   const JsonPlace& place) {
  std::map<int, int> outer_of;
  for (std::size_t i = 0; i < machine.cpus.size(); ++i) {
    const CpuPlace& cpu = machine.cpus[i];
    if (cpu.*inner.place < 0 || cpu.*outer.place < 0) continue;
    const auto at = outer_of.try_emplace(cpu.*inner.place, cpu.*outer.place);
    if (at.first->second != cpu.*outer.place)
      inside(place, inner.name, kWhole)
          .fail("the one with CPU " + std::to_string(machine.host_cpu[i]) + " reaches into two " +
                outer.name + "; each must lie within one");
  }
}

void check_distances(const MachineParts& parts, std::size_t nodes, const JsonPlace& place) {
  const auto& table = parts.distances;
  if (table.size() != nodes)
    inside(place, "distances", kWhole)
        .fail("must have a row for each of the " + std::to_string(nodes) + " nodes, not " +
              std::to_string(table.size()));
  for (std::size_t a = 0; a < nodes; ++a)
    if (table[a].size() != nodes)
      inside(place, "distances", a)
          .fail("must have " + std::to_string(nodes) + " distances, one per node, not " +
                std::to_string(table[a].size()));
  for (std::size_t a = 0; a < nodes; ++a) {
    for (std::size_t b = 0; b < nodes; ++b) {
      const auto fail = [&](const std::string& what) {
        inside(place, "distances", a).elements(nodes)[b].fail(what);
      };
      if (a == b && table[a][b] != kLocalDistance) fail("must be 10: a node's distance to itself");
      if (a != b && table[a][b] <= kLocalDistance) fail("must be 11..255: two different nodes");
      if (b < a && table[a][b] != table[b][a])
        fail("is " + std::to_string(table[a][b]) + ", but the other direction is " +
             std::to_string(table[b][a]) + "; make the table symmetric");
    }
  }
}

/// A list of CPU numbers without repetition, or a text such as "0-3,8".
std::vector<int> read_cpu_list(const JsonPlace& list) {
  std::vector<int> cpus;
  if (list.value().is_string()) {
    const auto parsed = parse_cpu_list(list.text());
    if (!parsed) list.fail("is not a CPU list such as \"0-3,8\"");
    cpus = *parsed;
    std::sort(cpus.begin(), cpus.end());
    if (std::adjacent_find(cpus.begin(), cpus.end()) != cpus.end())
      list.fail("names a CPU twice; keep one");
    return cpus;
  }
  for (const JsonPlace& element : list.elements(kMachineCpuEnd)) {
    cpus.push_back(static_cast<int>(element.integer(0, kMachineCpuEnd - 1)));
    if (std::count(cpus.begin(), cpus.end(), cpus.back()) > 1)
      element.fail("this CPU is given twice; keep one");
  }
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

/// What is wrong with a shape: the name of a count and why; empty: nothing. Counts are at most 64.
std::pair<std::string, std::string> check_shape(const MachineShape& s) {
  const auto divides = [](int part, int whole) { return part == 0 || whole % part == 0; };
  const auto not_even = [](int parts, const char* of) {
    return std::to_string(parts) + " equal parts are not possible, there are " + of;
  };
  const std::string cores = std::to_string(s.cores) + " cores in a package";
  const int cpus = s.packages * s.cores * s.threads;
  if (cpus > kMaxCpus)
    return {"cores", "the machine has " + std::to_string(cpus) + " CPUs, but at most " +
                         std::to_string(kMaxCpus) + " are modelled"};
  if (!divides(s.llcs, s.cores)) return {"llcs", not_even(s.llcs, cores.c_str())};
  if (!divides(s.clusters, s.cores)) return {"clusters", not_even(s.clusters, cores.c_str())};
  if (s.clusters % s.llcs != 0)
    return {"clusters", not_even(s.llcs, "that many LLCs and each holds whole clusters")};
  if (!divides(s.nodes, cpus))
    return {"nodes", not_even(s.nodes, (std::to_string(cpus) + " CPUs").c_str())};
  return {};
}

MachineDescription read_shape(std::string spec, const JsonPlace& place) {
  place.expect_object(
      {"format", "version", "packages", "llcs", "clusters", "cores", "threads", "nodes"});
  MachineShape shape;
  const auto count = [&](const char* name, int& field) {
    if (place.has(name)) field = static_cast<int>(place.at(name).integer(1, kMaxCpus));
  };
  count("packages", shape.packages);
  count("llcs", shape.llcs);
  count("clusters", shape.clusters);
  count("cores", shape.cores);
  count("threads", shape.threads);
  count("nodes", shape.nodes);
  const auto [member, what] = check_shape(shape);
  if (!member.empty()) inside(place, member, kWhole).fail(what);
  return describe(std::move(spec), shape);
}

MachineDescription read_parts(std::string spec, const JsonPlace& place) {
  place.expect_object({"format", "version", "cpus", "offline", "cores", "clusters", "llcs",
                       "packages", "nodes", "distances"});
  MachineParts parts;
  const JsonPlace cpus = place.at("cpus");
  if (cpus.value().is_number()) {
    const auto n = static_cast<int>(cpus.integer(1, kMachineCpuEnd));
    for (int cpu = 0; cpu < n; ++cpu) parts.cpus.push_back(cpu);
  } else {
    parts.cpus = read_cpu_list(cpus);
    if (parts.cpus.empty()) cpus.fail("is empty; name at least one CPU");
  }
  if (place.has("offline")) {
    parts.offline = read_cpu_list(place.at("offline"));
    for (const int cpu : parts.offline)
      if (!contains(parts.cpus, cpu))
        place.at("offline").fail("the machine has no CPU " + std::to_string(cpu));
  }
  for (const PartKind& kind : kPartKinds) {
    if (!place.has(kind.name)) continue;
    const auto sets = place.at(kind.name).elements(kMachineCpuEnd);
    if (sets.empty()) place.at(kind.name).fail("is empty; leave it out");
    for (const JsonPlace& set : sets) (parts.*kind.sets).push_back(read_cpu_list(set));
  }
  if (place.has("distances")) {
    for (const JsonPlace& row : place.at("distances").elements(kMachineCpuEnd)) {
      parts.distances.emplace_back();
      for (const JsonPlace& distance : row.elements(kMachineCpuEnd))
        parts.distances.back().push_back(static_cast<int>(distance.integer(0, kMaxDistance)));
    }
  }
  return describe(std::move(spec), parts, place);
}

}  // namespace

MachineDescription describe(std::string spec, const MachineParts& parts, const JsonPlace& place) {
  MachineDescription machine{std::move(spec), {}, {}, online_cpus(parts, place)};
  machine.cpus.resize(machine.host_cpu.size());
  for (std::size_t i = 0; i < machine.cpus.size(); ++i) machine.cpus[i].core = static_cast<int>(i);
  std::vector<std::size_t> nodes;
  for (const PartKind& kind : kPartKinds) nodes = set_parts(machine, parts, kind, place);
  if (parts.llcs.empty())
    for (CpuPlace& cpu : machine.cpus) cpu.llc = cpu.package;
  for (std::size_t inner = 0; inner < kNestingKinds; ++inner)
    for (std::size_t outer = inner + 1; outer < kNestingKinds; ++outer)
      check_nesting(machine, kPartKinds[inner], kPartKinds[outer], place);

  const std::size_t all_nodes = std::max<std::size_t>(1, parts.nodes.size());
  if (nodes.empty()) nodes = {0};
  if (!parts.distances.empty()) check_distances(parts, all_nodes, place);
  const auto table =
      parts.distances.empty() ? default_distances(static_cast<int>(all_nodes)) : parts.distances;
  for (const std::size_t a : nodes) {
    machine.node_distance.emplace_back();
    for (const std::size_t b : nodes) machine.node_distance.back().push_back(table[a][b]);
  }
  return machine;
}

MachineParts parts_of(const MachineDescription& machine) {
  MachineParts parts;
  parts.cpus = machine.host_cpu;
  for (const PartKind& kind : kPartKinds) {
    std::map<int, std::vector<int>> sets;
    for (std::size_t i = 0; i < machine.cpus.size(); ++i)
      if (machine.cpus[i].*kind.place >= 0)
        sets[machine.cpus[i].*kind.place].push_back(machine.host_cpu[i]);
    const bool is_core = kind.place == &CpuPlace::core;
    if (is_core ? sets.size() == parts.cpus.size() : sets.size() == 1) {
      if (kind.place != &CpuPlace::cluster && kind.place != &CpuPlace::llc) continue;
    }
    for (auto& [number, cpus] : sets) (parts.*kind.sets).push_back(std::move(cpus));
  }
  if (parts.llcs == parts.packages || (parts.packages.empty() && parts.llcs.size() == 1))
    parts.llcs.clear();
  if (machine.node_distance.size() > 1) parts.distances = machine.node_distance;
  return parts;
}

MachineDescription read_topology(std::string spec, const JsonPlace& place) {
  if (!place.value().is_object())
    place.fail(
        "must be an object: a shape such as {\"packages\":2,\"cores\":4} or parts with "
        "\"cpus\"");
  if (place.has("format") && place.at("format").text() != kFormat)
    place.at("format").fail("must be \"" + std::string(kFormat) + "\"");
  if (place.has("version")) place.at("version").integer(1, kVersion);
  return place.has("cpus") ? read_parts(std::move(spec), place)
                           : read_shape(std::move(spec), place);
}

std::string topology_json(const MachineDescription& machine, bool as_file) {
  const MachineParts parts = parts_of(machine);
  Json object = Json::object();
  if (as_file) object = {{"format", kFormat}, {"version", kVersion}};
  object["cpus"] = cpu_list_text(parts.cpus);
  for (const PartKind& kind : kPartKinds)
    for (const auto& set : parts.*kind.sets) object[kind.name].push_back(cpu_list_text(set));
  if (!parts.distances.empty()) object["distances"] = parts.distances;
  return object.dump();
}

MachineDescription load_topology(const std::string& name) {
  if (!name.ends_with(".json")) return parse_topology(name);
  const auto tree = parse_strict_json(read_text_file(name), name);
  return read_topology(name, JsonPlace(tree, name));
}

std::string cpu_list_text(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    const std::size_t first = i;
    while (i + 1 < cpus.size() && cpus[i + 1] == cpus[i] + 1) ++i;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[first]);
    if (i > first) text += "-" + std::to_string(cpus[i]);
  }
  return text;
}

std::string cpu_list_text(const MachineDescription& machine, CpuMask cpus) {
  std::vector<int> numbers;
  for (std::size_t cpu = 0; cpu < machine.host_cpu.size(); ++cpu)
    if ((cpus >> cpu & 1) != 0) numbers.push_back(machine.host_cpu[cpu]);
  return cpu_list_text(numbers);
}

}  // namespace schedcheck
