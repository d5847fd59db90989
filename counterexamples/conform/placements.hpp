// SPDX-License-Identifier: Apache-2.0
/// \file Cases of kind `placements`: one level of a fork decision of a kernel.
#pragma once

#include "counterexamples/conform/group_cases.hpp"

namespace schedcheck {

/// in: kGroupNumbers per group, local group first. Gives the first CPU of the best remote group
/// (kNoGroup: none) and, if the row allows, the first CPU of the group the task went to.
///
/// What a row allows. The best remote group: always. Where the child finally went (target_cpu):
/// only at the lowest level of a fork (last=1), because after a higher level the walk goes on, or
/// was given up for another one; and there up to the group, because the CPU chosen inside a group
/// of several depends on what is not recorded (for a group of one CPU that is exact). Not in NUMA
/// domains: the number of tasks that may stay imbalanced is not recorded.
struct PlacementCase : ConformCase {
  static constexpr std::int64_t kNoGroup = -1;

  KernelSwitches kernel;
  SchedDomain sd;  ///< imbalance_pct and numa.
  std::vector<bool> imbalanced;
  std::vector<std::int64_t> first_cpu;  ///< Of each group, in ring order.
  bool target_known = false;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    GroupRing<D> ring = ring_from<D>(x, sd.imbalance_pct, imbalanced);
    std::vector<IntOf<D>> out;
    ring.allowed[0] = false;  // Without a local group the best remote one is the answer.
    out.push_back(first_cpu_of<D>(choose_from_ring<D>(kernel, sd, ring, 0), kNoGroup));
    if (!target_known) return out;
    ring.allowed[0] = true;
    out.push_back(first_cpu_of<D>(choose_from_ring<D>(kernel, sd, ring, 0), first_cpu[0]));
    return out;
  }

 private:
  template <ValueDomain D>
  IntOf<D> first_cpu_of(const IntOf<D>& group, std::int64_t local) const {
    IntOf<D> cpu = local;
    for (std::size_t i = 1; i < first_cpu.size(); ++i)
      cpu = D::select(group == static_cast<std::int64_t>(i), IntOf<D>(first_cpu[i]), cpu);
    return cpu;
  }
};

/// `groups` is the groups.csv beside `table`. Rows whose decision it does not have are added to
/// `skipped`.
std::vector<PlacementCase> placements_cases(const CsvTable& table, const CsvTable& groups,
                                            std::vector<std::string>& skipped);

}  // namespace schedcheck
