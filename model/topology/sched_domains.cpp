// SPDX-License-Identifier: Apache-2.0
/// \file
/// From raw levels to the domains of each CPU: parameters, groups, removal of superfluous levels.

#include "model/topology/sched_domains.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace schedcheck {
namespace {

/// Beyond it the kernel neither forks, execs nor wakes across nodes (node_reclaim_distance).
constexpr int kFarDistance = 30;

using Domains = std::vector<SchedDomain>;  // Of one CPU, lowest first.

bool has(CpuMask mask, std::size_t cpu) { return ((mask >> cpu) & 1) != 0; }

/// Kernel: sd_init(), without the parts that depend on the CPU.
SchedDomain sd_init(const TopologyLevel& level, int imbalance_pct_above_llc) {
  SchedDomain sd;
  sd.name = level.name;
  sd.flags = kSdBalanceNewidle | kSdBalanceExec | kSdBalanceFork | kSdWakeAffine | kSdPreferSibling;
  switch (level.kind) {
    case LevelKind::kSmt:
      sd.flags |= kSdShareCpucapacity | kSdShareLlc;
      sd.imbalance_pct = 110;
      break;
    case LevelKind::kCluster:
    case LevelKind::kMc:
      sd.flags |= level.kind == LevelKind::kMc ? kSdShareLlc : kSdShareLlc | kSdCluster;
      sd.imbalance_pct = 117;
      sd.cache_nice_tries = 1;
      break;
    case LevelKind::kPkg:
      sd.imbalance_pct = imbalance_pct_above_llc;
      sd.cache_nice_tries = 1;
      break;
    case LevelKind::kNuma:
      sd.flags &= ~kSdPreferSibling;
      sd.flags |= kSdSerialize | kSdOverlap | kSdNuma;
      if (level.node_distance > kFarDistance) {
        sd.flags &= ~(kSdBalanceExec | kSdBalanceFork | kSdWakeAffine);
      }
      sd.imbalance_pct = imbalance_pct_above_llc;
      sd.cache_nice_tries = 2;
      break;
  }
  return sd;
}

/// The distinct spans of the level below inside `span`, in the order in which CPUs after `cpu` meet
/// them. `below` is null at the lowest level, where a group is one CPU.
std::vector<CpuMask> group_ring(CpuMask span, std::size_t cpu, const TopologyLevel* below,
                                std::size_t nr_cpus) {
  std::vector<CpuMask> groups;
  CpuMask covered = 0;
  for (std::size_t i = 0; i < nr_cpus; ++i) {
    const std::size_t c = (cpu + i) % nr_cpus;
    if (!has(span, c) || has(covered, c)) continue;
    groups.push_back(below != nullptr ? below->spans[c] : CpuMask{1} << c);
    covered |= groups.back();
  }
  return groups;
}

/// Every level as `cpu` sees it. Group flags are those of the level below, at the lowest none.
Domains raw_domains(const std::vector<TopologyLevel>& levels, std::size_t cpu, int pct) {
  Domains domains;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    SchedDomain sd = sd_init(levels[l], pct);
    sd.span = levels[l].spans[cpu];
    sd.span_weight = std::popcount(sd.span);
    sd.groups = group_ring(sd.span, cpu, l > 0 ? &levels[l - 1] : nullptr, levels[l].spans.size());
    sd.group_flags.assign(sd.groups.size(), l > 0 ? domains[l - 1].flags : 0);
    domains.push_back(std::move(sd));
  }
  return domains;
}

/// Kernel: the end of build_sched_domains(), v6.0 (026b98a93bbd). v5.18 and v5.19 had a fourth
/// instead of an eighth and no minimum. Runs before removal: PKG counts even where it disappears.
void set_imb_numa_nr(Domains& domains) {
  const auto first = std::adjacent_find(
      domains.begin(), domains.end(), [](const SchedDomain& child, const SchedDomain& parent) {
        return (child.flags & kSdShareLlc) != 0 && (parent.flags & kSdShareLlc) == 0;
      });
  if (first == domains.end()) return;
  const auto above_llc = first + 1;
  const int nr_llcs = above_llc->span_weight / first->span_weight;
  const int imb = std::max(1, nr_llcs == 1 ? above_llc->span_weight >> 3 : nr_llcs);
  above_llc->imb_numa_nr = imb;

  const auto numa = std::find_if(above_llc + 1, domains.end(),
                                 [](const SchedDomain& sd) { return (sd.flags & kSdNuma) != 0; });
  const int imb_span = numa != domains.end() ? numa->span_weight : above_llc->span_weight;
  for (auto sd = above_llc + 1; sd != domains.end(); ++sd) {
    sd->imb_numa_nr = imb * std::max(1, sd->span_weight / imb_span);
  }
}

