// SPDX-License-Identifier: Apache-2.0
/// \file
/// From raw levels to the domains of each CPU: parameters, groups, removal of superfluous levels.

#include "model/topology/sched_domains.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <utility>

namespace schedcheck {
namespace {

/// Beyond it the kernel neither forks, execs nor wakes across nodes (node_reclaim_distance).
constexpr int kFarDistance = 30;
constexpr SdFlags kAcrossNodes = kSdBalanceExec | kSdBalanceFork | kSdWakeAffine;
constexpr SdFlags kEveryLevel = kSdBalanceNewidle | kAcrossNodes;

/// What sd_init() gives each kind of level. Percentage 0: imbalance_pct_above_llc.
struct LevelRule {
  SdFlags flags;
  int imbalance_pct, cache_nice_tries;
};
constexpr std::array<LevelRule, 6> kLevelRules = {{
    {kEveryLevel | kSdPreferSibling | kSdShareCpucapacity | kSdShareLlc, 110, 0},  // SMT
    {kEveryLevel | kSdPreferSibling | kSdCluster | kSdShareLlc, 117, 1},           // CLS
    {kEveryLevel | kSdPreferSibling | kSdShareLlc, 117, 1},                        // MC
    {kEveryLevel | kSdPreferSibling, 0, 1},                                        // PKG
    {kEveryLevel | kSdPreferSibling, 0, 1},                                        // NODE
    {kEveryLevel | kSdSerialize | kSdOverlap | kSdNuma, 0, 2},                     // NUMA
}};

struct Group {
  CpuMask span = 0, balance_mask = 0;
  SdFlags flags = 0;
};

/// A domain under construction: its groups are shared with other CPUs, so that a correction by one
/// is seen by all.
struct RawDomain {
  SchedDomain sd;
  std::vector<std::size_t> ring;  ///< Indices into Builder::groups.
};
using Domains = std::vector<RawDomain>;  // Of one CPU, lowest first; the child is the one before.

bool has(CpuMask mask, std::size_t cpu) { return ((mask >> cpu) & 1) != 0; }

/// Kernel: sd_init().
SchedDomain sd_init(const TopologyLevel& level, std::size_t cpu, const KernelSwitches& kernel) {
  const LevelRule& rule = kLevelRules[static_cast<std::size_t>(level.kind)];
  SchedDomain sd;
  sd.name = level.name;
  sd.span = level.spans[cpu];
  sd.span_weight = std::popcount(sd.span);
  sd.flags = rule.flags;
  if (!kernel.sd_cluster) sd.flags &= ~kSdCluster;
  if (level.node_distance > kFarDistance) sd.flags &= ~kAcrossNodes;
  const bool is_125 = kernel.imbalance_pct_above_llc == ImbalancePctAboveLlc::k125;
  sd.imbalance_pct = rule.imbalance_pct != 0 ? rule.imbalance_pct : is_125 ? 125 : 117;
  sd.cache_nice_tries = rule.cache_nice_tries;
  sd.busy_factor = kernel.busy_factor == BusyFactor::k32 ? 32 : 16;
  return sd;
}

/// What a domain can still do: with one group, nothing that moves tasks between groups, and of the
/// flags only SD_WAKE_AFFINE is about something else.
SdFlags useful_flags(const RawDomain& raw) {
  return raw.ring.size() > 1 ? raw.sd.flags : raw.sd.flags & kSdWakeAffine;
}

/// Kernel: sd_degenerate().
bool sd_degenerate(const RawDomain& raw) {
  return raw.sd.span_weight == 1 || useful_flags(raw) == 0;
}

/// Kernel: sd_parent_degenerate().
bool sd_parent_degenerate(const RawDomain& raw, const RawDomain& parent) {
  return sd_degenerate(parent) ||
         (raw.sd.span == parent.sd.span && (useful_flags(parent) & ~raw.sd.flags) == 0);
}

struct Builder {
  KernelSwitches kernel;
  std::vector<Domains> cpus;
  std::vector<Group> groups;
  std::map<std::pair<std::size_t, int>, std::size_t> shared;  ///< By level and first CPU.

