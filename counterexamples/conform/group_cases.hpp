// SPDX-License-Identifier: Apache-2.0
/// \file Cases of kinds `group_classify`, `groups` and `fork_dst_group`: the class of a group and
/// the choice among the groups of a domain.
#pragma once

#include "counterexamples/conform/conform_case.hpp"
#include "model/placement/find_dst_group.hpp"

namespace schedcheck {

struct CsvTable;
class JsonReader;

inline constexpr std::int64_t kFileGroupMax = std::int64_t{1} << 40;  ///< Any sum over a group.

/// How many numbers describe a group: load, capacity, util, runnable, nr_running, h_nr, idle_cpus,
/// weight.
inline constexpr std::size_t kGroupNumbers = 8;

/// A group's statistics from kGroupNumbers numbers, with its class and average load.
template <ValueDomain D>
SgLbStats<D> group_from(std::span<const IntOf<D>> x, std::int64_t pct, bool imbalanced) {
  SgLbStats<D> sgs{};
  sgs.group_load = x[0];
  sgs.group_capacity = x[1];
  sgs.group_util = x[2];
  sgs.group_runnable = x[3];
  sgs.sum_nr_running = x[4];
  sgs.sum_h_nr_running = x[5];
  sgs.idle_cpus = x[6];
  sgs.group_weight = x[7];
  sgs.group_type = group_classify<D>(pct, sgs, imbalanced);
  sgs.avg_load = group_avg_load<D>(sgs);
  return sgs;
}

/// in: kGroupNumbers. Gives the class, then the average load (which group_classify.json lacks).
struct GroupCase : ConformCase {
  std::int64_t pct = 117;
  bool imbalanced = false;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    const SgLbStats<D> sgs = group_from<D>(x, pct, imbalanced);
    return {sgs.group_type, sgs.avg_load};
  }
};

/// The groups of a domain, the local one first.
template <ValueDomain D>
GroupRing<D> ring_from(std::span<const IntOf<D>> x, std::int64_t pct,
                       const std::vector<bool>& imbalanced) {
  GroupRing<D> ring;
  ring.size = static_cast<int>(imbalanced.size());
  for (std::size_t i = 0; i < imbalanced.size(); ++i) {
    ring.stats[i] = group_from<D>(x.subspan(i * kGroupNumbers), pct, imbalanced[i]);
    ring.allowed[i] = true;
  }
  return ring;
}

/// in: kGroupNumbers per group in ring order. Gives the chosen index under the tie rule since v5.9
/// and under the one before; kStayLocal for none.
struct ForkDstGroupCase : ConformCase {
  SchedDomain sd;  ///< imbalance_pct and numa.
  std::int64_t numa_nr = 0;
  std::vector<bool> imbalanced;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    const GroupRing<D> ring = ring_from<D>(x, sd.imbalance_pct, imbalanced);
    std::vector<IntOf<D>> out;
    for (const IdlestTiebreak rule : {IdlestTiebreak::kUtil, IdlestTiebreak::kNone}) {
      KernelSwitches kernel;
      kernel.idlest_tiebreak = rule;
      out.push_back(choose_from_ring<D>(kernel, sd, ring, numa_nr));
    }
    return out;
  }
};

std::vector<GroupCase> group_classify_cases(const JsonReader& file);
std::vector<GroupCase> groups_cases(const CsvTable& table);
std::vector<ForkDstGroupCase> fork_dst_group_cases(const JsonReader& file);

/// One row of groups.csv as kGroupNumbers.
std::vector<std::int64_t> group_columns(const CsvTable& table, std::size_t row);
/// The imbalance flag is no column: only class 5 tells that it was set. A group of one CPU has no
/// domain below it that could set it, so there class 5 is taken as a wrong class.
bool group_was_imbalanced(const CsvTable& table, std::size_t row);

}  // namespace schedcheck