/// What a domain can still do: with one group, nothing that moves tasks between groups, and of the
/// flags only SD_WAKE_AFFINE is about something else.
SdFlags useful_flags(const SchedDomain& sd) {
  return sd.groups.size() > 1 ? sd.flags : sd.flags & kSdWakeAffine;
}

/// Kernel: sd_degenerate().
bool sd_degenerate(const SchedDomain& sd) { return sd.span_weight == 1 || useful_flags(sd) == 0; }

/// Kernel: sd_parent_degenerate().
bool sd_parent_degenerate(const SchedDomain& sd, const SchedDomain& parent) {
  return sd_degenerate(parent) ||
         (sd.span == parent.span && (useful_flags(parent) & ~sd.flags) == 0);
}

/// Kernel: cpu_attach_domain(). Only the lowest remaining level is tested for itself, because a
/// higher one has been tested as somebody's parent.
Domains without_degenerate(Domains raw) {
  Domains kept;
  for (SchedDomain& sd : raw) {
    if (!kept.empty() && sd_parent_degenerate(kept.back(), sd)) {
      kept.back().flags |= sd.flags & kSdPreferSibling;
    } else {
      kept.push_back(std::move(sd));
    }
  }
  if (!kept.empty() && sd_degenerate(kept.front())) kept.erase(kept.begin());
  return kept;
}

/// The flags the CPU's own group has at the level with this span: those of the child that remained.
/// A level is removed for all CPUs of a span or for none, so the span is found.
SdFlags own_group_flags(const Domains& domains, CpuMask span) {
  SdFlags child_flags = 0;
  for (const SchedDomain& sd : domains) {
    if (sd.span == span) break;
    child_flags = sd.flags;
  }
  return child_flags;
}

/// Each CPU corrects the flags of its own group after the removal. CPUs share the group objects of
/// a level, so remote groups are corrected by their own CPUs, except on NUMA levels, where every
/// CPU has its own copies and remote groups keep the flags of a child that may be gone.
void correct_group_flags(std::vector<Domains>& all) {
  for (Domains& domains : all) {
    for (SchedDomain& sd : domains) {
      const std::size_t corrected = (sd.flags & kSdNuma) != 0 ? 1 : sd.groups.size();
      for (std::size_t g = 0; g < corrected; ++g) {
        const auto owner = static_cast<std::size_t>(std::countr_zero(sd.groups[g]));
        sd.group_flags[g] = own_group_flags(all[owner], sd.span);
      }
    }
  }
}

}  // namespace

Topology build_sched_domains(std::string spec, const std::vector<TopologyLevel>& levels,
                             int imbalance_pct_above_llc) {
  const std::size_t nr_cpus = levels.empty() ? 0 : levels.front().spans.size();
  Topology topology{std::move(spec), static_cast<int>(nr_cpus), 0, {}};
  for (std::size_t cpu = 0; cpu < nr_cpus; ++cpu) {
    Domains raw = raw_domains(levels, cpu, imbalance_pct_above_llc);
    set_imb_numa_nr(raw);
    topology.domains.push_back(without_degenerate(std::move(raw)));
    topology.all |= CpuMask{1} << cpu;
  }
  correct_group_flags(topology.domains);
  for (Domains& domains : topology.domains) {
    for (SchedDomain& sd : domains) {
      sd.balance_fork = (sd.flags & kSdBalanceFork) != 0;
      sd.numa = (sd.flags & kSdNuma) != 0;
      sd.share_llc = (sd.flags & kSdShareLlc) != 0;
      sd.prefer_sibling = sd.groups.size() > 1 && (sd.group_flags[1] & kSdPreferSibling) != 0;
    }
  }
  return topology;
}

Topology build_sched_domains(const MachineDescription& machine, int imbalance_pct_above_llc) {
  return build_sched_domains(machine.spec, topology_levels(machine), imbalance_pct_above_llc);
}

}  // namespace schedcheck
