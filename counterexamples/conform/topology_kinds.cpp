// SPDX-License-Identifier: Apache-2.0
/// \file Kinds `topology` and `topology_executed`.
#include "counterexamples/conform/topology_kinds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "counterexamples/conform/conform_case.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "model/topology/sched_domains.hpp"

namespace schedcheck {
namespace {

constexpr auto kLevelNames =
    std::to_array<std::pair<const char*, LevelKind>>({{"SMT", LevelKind::kSmt},
                                                      {"CLS", LevelKind::kCluster},
                                                      {"MC", LevelKind::kMc},
                                                      {"PKG", LevelKind::kPkg},
                                                      {"DIE", LevelKind::kPkg},
                                                      {"PKG/DIE", LevelKind::kPkg},
                                                      {"NODE", LevelKind::kNode}});

LevelKind kind_of(const std::string& name) {
  for (const auto& [known, kind] : kLevelNames)
    if (name == known) return kind;
  return LevelKind::kNuma;
}

SdFlags read_flags(const JsonReader& list) {
  SdFlags flags = 0;
  for (const JsonReader& name : list.elements()) {
    const auto at = std::find(kSdFlagNames.begin(), kSdFlagNames.end(), name.text());
    if (at == kSdFlagNames.end()) name.fail("flag '" + name.text() + "' is unknown");
    flags |= SdFlags{1} << (at - kSdFlagNames.begin());
  }
  return flags;
}

/// A row of the level table from its spans; the CPUs of `listed` must be in one each.
TopologyLevel level_of(const std::string& name, int distance, std::size_t nr_cpus,
                       const JsonReader& spans, CpuMask listed) {
  TopologyLevel raw{name, kind_of(name), distance, std::vector<CpuMask>(nr_cpus)};
  for (const JsonReader& span : spans.elements()) {
    const CpuMask mask = span.cpus();
    for (CpuMask rest = mask; rest != 0; rest &= rest - 1) {
      const auto cpu = static_cast<std::size_t>(std::countr_zero(rest));
      if ((listed >> cpu & 1) == 0 || raw.spans[cpu] != 0)
        span.fail("every CPU of the domain above is expected once, and no other");
      raw.spans[cpu] = mask;
    }
  }
  for (std::size_t cpu = 0; cpu < nr_cpus; ++cpu)
    if ((listed >> cpu & 1) != 0 && raw.spans[cpu] == 0)
      spans.fail("CPU " + std::to_string(cpu) + " is in none of them");
  return raw;
}

std::vector<TopologyLevel> read_levels(const JsonReader& levels) {
  std::size_t nr_cpus = 0;
  for (const JsonReader& span : levels.at(0).at("spans").elements()) nr_cpus += span.size();
  if (nr_cpus == 0 || nr_cpus > kMaxCpus) levels.fail("1 to 64 CPUs are expected");
  std::vector<TopologyLevel> raw;
  for (const JsonReader& level : levels.elements()) {
    const JsonReader distance = level.at("distance");
    raw.push_back(level_of(level.at("level").text(),
                           distance.is_null() ? 0 : static_cast<int>(distance.integer(10, 255)),
                           nr_cpus, level.at("spans"), ~CpuMask{0} >> (kMaxCpus - nr_cpus)));
  }
  return raw;
}

/// A domain of the model; `child`: there is a lower one.
struct Domain {
  const SchedDomain& sd;
  bool child;
  [[nodiscard]] SdFlags group(std::size_t i) const {
    return i < sd.group_flags.size() ? sd.group_flags[i] : 0;
  }
};

struct Field {
  const char* name;
  std::int64_t (*model)(const Domain&);
};
#define SCHEDCHECK_FIELD(name, value)                           \
  Field {                                                       \
    name, [](const Domain& d) -> std::int64_t { return value; } \
  }
constexpr std::array kCommonFields = {SCHEDCHECK_FIELD("imbalance_pct", d.sd.imbalance_pct),
                                      SCHEDCHECK_FIELD("cache_nice_tries", d.sd.cache_nice_tries),
                                      SCHEDCHECK_FIELD("imb_numa_nr", d.sd.imb_numa_nr),
                                      SCHEDCHECK_FIELD("min_interval_ms", d.sd.min_interval()),
                                      SCHEDCHECK_FIELD("max_interval_ms", d.sd.max_interval()),
                                      SCHEDCHECK_FIELD("busy_factor", d.sd.busy_factor)};
constexpr std::array kExecutedFields = {
    SCHEDCHECK_FIELD("groups", static_cast<std::int64_t>(d.sd.groups.size())),
    SCHEDCHECK_FIELD("balance_interval_ms", d.sd.span_weight),
    SCHEDCHECK_FIELD("remote_group_prefer_sibling", (d.group(1) & kSdPreferSibling) != 0),
    SCHEDCHECK_FIELD("remote_group_share_cpucapacity", (d.group(1) & kSdShareCpucapacity) != 0),
    SCHEDCHECK_FIELD("local_group_prefer_sibling", (d.group(0) & kSdPreferSibling) != 0),
    SCHEDCHECK_FIELD("child", d.child)};
constexpr std::array kReadFields = {
    SCHEDCHECK_FIELD("groups_have_prefer_sibling", (d.group(1) & kSdPreferSibling) != 0)};
#undef SCHEDCHECK_FIELD

/// Numbers; flags count as 0 and 1, null as 0.
std::int64_t number(const JsonReader& value) {
  if (value.is_null()) return 0;
  return value.is_flag() ? value.flag() : value.integer(0, kFileResultMax);
}

std::string words(const std::string& field, const std::string& file, const std::string& model) {
  return field + ": " + file + " in the file, " + model + " in the model";
}

template <class Fields>
std::string fields_difference(const JsonReader& expected, const Domain& domain,
                              const Fields& fields) {
  for (const Field& field : fields) {
    const std::int64_t file = number(expected.at(field.name));
    const std::int64_t model = field.model(domain);
    if (file != model) return words(field.name, std::to_string(file), std::to_string(model));
  }
  return "";
}

/// What both kinds record of a domain: name, span, flags and numbers.
std::string domain_difference(const JsonReader& expected, const Domain& domain) {
  const std::string name = expected.at("level").text();
  if (name != domain.sd.name && !(name == "PKG/DIE" && domain.sd.name == "PKG"))
    return words("level", name, domain.sd.name);
  const CpuMask span = expected.at("span").cpus();
  if (span != domain.sd.span)
    return words("span (mask)", std::to_string(span), std::to_string(domain.sd.span));
  const SdFlags flags = read_flags(expected.at("flags"));
  if (flags != domain.sd.flags)
    return words("flags (bits)", std::to_string(flags), std::to_string(domain.sd.flags));
  return fields_difference(expected, domain, kCommonFields);
}

/// The first difference between the domains of a row and the model's. `more` compares what only one
/// kind records.
template <class More>
std::string domains_difference(const JsonReader& expected, const std::vector<SchedDomain>& domains,
                               const More& more) {
  const auto list = expected.elements();
  for (std::size_t i = 0; i < std::min(list.size(), domains.size()); ++i) {
    const Domain domain{domains[i], i > 0};
    std::string first = domain_difference(list[i], domain);
    if (first.empty()) first = more(list[i], domain);
    if (!first.empty()) return std::to_string(i) + "/" + first;
  }
  if (list.size() == domains.size()) return "";
  return words("number of domains", std::to_string(list.size()), std::to_string(domains.size()));
}

std::string row_name(std::size_t index, const JsonReader& row) {
  return "row " + std::to_string(index) + " '" + row.at("name").text() + "'";
}

std::string after(const std::string& row, const std::string& difference) {
  return difference.empty() ? "" : row + ": " + difference;
}

/// Gives the CPUs outside `block` the spans that those inside have: all blocks look alike.
void repeat_block(TopologyLevel& level, CpuMask block, const JsonReader& span) {
  if (block == 0) span.fail("at least one CPU is expected");
  const auto base = static_cast<std::size_t>(std::countr_zero(block));
  const auto width = static_cast<std::size_t>(std::popcount(block));
  if (base % width != 0 || block >> base != ~CpuMask{0} >> (kMaxCpus - width))
    span.fail("adjacent CPUs are expected, in domains that are equally large");
  for (std::size_t cpu = 0; cpu < level.spans.size(); ++cpu)
    if (level.spans[cpu] == 0)
      level.spans[cpu] = level.spans[base + cpu % width] >> base << (cpu - cpu % width);
}

/// The level table of a machine whose CPU has these domains. At the lowest, groups are CPUs.
std::vector<TopologyLevel> levels_behind(const JsonReader& domains) {
  const auto list = domains.elements();
  if (list.empty()) return {{"MC", LevelKind::kMc, 0, {1}}};  // Only one CPU has none.
  const CpuMask all = list.back().at("span").cpus();
  if ((all & (all + 1)) != 0)
    list.back().at("span").fail("the CPUs 0 to the highest one are expected");
  const auto nr_cpus = static_cast<std::size_t>(std::popcount(all));
  std::vector<TopologyLevel> levels;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string name = list[i].at("level").text();
    const int distance = kind_of(name) == LevelKind::kNuma ? 20 : 0;
    if (i + 1 < list.size()) {
      const JsonReader span = list[i + 1].at("span");
      levels.push_back(level_of(name, distance, nr_cpus, list[i + 1].at("groups"), span.cpus()));
      if (span.cpus() != all) repeat_block(levels.back(), span.cpus(), span);
    } else {
      levels.push_back({name, kind_of(name), distance, std::vector<CpuMask>(nr_cpus, all)});
    }
    if (levels.back().kind == LevelKind::kPkg) levels.back().name = "PKG";
  }
  // A level that would have been removed counts for imb_numa_nr: the node above its LLC.
  const auto numa = std::find_if(levels.begin(), levels.end(), [](const TopologyLevel& level) {
    return level.kind == LevelKind::kNuma;
  });
  const bool has_pkg = numa != levels.begin() && (numa - 1)->kind == LevelKind::kPkg;
  if (numa != levels.end() && numa != levels.begin() && !has_pkg)
    levels.insert(numa, {"PKG", LevelKind::kPkg, 0, (numa - 1)->spans});
  return levels;
}

std::string ring_difference(const JsonReader& expected, const Domain& domain) {
  const auto groups = expected.at("groups").elements();
  for (std::size_t g = 0; g < std::min(groups.size(), domain.sd.groups.size()); ++g)
    if (groups[g].cpus() != domain.sd.groups[g])
      return words("groups/" + std::to_string(g) + " (mask)", std::to_string(groups[g].cpus()),
                   std::to_string(domain.sd.groups[g]));
  if (groups.size() != domain.sd.groups.size())
    return words("groups", std::to_string(groups.size()), std::to_string(domain.sd.groups.size()));
  return fields_difference(expected, domain, kReadFields);
}

}  // namespace