  /// The group that level `l` of `cpu` stands for in a ring: the span of its child.
  Group child_group(std::size_t cpu, std::size_t l, CpuMask without_child) const {
    if (l == 0) return {without_child, without_child, 0};
    const SchedDomain& child = cpus[cpu][l - 1].sd;
    return {child.span, child.span, child.flags};
  }

  /// Kernel: get_group(). One object for all CPUs of the group.
  std::size_t get_group(std::size_t cpu, std::size_t l) {
    const Group group = child_group(cpu, l, CpuMask{1} << cpu);
    const auto at = shared.try_emplace({l, std::countr_zero(group.span)}, groups.size());
    if (at.second) groups.push_back(group);
    return at.first->second;
  }

  /// Kernel: the sibling of build_overlap_sched_groups() with find_descended_sibling(). With nodes
  /// three hops apart a sibling's child may reach out of `span`; a smaller domain then stands in.
  std::size_t sibling_level(std::size_t cpu, std::size_t l, CpuMask span) const {
    const auto child_span = [&] { return cpus[cpu][l - 1].sd.span; };
    if (l == 0 || (child_span() & ~span) == 0) return l;
    while (l > 0 && (child_span() & ~span) != 0) --l;
    while (l > 0 && child_span() == cpus[cpu][l].sd.span) --l;
    return l;
  }

  /// Kernel: build_group_from_child_sched_domain() and build_balance_mask(). An object of its own.
  std::size_t overlap_group(std::size_t cpu, std::size_t l) {
    Group group = child_group(cpu, l, cpus[cpu][l].sd.span);
    group.balance_mask = 0;
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      const bool arrives = l > 0 && l < cpus[i].size() && cpus[i][l - 1].sd.span == group.span;
      if (has(group.span, i) && arrives) group.balance_mask |= CpuMask{1} << i;
    }
    groups.push_back(group);
    return groups.size() - 1;
  }

  /// Kernel: build_sched_groups() and build_overlap_sched_groups(): walk the span from the own CPU
  /// on, wrapping, until everything is covered.
  void build_groups(std::size_t cpu, std::size_t l) {
    RawDomain& raw = cpus[cpu][l];
    CpuMask covered = 0;
    for (std::size_t step = 0; step < cpus.size(); ++step) {
      const std::size_t i = (cpu + step) % cpus.size();
      // A CPU whose domains end below this level spans everything already.
      if (!has(raw.sd.span & ~covered, i) || l >= cpus[i].size()) continue;
      const bool overlap = (raw.sd.flags & kSdOverlap) != 0;
      raw.ring.push_back(overlap ? overlap_group(i, sibling_level(i, l, raw.sd.span))
                                 : get_group(i, l));
      covered |= groups[raw.ring.back()].span;
    }
  }

