// SPDX-License-Identifier: Apache-2.0
/// \file Kind `lb_src_group`.
#include "counterexamples/conform/balance_kinds.hpp"
#include "counterexamples/conform/group_cases.hpp"
#include "model/balance/find_src_group.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;

/// What the file calls a migration type; "" stands for none.
std::int64_t migration_number(const JsonReader& value) {
  if (value.is_null()) return -1;
  const std::string text = value.text();
  if (text == "load") return static_cast<std::int64_t>(MigrationType::kLoad);
  if (text == "util") return static_cast<std::int64_t>(MigrationType::kUtil);
  if (text == "task") return static_cast<std::int64_t>(MigrationType::kTask);
  value.fail("load, util, task or null is expected");
}

/// A group from its columns: load .. weight, imbalanced.
LbGroup<D> read_group(const JsonReader& columns, int pct, bool pulls,
                      const KernelSwitches& kernel) {
  const auto cells = columns.elements(kGroupNumbers + 1);
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < kGroupNumbers; ++i)
    numbers.push_back(
        cells[i].integer(i == 1 || i == 7 ? 1 : 0, i == 1 ? kCapacity * kMaxCpus : kU32Max));
  LbGroup<D> group;
  const bool imbalanced = cells[kGroupNumbers].flag();
  group.stats = group_from<D>(std::span<const std::int64_t>(numbers), pct, imbalanced);
  classify_lb_group<D>(kernel, pct, imbalanced, pulls, group);
  return group;
}

void check_row(const JsonReader& row, const KernelSwitches& kernel, RowCheck& difference) {
  SchedDomain sd;
  sd.imbalance_pct = static_cast<int>(row.integer("pct", 100, 1000));
  sd.numa = row.at("numa").flag();
  sd.share_llc = row.at("share_llc").flag();
  sd.prefer_sibling = row.at("prefer_sibling").flag();
  sd.imb_numa_nr = static_cast<int>(row.integer("imb_numa_nr", 0, kMaxCpus));
  LbEnv<D> env{.sd = sd, .idle = idle_type_of(row.at("idle")), .dst_cpu = 0, .cpus = 0, .cpu = {}};
  SdLbStats<D> sds = init_sd_lb_stats<D>();
  int index = 0;
  const auto groups = row.at("rows").elements();
  if (groups.empty() || groups.size() > kMaxCpus)
    row.at("rows").fail("1 to " + std::to_string(kMaxCpus) + " groups are expected");
  for (const JsonReader& columns : groups) {
    const bool pulls = index != 0 && env.is_idle();
    add_group<D>(kernel, sds, read_group(columns, sd.imbalance_pct, pulls, kernel), index++);
  }
  const std::int64_t group = find_src_group<D>(kernel, env, sds);
  difference.same("src_group", row.integer("src_group", -1, kMaxCpus), group);
  difference.same("imbalance", row.integer("imbalance", 0, kTimeMax), env.imbalance);
  if (group != kNoTask)
    difference.same("migration_type", migration_number(row.at("migration_type")),
                    static_cast<std::int64_t>(env.migration_type));
}

}  // namespace

void check_lb_src_group(const JsonReader& file, ConformFile& result) {
  const KernelSwitches kernel = parse_kernel(kExecutedOn[0].kernel).switches;
  check_rows(file.at("cases").elements(), result, [&](const JsonReader& row, RowCheck& difference) {
    check_row(row, kernel, difference);
  });
}

}  // namespace schedcheck