void check_topology_executed(const JsonReader& file, ConformFile& result) {
  std::size_t index = 0;
  for (const JsonReader& machine : file.elements()) {
    const std::string row = row_name(index++, machine);
    const auto levels = read_levels(machine.at("levels"));
    for (const auto& [member, preset] : {std::pair{"v6_12", "v6.12"}, std::pair{"v6_1", "v6.1"}}) {
      if (!machine.has(member)) continue;
      const Topology topology = build_sched_domains(row, levels, parse_kernel(preset).switches);
      const auto cpu = static_cast<std::size_t>(machine.integer("cpu", 0, topology.nr_cpus - 1));
      JsonReader expected = machine.at(member);
      if (expected.is_text() && expected.text() == "same") expected = machine.at("v6_12");
      const std::string difference = domains_difference(
          expected, topology.domains[cpu], [](const JsonReader& json, const Domain& domain) {
            return fields_difference(json, domain, kExecutedFields);
          });
      count_row(result, after(row + ": " + member, difference));
    }
  }
}

void check_topology(const JsonReader& file, ConformFile& result) {
  std::size_t index = 0;
  for (const JsonReader& machine : file.elements()) {
    const std::string row = row_name(index++, machine);
    const JsonReader expected = machine.at("domains");
    const Topology topology = build_sched_domains(row, levels_behind(expected));
    const auto cpu = static_cast<std::size_t>(machine.integer("cpu", 0, topology.nr_cpus - 1));
    count_row(result,
              after(row, domains_difference(expected, topology.domains[cpu], ring_difference)));
  }
}

}  // namespace schedcheck