  /// Kernel: cpu_attach_domain(). A lower level that disappears clears the flags of one group only,
  /// the CPU's own.
  void attach(Domains& domains) {
    for (std::size_t i = 0; i + 1 < domains.size();) {
      RawDomain& parent = domains[i + 1];
      if (!sd_parent_degenerate(domains[i], parent)) {
        ++i;
        continue;
      }
      SdFlags& flags = domains[i].sd.flags;
      // bf2dc42d6beb (v6.6): the group above otherwise keeps the flags of the level that goes.
      if (kernel.group_flags_follow && i + 2 < domains.size())
        groups[domains[i + 2].ring[0]].flags = flags;
      flags |= parent.sd.flags & kSdPreferSibling;
      domains.erase(domains.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    if (domains.empty() || !sd_degenerate(domains[0])) return;
    domains.erase(domains.begin());
    if (!domains.empty()) groups[domains[0].ring[0]].flags = 0;
  }

  /// What placement and balancing read.
  SchedDomain finish(const Domains& domains, std::size_t l) const {
    SchedDomain sd = domains[l].sd;
    for (const std::size_t g : domains[l].ring) {
      sd.groups.push_back(groups[g].span);
      sd.group_flags.push_back(groups[g].flags);
      sd.balance_masks.push_back(groups[g].balance_mask);
    }
    sd.balance_fork = (sd.flags & kSdBalanceFork) != 0;
    sd.numa = (sd.flags & kSdNuma) != 0;
    sd.share_llc = (sd.flags & kSdShareLlc) != 0;
    const SdFlags child = l > 0 ? domains[l - 1].sd.flags : 0;
    const SdFlags next = sd.groups.size() > 1 ? sd.group_flags[1] : 0;
    const bool of_group = kernel.prefer_sibling_of == PreferSiblingOf::kGroup;
    sd.prefer_sibling = ((of_group ? next : child) & kSdPreferSibling) != 0;
    return sd;
  }
};

/// Kernel: the end of build_sched_domains(), v6.0 (026b98a93bbd). v5.18 and v5.19 had a fourth
/// instead of an eighth and no minimum. Runs before removal: PKG counts even where it disappears.
void set_imb_numa_nr(Domains& domains) {
  const auto first = std::adjacent_find(
      domains.begin(), domains.end(), [](const RawDomain& child, const RawDomain& parent) {
        return (child.sd.flags & kSdShareLlc) != 0 && (parent.sd.flags & kSdShareLlc) == 0;
      });
  if (first == domains.end()) return;
  const auto above_llc = first + 1;
  const int nr_llcs = above_llc->sd.span_weight / first->sd.span_weight;
  const int imb = std::max(1, nr_llcs == 1 ? above_llc->sd.span_weight >> 3 : nr_llcs);
  above_llc->sd.imb_numa_nr = imb;

  const auto numa = std::find_if(above_llc + 1, domains.end(), [](const RawDomain& raw) {
    return (raw.sd.flags & kSdNuma) != 0;
  });
  const int imb_span = (numa != domains.end() ? numa : above_llc)->sd.span_weight;
  for (auto raw = above_llc + 1; raw != domains.end(); ++raw)
    raw->sd.imb_numa_nr = imb * std::max(1, raw->sd.span_weight / imb_span);
}

}  // namespace

Topology build_sched_domains(std::string spec, const std::vector<TopologyLevel>& levels,
                             const KernelSwitches& kernel) {
  const std::size_t nr_cpus = levels.empty() ? 0 : levels.front().spans.size();
  Topology topology{std::move(spec), static_cast<int>(nr_cpus), 0, {}};
  for (std::size_t cpu = 0; cpu < nr_cpus; ++cpu) topology.all |= CpuMask{1} << cpu;

  Builder builder{kernel, std::vector<Domains>(nr_cpus), {}, {}};
  for (std::size_t cpu = 0; cpu < nr_cpus; ++cpu) {
    for (std::size_t l = 0; l < levels.size(); ++l) {
      builder.cpus[cpu].push_back({sd_init(levels[l], cpu, kernel), {}});
      builder.cpus[cpu].back().sd.level = static_cast<int>(l);
      if (levels[l].spans[cpu] == topology.all) break;
    }
  }
  for (std::size_t cpu = 0; cpu < nr_cpus; ++cpu) {
    for (std::size_t l = 0; l < builder.cpus[cpu].size(); ++l) builder.build_groups(cpu, l);
    set_imb_numa_nr(builder.cpus[cpu]);
  }
  for (Domains& domains : builder.cpus) builder.attach(domains);
  for (const Domains& domains : builder.cpus) {
    topology.domains.emplace_back();
    for (std::size_t l = 0; l < domains.size(); ++l)
      topology.domains.back().push_back(builder.finish(domains, l));
  }
  return topology;
}

Topology build_sched_domains(const MachineDescription& machine, const KernelSwitches& kernel) {
  return build_sched_domains(machine.spec, topology_levels(machine), kernel);
}

}  // namespace schedcheck
