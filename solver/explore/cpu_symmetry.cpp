// SPDX-License-Identifier: Apache-2.0
/// \file Renumberings by trial: at most 8! of them.
#include "solver/explore/cpu_symmetry.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "model/fair/wake.hpp"

namespace schedcheck {
namespace {

constexpr int kMostCpus = 8;

bool contains(const std::vector<Event>& alphabet, const Event& event) {
  return std::find(alphabet.begin(), alphabet.end(), event) != alphabet.end();
}

std::vector<int> cpus_of(CpuMask mask, int from, int nr_cpus) {
  std::vector<int> cpus;
  for (int k = 0; k < nr_cpus; ++k) {
    const int cpu = (from + k) % nr_cpus;
    if ((mask >> cpu & 1) != 0) cpus.push_back(cpu);
  }
  return cpus;
}

bool keeps_order(const std::vector<int>& before, const std::vector<int>& after,
                 const CpuRenaming& name) {
  if (before.size() != after.size()) return false;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (name[static_cast<std::size_t>(before[i])] != after[i]) return false;
  return true;
}

bool same_domain(const SchedDomain& a, const SchedDomain& b, const CpuRenaming& name, int nr_cpus) {
  if (renamed(a.span, name) != b.span || a.groups.size() != b.groups.size() ||
      a.imbalance_pct != b.imbalance_pct || a.balance_fork != b.balance_fork || a.numa != b.numa ||
      a.prefer_sibling != b.prefer_sibling || a.share_llc != b.share_llc ||
      a.imb_numa_nr != b.imb_numa_nr)
    return false;
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    if (renamed(a.groups[g], name) != b.groups[g]) return false;
    // A wide group is scanned from its lowest CPU on.
    if (!keeps_order(cpus_of(a.groups[g], 0, nr_cpus), cpus_of(b.groups[g], 0, nr_cpus), name))
      return false;
  }
  return true;
}

bool keeps_topology(const Topology& topology, const CpuRenaming& name) {
  for (int cpu = 0; cpu < topology.nr_cpus; ++cpu) {
    const int other = name[static_cast<std::size_t>(cpu)];
    const auto& mine = topology.domains[static_cast<std::size_t>(cpu)];
    const auto& theirs = topology.domains[static_cast<std::size_t>(other)];
    if (mine.size() != theirs.size()) return false;
    for (std::size_t level = 0; level < mine.size(); ++level)
      if (!same_domain(mine[level], theirs[level], name, topology.nr_cpus)) return false;
    if (!keeps_order(cpus_of(llc_span(topology, cpu), cpu, topology.nr_cpus),
                     cpus_of(llc_span(topology, other), other, topology.nr_cpus), name))
      return false;
  }
  return true;
}

bool keeps_alphabet(const std::vector<Event>& alphabet, const CpuRenaming& name) {
  return std::all_of(alphabet.begin(), alphabet.end(), [&](Event event) {
    if (event.kind == EventKind::kUpdateBlocked)
      event.cpu = name[static_cast<std::size_t>(event.cpu)];
    event.cpus = renamed(event.cpus, name);
    return contains(alphabet, event);
  });
}

}  // namespace

CpuMask renamed(CpuMask cpus, const CpuRenaming& name) {
  CpuMask result = 0;
  for (std::size_t cpu = 0; cpu < name.size(); ++cpu)
    if ((cpus >> cpu & 1) != 0) result |= CpuMask{1} << name[cpu];
  return result;
}

std::vector<CpuRenaming> cpu_symmetries(const Model& model, const std::vector<Event>& alphabet,
                                        const std::vector<InitialTask>& tasks) {
  CpuRenaming name(static_cast<std::size_t>(model.topology.nr_cpus));
  std::iota(name.begin(), name.end(), 0);
  std::vector<CpuRenaming> found = {name};
  if (model.topology.nr_cpus > kMostCpus || model.nr_groups() > 1) return found;
  const auto plain = [&](CpuMask mask) {
    mask &= model.topology.all;
    return mask == model.topology.all || std::has_single_bit(mask);
  };
  for (const InitialTask& task : tasks)
    if (!plain(task.cpus)) return found;
  for (const Event& event : alphabet)
    if (event.kind == EventKind::kSetAffinity && !plain(event.cpus)) return found;
  while (std::next_permutation(name.begin(), name.end()))
    if (keeps_topology(model.topology, name) && keeps_alphabet(alphabet, name))
      found.push_back(name);
  return found;
}

bool tasks_alike(const Model& model, const std::vector<Event>& alphabet) {
  for (int t = 0; t + 1 < model.max_tasks; ++t) {
    const auto swapped = [t](int task) { return task == t ? t + 1 : task == t + 1 ? t : task; };
    for (Event event : alphabet) {
      if (!has_task(event.kind)) continue;
      event.task = swapped(event.task);
      event.wakes = swapped(event.wakes);
      if (!contains(alphabet, event)) return false;
    }
  }
  return true;
}

}  // namespace schedcheck
