// SPDX-License-Identifier: Apache-2.0
/// \file The CPU for a new task: sched_balance_find_dst_group_cpu, sched_balance_find_dst_cpu and
/// the fork part of select_task_rq_fair, kernel/sched/fair.c (find_idlest_* until v6.9).
#pragma once

#include "model/placement/find_dst_group.hpp"

namespace schedcheck {

/// The CPU of `group` for p: the most recently idled one, else the least loaded one.
/// `exit_latency`, one value per CPU in us with -1 for "no cpuidle state known", is for recorded
/// decisions only.
template <ValueDomain D>
IntOf<D> find_dst_group_cpu(const Machine<D>& m, CpuMask group, int p, int this_cpu,
                            const std::int64_t* exit_latency = nullptr) {
  using Int = IntOf<D>;
  count_work<D>(Work::kIdlestCpu);
  if ((group & (group - 1)) == 0) return Int(std::countr_zero(group));
  return D::eval([&]() -> Int {
    Int least_loaded = this_cpu;
    Int shallowest = kNoTask;
    Int min_load = kTimeMax;
    Int latest_stamp = 0;
    std::int64_t min_latency = kTimeMax;
    for (CpuMask rest = group; rest != 0; rest &= rest - 1) {
      const int cpu = std::countr_zero(rest);
      if (!mutant<D>(Mutant::kAffinityIgnored) && !D::bit(task_of(m, p).cpus_ptr, cpu)) continue;
      if (sched_idle_cpu(m, cpu)) return Int(cpu);
      const std::int64_t latency = exit_latency != nullptr ? exit_latency[cpu] : -1;
      const Int& stamp = cpu_rq(m, cpu).idle_stamp;
      D::join(
          [&] {
            if (idle_cpu(m, cpu)) {
              const bool quicker = latency >= 0 && latency < min_latency;
              const bool comparable = latency < 0 || latency == min_latency;
              if (quicker || (comparable && stamp > latest_stamp)) {
                latest_stamp = stamp;
                shallowest = cpu;
              }
            } else if (shallowest == kNoTask && cpu_load(m, cpu) < min_load) {
              min_load = cpu_load(m, cpu);
              least_loaded = cpu;
            }
          },
          latest_stamp, shallowest, min_load, least_loaded);
      if (latency >= 0 && idle_cpu(m, cpu)) min_latency = std::min(min_latency, latency);
    }
    return D::select(shallowest != kNoTask, shallowest, least_loaded);
  });
}

/// One level of the walk, for logs: domain `sd` of `cpu` sent p to ring position `group` (or
/// stays).
struct NoPlacementLog {
  void level(int /*cpu*/, const SchedDomain& /*sd*/, int /*group*/, int /*picked_cpu*/) const {}
};

/// The walk from `top` (an index into this_cpu's domains) down. Yields the chosen CPU.
template <ValueDomain D, class Log = NoPlacementLog>
IntOf<D> find_dst_cpu(const Model& model, const Machine<D>& m, int p, int this_cpu, int prev_cpu,
                      int top, const Log& log = {}, const std::int64_t* exit_latency = nullptr) {
  using Int = IntOf<D>;
  return D::eval([&]() -> Int {
    const auto* domains = &model.topology.domains[static_cast<std::size_t>(this_cpu)];
    const CpuMask span = (*domains)[static_cast<std::size_t>(top)].span;
    if (!D::intersects(task_of(m, p).cpus_ptr, span)) return Int(prev_cpu);
    int cpu = this_cpu;
    int result = this_cpu;
    for (int level = top; level >= 0;) {
      const SchedDomain& sd = (*domains)[static_cast<std::size_t>(level)];
      if (!sd.balance_fork) {
        --level;
        continue;
      }
      const int ring_last = static_cast<int>(sd.groups.size()) - 1;
      const int group = D::which(find_dst_group<D>(model, m, sd, p), kStayLocal, ring_last);
      if (group == kStayLocal) {
        log.level(cpu, sd, kStayLocal, kStayLocal);
        --level;
        continue;
      }
      result = D::which(find_dst_group_cpu<D>(m, sd.groups[static_cast<std::size_t>(group)], p, cpu,
                                              exit_latency),
                        0, model.topology.nr_cpus - 1);
      log.level(cpu, sd, group, result);
      if (result == cpu) {
        --level;
        continue;
      }
      // Go on below, among the new CPU's own domains.
      cpu = result;
      domains = &model.topology.domains[static_cast<std::size_t>(cpu)];
      level = kStayLocal;
      for (std::size_t i = 0; i < domains->size() && (*domains)[i].span_weight < sd.span_weight;
           ++i)
        if ((*domains)[i].balance_fork) level = static_cast<int>(i);
    }
    return Int(result);
  });
}

/// Index of the highest domain of `cpu` with the fork flag, walking up while it is set; -1: none.
inline int top_fork_domain(const Topology& topology, int cpu) {
  int top = -1;
  for (const SchedDomain& sd : topology.domains[static_cast<std::size_t>(cpu)]) {
    if (!sd.balance_fork) break;
    ++top;
  }
  return top;
}

/// select_task_rq for a forked p whose parent runs on `cpu`.
template <ValueDomain D, class Log = NoPlacementLog>
IntOf<D> select_task_rq_fork(const Model& model, const Machine<D>& m, int p, int cpu,
                             const Log& log = {}) {
  using Int = IntOf<D>;
  const typename D::Mask& cpus = task_of(m, p).cpus_ptr;
  return D::eval([&]() -> Int {
    const Int first = D::first(cpus, model.topology.all);
    if (D::count(cpus, model.topology.all) == 1) return first;
    const int top = top_fork_domain(model.topology, cpu);
    const Int chosen = top < 0 ? Int(cpu) : find_dst_cpu<D>(model, m, p, cpu, cpu, top, log);
    // The core falls back to an allowed CPU when the class's answer is not one.
    return D::eval([&]() -> Int {
      const int c = D::which(chosen, 0, model.topology.nr_cpus - 1);
      if (mutant<D>(Mutant::kAffinityIgnored)) return Int(c);
      return D::select(D::bit(cpus, c), Int(c), first);
    });
  });
}

}  // namespace schedcheck
