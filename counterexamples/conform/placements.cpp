// SPDX-License-Identifier: Apache-2.0
/// \file Kind `placements`.
#include "counterexamples/conform/placements.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "counterexamples/conform/csv_table.hpp"

namespace schedcheck {
namespace {

/// Run, decision number, domain level: a decision may have several levels.
using DecisionKey = std::tuple<std::string, std::string, std::string>;

DecisionKey key_of(const CsvTable& table, std::size_t row) {
  return {table.text(row, "src"), table.text(row, "decision"), table.text(row, "sd")};
}

/// Rows of groups.csv by decision, in the order the kernel visited the groups.
using Decisions = std::map<DecisionKey, std::vector<std::size_t>>;

Decisions index_groups(const CsvTable& groups) {
  Decisions decisions;
  for (std::size_t row = 0; row < groups.rows.size(); ++row) {
    groups.require_number(row, "decision", 0, INT64_MAX);
    decisions[key_of(groups, row)].push_back(row);
  }
  return decisions;
}

struct CpuRange {
  std::int64_t first, weight;

  [[nodiscard]] bool has(std::int64_t cpu) const { return first <= cpu && cpu < first + weight; }
};

CpuRange cpus_of(const CsvTable& groups, std::size_t row) {
  return {groups.number(row, "first_cpu", 0, kMaxCpus - 1),
          groups.number(row, "group_weight", 1, kMaxCpus)};
}

/// The rows of a decision from the local group on. The kernel visits it first; a record that
/// begins elsewhere is turned.
std::vector<std::size_t> ring_order(const CsvTable& groups, std::vector<std::size_t> rows,
                                    std::int64_t this_cpu) {
  const auto local = std::find_if(rows.begin(), rows.end(), [&](std::size_t row) {
    return cpus_of(groups, row).has(this_cpu);
  });
  if (local != rows.end()) std::rotate(rows.begin(), local, rows.end());
  return rows;
}

void add_group(const CsvTable& groups, std::size_t row, PlacementCase& c) {
  const auto numbers = group_columns(groups, row);
  c.in.insert(c.in.end(), numbers.begin(), numbers.end());
  c.imbalanced.push_back(group_was_imbalanced(groups, row));
  c.first_cpu.push_back(cpus_of(groups, row).first);
}

PlacementCase read_row(const CsvTable& table, std::size_t row, const CsvTable& groups,
                       const std::vector<std::size_t>& ring) {
  static const FieldNames kFields = {"idlest_first_cpu", "first CPU of target_cpu's group"};
  PlacementCase c;
  c.row = CsvTable::row_name(row) + " decision " + table.text(row, "decision");
  c.fields = &kFields;
  c.kernel.idlest_tiebreak =
      table.number(row, "pick_old", 0, 1) == 1 ? IdlestTiebreak::kNone : IdlestTiebreak::kUtil;
  c.sd.numa = table.text(row, "sd").starts_with("NUMA");
  c.sd.imbalance_pct = static_cast<int>(groups.number(ring[0], "imbalance_pct", 100, 1000));
  for (const std::size_t group : ring) add_group(groups, group, c);
  c.expected = {table.number(row, "idlest_first_cpu", -1, kMaxCpus)};
  const std::int64_t target = table.number(row, "target_cpu", 0, kMaxCpus);
  table.require_number(row, "bail", 0, 1);  // Says how tasks exit, which a placement does not see.
  c.target_known = table.number(row, "last", 0, 1) == 1 && !c.sd.numa;
  if (!c.target_known) return c;
  const auto its_group = std::find_if(ring.begin(), ring.end(), [&](std::size_t group) {
    return cpus_of(groups, group).has(target);
  });
  // A target outside the domain is in no group and so never right.
  c.expected.push_back(its_group == ring.end() ? PlacementCase::kNoGroup
                                               : cpus_of(groups, *its_group).first);
  return c;
}

}  // namespace

std::vector<PlacementCase> placements_cases(const CsvTable& table, const CsvTable& groups,
                                            std::vector<std::string>& skipped) {
  const Decisions decisions = index_groups(groups);
  std::vector<PlacementCase> cases;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    table.require_number(row, "decision", 0, INT64_MAX);
    const std::int64_t this_cpu = table.number(row, "this_cpu", 0, kMaxCpus - 1);
    const auto found = decisions.find(key_of(table, row));
    if (found == decisions.end()) {
      skipped.push_back(CsvTable::row_name(row) + " decision " + table.text(row, "decision") +
                        ": its groups are not in the groups.csv beside it");
      continue;
    }
    if (found->second.size() > kMaxGroups)
      table.fail(row, "its decision has " + std::to_string(found->second.size()) + " groups");
    cases.push_back(read_row(table, row, groups, ring_order(groups, found->second, this_cpu)));
  }
  return cases;
}

}  // namespace schedcheck
