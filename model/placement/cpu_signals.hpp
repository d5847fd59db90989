// SPDX-License-Identifier: Apache-2.0
/// \file What placement reads of a CPU: plain, lock-free reads of the last written averages
/// (cpu_load, cpu_util, cpu_runnable, their _without forms, idle_cpu; kernel/sched/fair.c, v6.12).
#pragma once

#include "model/fair/entity.hpp"

namespace schedcheck {

/// Whether p's own blocked contribution must be taken out of `cpu` when p is looked for a place.
/// Never true for a forked task: it is not attached yet.
template <ValueDomain D>
BoolOf<D> contributes_to(const Machine<D>& m, int cpu, int p) {
  const Task<D>& task = task_of(m, p);
  return task.avg.last_update_time != 0 && task.cpu == cpu;
}

/// Capacity units, at most 1024. Here and below `own` is contributes_to(m, cpu, p).
template <ValueDomain D>
IntOf<D> cpu_util_without(const Machine<D>& m, int cpu, int p, const BoolOf<D>& own) {
  using Int = IntOf<D>;
  const CfsRq<D>& cfs = cpu_rq(m, cpu).cfs;
  const Int part = D::select(own, task_of(m, p).avg.util_avg, Int(0));
  return D::min(D::max(D::sub_or_zero(cfs.avg.util_avg, part), cfs.util_est), Int(kCapacity));
}

template <ValueDomain D>
IntOf<D> cpu_util(const Machine<D>& m, int cpu) {
  const CfsRq<D>& cfs = cpu_rq(m, cpu).cfs;
  return D::min(D::max(cfs.avg.util_avg, cfs.util_est), IntOf<D>(kCapacity));
}

template <ValueDomain D>
IntOf<D> cpu_runnable_without(const Machine<D>& m, int cpu, int p, const BoolOf<D>& own) {
  using Int = IntOf<D>;
  const Int part = D::select(own, task_of(m, p).avg.runnable_avg, Int(0));
  return D::sub_or_zero(cpu_rq(m, cpu).cfs.avg.runnable_avg, part);
}

/// Weight units.
template <ValueDomain D>
IntOf<D> cpu_load(const Machine<D>& m, int cpu) {
  return cpu_rq(m, cpu).cfs.avg.load_avg;
}

/// p's load as seen at the root; at root level that is p's own, off by the kernel's rounding.
template <ValueDomain D>
IntOf<D> task_h_load(const Machine<D>& m, int cpu, int p) {
  return D::div(task_of(m, p).avg.load_avg * cpu_load(m, cpu), cpu_load(m, cpu) + 1);
}

template <ValueDomain D>
IntOf<D> cpu_load_without(const Machine<D>& m, int cpu, int p, const BoolOf<D>& own) {
  return D::eval([&]() -> IntOf<D> {
    if (!own) return cpu_load(m, cpu);
    return D::sub_or_zero(cpu_load(m, cpu), task_h_load(m, cpu, p));
  });
}

template <ValueDomain D>
BoolOf<D> idle_cpu(const Machine<D>& m, int cpu) {
  const Rq<D>& rq = cpu_rq(m, cpu);
  return rq.curr == kNoTask && rq.nr_running == 0 && !rq.ttwu_pending;
}

/// The CPU runs SCHED_IDLE tasks and nothing else.
template <ValueDomain D>
BoolOf<D> sched_idle_cpu(const Machine<D>& m, int cpu) {
  const Rq<D>& rq = cpu_rq(m, cpu);
  return rq.nr_running > 0 && rq.nr_running == rq.cfs.h_nr_idle;
}

}  // namespace schedcheck
