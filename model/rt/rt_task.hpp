// SPDX-License-Identifier: Apache-2.0
/// \file SCHED_FIFO and SCHED_RR at model level: enqueue_task_rt, dequeue_task_rt, pick_task_rt,
/// update_curr_rt, task_tick_rt of kernel/sched/rt.c. No push or pull (limit L9). Only the native
/// reading has RT tasks.
#pragma once

#include "model/machine.hpp"

namespace schedcheck {

inline constexpr std::int64_t kRrTimesliceNs = 100'000'000;  ///< sched_rr_timeslice
inline constexpr std::int64_t kRtPeriodNs = 1'000'000'000;   ///< sched_rt_period_us
inline constexpr std::int64_t kRtRuntimeNs = 950'000'000;    ///< sched_rt_runtime_us

/// Whether p (kNoTask: the idle task) is of the RT class.
template <ValueDomain D>
bool is_rt([[maybe_unused]] const Machine<D>& m, [[maybe_unused]] int p) {
  if constexpr (D::kSymbolic) {
    return false;
  } else {
    return p != kNoTask && task_of(m, p).rt_priority != 0;
  }
}

/// At the end of its priority's list, or at its head.
template <ValueDomain D>
void enqueue_task_rt(Machine<D>& m, int cpu, int p, bool head) {
  Rq<D>& rq = cpu_rq(m, cpu);
  Task<D>& task = task_of(m, p);
  rq.rt_places = rq.rt_places + 1;
  task.rt_place = head ? IntOf<D>(0) - rq.rt_places : IntOf<D>(rq.rt_places);
  task.rt_queued = true;
  rq.rt_nr_running = rq.rt_nr_running + 1;
  if (!rq.rt_throttled) rq.nr_running = rq.nr_running + 1;
  if (rq.rt_timer == 0) rq.rt_timer = m.now + kRtPeriodNs;
}

template <ValueDomain D>
void dequeue_task_rt(Machine<D>& m, int cpu, int p) {
  Rq<D>& rq = cpu_rq(m, cpu);
  task_of(m, p).rt_queued = false;
  rq.rt_nr_running = rq.rt_nr_running - 1;
  if (!rq.rt_throttled) rq.nr_running = rq.nr_running - 1;
}

/// The first of the highest priority; kNoTask: nobody may run.
template <ValueDomain D>
int pick_task_rt(const Machine<D>& m, int cpu) {
  int best = kNoTask;
  if constexpr (!D::kSymbolic) {
    const Rq<D>& rq = cpu_rq(m, cpu);
    if (rq.rt_nr_running == 0 || rq.rt_throttled) return kNoTask;
    for (int p = 0; p < m.nr_tasks; ++p) {
      const Task<D>& task = task_of(m, p);
      if (!task.rt_queued || task.cpu != cpu) continue;
      if (best == kNoTask || task.rt_priority > task_of(m, best).rt_priority ||
          (task.rt_priority == task_of(m, best).rt_priority &&
           task.rt_place < task_of(m, best).rt_place))
        best = p;
    }
  }
  return best;
}

/// p, which runs, is charged; with RT throttling (before v6.12) the CPU's RT tasks may have to
/// stop.
template <ValueDomain D>
void update_curr_rt(const Model& model, Machine<D>& m, int cpu, int p) {
  Rq<D>& rq = cpu_rq(m, cpu);
  Task<D>& task = task_of(m, p);
  const IntOf<D> ran = rq.clock - task.exec_start;
  if (ran <= 0) return;
  task.exec_start = rq.clock;
  task.sum_exec_runtime = task.sum_exec_runtime + ran;
  if (model.kernel.fair_server != FairServer::kRtThrottling) return;
  rq.rt_time = rq.rt_time + ran;
  if (rq.rt_time <= kRtRuntimeNs || rq.rt_throttled) return;
  rq.rt_throttled = true;
  rq.nr_running = rq.nr_running - rq.rt_nr_running;
  rq.need_resched = true;
}

/// The end of a period of RT throttling (do_sched_rt_period_timer).
template <ValueDomain D>
void rt_period_timer(const Model& model, Machine<D>& m, int cpu) {
  Rq<D>& rq = cpu_rq(m, cpu);
  const auto curr = static_cast<int>(D::which(rq.curr, kNoTask, kMaxTasks));
  rq.clock = m.now;
  if (is_rt(m, curr)) update_curr_rt<D>(model, m, cpu, curr);
  rq.rt_time = D::sub_or_zero(rq.rt_time, IntOf<D>(kRtRuntimeNs));
  if (rq.rt_throttled && rq.rt_time < kRtRuntimeNs) {
    rq.rt_throttled = false;
    rq.nr_running = rq.nr_running + rq.rt_nr_running;
    rq.need_resched = true;
  }
  rq.rt_timer = rq.rt_nr_running > 0 || rq.rt_time > 0 ? m.now + kRtPeriodNs : IntOf<D>(0);
}

/// A SCHED_RR task whose time is over goes behind its equals.
template <ValueDomain D>
void task_tick_rt(const Model& model, Machine<D>& m, int cpu, int p) {
  update_curr_rt<D>(model, m, cpu, p);
  Task<D>& task = task_of(m, p);
  if (!task.rt_round_robin) return;
  task.rr_left = task.rr_left - model.tick_ns;
  if (task.rr_left > 0) return;
  task.rr_left = kRrTimesliceNs;
  dequeue_task_rt<D>(m, cpu, p);
  enqueue_task_rt<D>(m, cpu, p, /*head=*/false);
  if (pick_task_rt<D>(m, cpu) != p) cpu_rq(m, cpu).need_resched = true;
}

}  // namespace schedcheck
