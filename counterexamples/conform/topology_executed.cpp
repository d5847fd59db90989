// SPDX-License-Identifier: Apache-2.0
/// \file Kind `topology_executed`.
#include "counterexamples/conform/topology_executed.hpp"

#include <array>
#include <bit>
#include <utility>

#include "counterexamples/conform/conform_case.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "model/topology/sched_domains.hpp"

namespace schedcheck {
namespace {

constexpr auto kFlagNames =
    std::to_array<std::pair<const char*, SdFlags>>({{"BALANCE_NEWIDLE", kSdBalanceNewidle},
                                                    {"BALANCE_EXEC", kSdBalanceExec},
                                                    {"BALANCE_FORK", kSdBalanceFork},
                                                    {"WAKE_AFFINE", kSdWakeAffine},
                                                    {"SHARE_CPUCAPACITY", kSdShareCpucapacity},
                                                    {"CLUSTER", kSdCluster},
                                                    {"SHARE_LLC", kSdShareLlc},
                                                    {"PREFER_SIBLING", kSdPreferSibling},
                                                    {"SERIALIZE", kSdSerialize},
                                                    {"OVERLAP", kSdOverlap},
                                                    {"NUMA", kSdNuma}});

constexpr auto kLevelNames =
    std::to_array<std::pair<const char*, LevelKind>>({{"SMT", LevelKind::kSmt},
                                                      {"CLS", LevelKind::kCluster},
                                                      {"MC", LevelKind::kMc},
                                                      {"PKG", LevelKind::kPkg},
                                                      {"DIE", LevelKind::kPkg}});

SdFlags read_flags(const JsonReader& list) {
  SdFlags flags = 0;
  for (const JsonReader& name : list.elements()) {
    SdFlags bit = 0;
    for (const auto& [known, flag] : kFlagNames)
      if (name.text() == known) bit = flag;
    if (bit == 0) name.fail("flag '" + name.text() + "' is unknown");
    flags |= bit;
  }
  return flags;
}

TopologyLevel read_level(const JsonReader& level, std::size_t nr_cpus) {
  TopologyLevel raw;
  raw.name = level.at("level").text();
  raw.kind = LevelKind::kNuma;
  for (const auto& [name, kind] : kLevelNames)
    if (raw.name == name) raw.kind = kind;
  const JsonReader distance = level.at("distance");
  raw.node_distance = distance.is_null() ? 0 : static_cast<int>(distance.integer(10, 255));
  raw.spans.resize(nr_cpus);
  for (const JsonReader& span : level.at("spans").elements()) {
    const CpuMask mask = span.cpus();
    for (CpuMask rest = mask; rest != 0; rest &= rest - 1) {
      const auto cpu = static_cast<std::size_t>(std::countr_zero(rest));
      if (cpu >= nr_cpus || raw.spans[cpu] != 0)
        span.fail("every CPU of the lowest level is expected once, and no other");
      raw.spans[cpu] = mask;
    }
  }
  for (const CpuMask span : raw.spans)
    if (span == 0) level.at("spans").fail("every CPU of the lowest level is expected");
  return raw;
}

std::vector<TopologyLevel> read_levels(const JsonReader& levels) {
  std::size_t nr_cpus = 0;
  for (const JsonReader& span : levels.at(0).at("spans").elements()) nr_cpus += span.size();
  if (nr_cpus > kMaxCpus) levels.fail("at most 64 CPUs are expected");
  std::vector<TopologyLevel> raw;
  for (const JsonReader& level : levels.elements()) raw.push_back(read_level(level, nr_cpus));
  return raw;
}

/// What the file records of a domain, as numbers. `next` is the group after the local one.
std::vector<std::int64_t> domain_numbers(const SchedDomain& sd, bool has_child) {
  const SdFlags local = sd.group_flags.at(0);
  const SdFlags next = sd.group_flags.size() > 1 ? sd.group_flags[1] : 0;
  return {static_cast<std::int64_t>(sd.span),
          static_cast<std::int64_t>(sd.groups.size()),
          sd.flags,
          sd.imbalance_pct,
          sd.cache_nice_tries,
          sd.imb_numa_nr,
          sd.span_weight,
          std::int64_t{2} * sd.span_weight,
          sd.prefer_sibling ? 1 : 0,
          (next & kSdShareCpucapacity) != 0 ? 1 : 0,
          (local & kSdPreferSibling) != 0 ? 1 : 0,
          has_child ? 1 : 0};
}

ConformCase read_domain(const JsonReader& sd) {
  static const FieldNames kFields = {"span (mask)",
                                     "groups",
                                     "flags (bits)",
                                     "imbalance_pct",
                                     "cache_nice_tries",
                                     "imb_numa_nr",
                                     "min_interval_ms",
                                     "max_interval_ms",
                                     "remote_group_prefer_sibling",
                                     "remote_group_share_cpucapacity",
                                     "local_group_prefer_sibling",
                                     "child"};
  ConformCase c;
  c.fields = &kFields;
  const auto number = [&](const char* name) {
    c.expected.push_back(sd.integer(name, 0, kFileResultMax));
  };
  const auto flag = [&](const char* name) { c.expected.push_back(sd.at(name).flag() ? 1 : 0); };
  c.expected.push_back(static_cast<std::int64_t>(sd.at("span").cpus()));
  number("groups");
  c.expected.push_back(read_flags(sd.at("flags")));
  number("imbalance_pct");
  number("cache_nice_tries");
  number("imb_numa_nr");
  number("min_interval_ms");
  number("max_interval_ms");
  flag("remote_group_prefer_sibling");
  flag("remote_group_share_cpucapacity");
  flag("local_group_prefer_sibling");
  flag("child");
  return c;
}

/// The first difference between the file's domains and the model's.
std::string domains_difference(const std::string& row, const JsonReader& expected,
                               const std::vector<SchedDomain>& domains) {
  const auto words = [&](const std::string& field, const std::string& file,
                         const std::string& model) {
    return row + ": " + field + ": " + file + " in the file, " + model + " in the model";
  };
  const auto list = expected.elements();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string name = list[i].at("level").text();
    ConformCase c = read_domain(list[i]);
    c.row = row + "/" + std::to_string(i);
    if (i >= domains.size()) break;
    if (name != domains[i].name) return words(std::to_string(i) + "/level", name, domains[i].name);
    std::string first = difference(c, domain_numbers(domains[i], i > 0));
    if (!first.empty()) return first;
  }
  if (list.size() == domains.size()) return "";
  return words("number of domains", std::to_string(list.size()), std::to_string(domains.size()));
}

}  // namespace

void check_topology_executed(const JsonReader& file, ConformFile& result) {
  std::size_t index = 0;
  std::int64_t of_v6_1 = 0;
  for (const JsonReader& machine : file.elements()) {
    const std::string row =
        "row " + std::to_string(index++) + " '" + machine.at("name").text() + "'";
    const Topology topology = build_sched_domains(row, read_levels(machine.at("levels")));
    const auto cpu = static_cast<std::size_t>(machine.integer("cpu", 0, topology.nr_cpus - 1));
    count_row(result, domains_difference(row, machine.at("v6_12"), topology.domains[cpu]));
    if (machine.has("v6_1")) ++of_v6_1;
  }
  if (of_v6_1 > 0)
    skip_rows(result, of_v6_1, "v6_1 of every row: the modelled domains are those of v6.12");
}

}  // namespace schedcheck
