// SPDX-License-Identifier: Apache-2.0
/// \file The decision log: re-reads the state with the model's own functions.
#include "counterexamples/decision_log.hpp"

#include <fmt/format.h>

#include "model/placement/group_type_name.hpp"

namespace schedcheck {
namespace {

using N = NativeDomain;

GroupRecord record_group(const SgLbStats<N>& sgs, CpuMask cpus, bool local, bool allowed) {
  return {cpus,           std::string(group_type_name(sgs.group_type)),
          sgs.group_util, sgs.group_runnable,
          sgs.group_load, sgs.sum_nr_running,
          sgs.idle_cpus,  sgs.avg_load,
          local,          allowed};
}

std::string why(const SchedDomain& sd, const GroupRing<N>& ring, const LevelRecord& level,
                int best) {
  if (best < 0) return "no other group has an allowed CPU: stay";
  const auto& local = ring.stats[0];
  const auto& other = ring.stats[static_cast<std::size_t>(best)];
  const std::string name = mask_text(sd.groups[static_cast<std::size_t>(best)]);
  const bool stays = level.chosen < 0;
  if (!ring.allowed[0]) return fmt::format("the local group has no allowed CPU: go to {}", name);
  if (local.group_type != other.group_type)
    return fmt::format("local is {}, the best other group {} is {}: {}",
                       group_type_name(local.group_type), name, group_type_name(other.group_type),
                       stays ? "stay" : "go there");
  if (local.group_type == kHasSpare)
    return fmt::format("both have spare capacity, idle CPUs {} here, {} in {} (util {}): {}",
                       local.idle_cpus, other.idle_cpus, name, other.group_util,
                       stays ? "stay" : "go there");
  return fmt::format("both are {}, average load {} here, {} in {}: {}",
                     group_type_name(local.group_type), local.avg_load, other.avg_load, name,
                     stays ? "stay" : "go there");
}

struct RecordingLog {
  const Model* model;
  const Machine<N>* m;
  int child;
  std::vector<LevelRecord>* levels;

  void level(int cpu, const SchedDomain& sd, int group, int picked) const {
    GroupRing<N> ring;
    collect_ring<N>(ring, *model, *m, sd, child);
    LevelRecord record{sd.name, cpu, sd.imbalance_pct, {}, group, picked, ""};
    for (int i = 0; i < ring.size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      record.groups.push_back(
          record_group(ring.stats[at], sd.groups[at], i == 0, ring.allowed[at]));
    }
    const int best =
        group >= 0 ? group : static_cast<int>(best_remote_group<N>(model->kernel, ring).index);
    record.reason = why(sd, ring, record, best);
    levels->push_back(std::move(record));
  }
};

}  // namespace

std::string mask_text(CpuMask cpus) {
  if (std::has_single_bit(cpus)) return std::to_string(std::countr_zero(cpus));
  std::string text = "{";
  for (CpuMask rest = cpus; rest != 0; rest &= rest - 1)
    text += (text.size() > 1 ? "," : "") + std::to_string(std::countr_zero(rest));
  return text + "}";
}

ForkRecord record_fork(const Model& model, const Machine<NativeDomain>& m, int parent, int child,
                       int this_cpu, int chosen) {
  ForkRecord record{parent, child, this_cpu, chosen, {}};
  const RecordingLog log{&model, &m, child, &record.levels};
  select_task_rq_fork<N>(model, m, child, this_cpu, log);
  return record;
}

}  // namespace schedcheck
