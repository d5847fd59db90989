// SPDX-License-Identifier: Apache-2.0
/// \file What keeps RT tasks from starving fair ones since v6.12: dl_server_start, dl_server_stop,
/// dl_server_update, dl_server_timer of kernel/sched/deadline.c, at model level. The server waits
/// until fair tasks must run to get their runtime by the deadline (zero laxity), then fair tasks go
/// before RT tasks until the runtime is used up.
#pragma once

#include "model/machine.hpp"

namespace schedcheck {

inline constexpr std::int64_t kServerRuntimeNs = 50'000'000;
inline constexpr std::int64_t kServerPeriodNs = 1'000'000'000;

/// It runs now if it ran in the period before, else it waits for its zero-laxity point.
template <ValueDomain D>
void start_or_defer(Machine<D>& m, DlServer<D>& server) {
  server.at_deadline = false;
  server.queued = server.deferred_running;
  server.timer =
      server.queued ? IntOf<D>(0) : D::max(server.deadline - server.runtime, IntOf<D>(m.now + 1));
}

/// A new period starts now.
template <ValueDomain D>
void replenish_dl_new_period(Machine<D>& m, DlServer<D>& server) {
  server.deadline = m.now + kServerPeriodNs;
  server.runtime = kServerRuntimeNs;
  start_or_defer(m, server);
}

/// The first fair task was queued.
template <ValueDomain D>
void dl_server_start(const Model& model, Machine<D>& m, int cpu) {
  Rq<D>& rq = cpu_rq(m, cpu);
  DlServer<D>& server = rq.server;
  if (model.kernel.fair_server != FairServer::kServer || server.active) return;
  server.active = true;
  if (m.now >= server.deadline || server.runtime <= 0) {
    replenish_dl_new_period(m, server);
  } else {
    start_or_defer(m, server);
  }
  if (server.queued && rq.rt_nr_running > 0) rq.need_resched = true;
}

template <ValueDomain D>
void dl_server_stop(DlServer<D>& server) {
  server.active = false;
  server.queued = false;
  server.timer = 0;
}

/// The last fair task left. The later rules find that out when the server is picked or its timer
/// fires.
template <ValueDomain D>
void dl_server_idle(const Model& model, Machine<D>& m, int cpu) {
  if (model.kernel.dl_timer_no_task == DlTimerNoTask::kStopAtDequeue)
    dl_server_stop(cpu_rq(m, cpu).server);
}

/// Fair tasks ran for `ran` ns, through the server or by themselves.
template <ValueDomain D>
void dl_server_update(Machine<D>& m, int cpu, const IntOf<D>& ran) {
  Rq<D>& rq = cpu_rq(m, cpu);
  DlServer<D>& server = rq.server;
  const bool armed = server.timer != 0;
  if (!server.active || (!armed && !server.queued)) return;
  server.runtime = server.runtime - ran;
  if (server.runtime > 0) return;
  if (!server.queued) {
    // They got their share without the server: it waits in a whole new period.
    server.deferred_running = false;
    return replenish_dl_new_period(m, server);
  }
  server.queued = false;
  server.at_deadline = true;
  server.timer = D::max(IntOf<D>(server.deadline), IntOf<D>(m.now + 1));
  rq.need_resched = true;
}

/// The timer found no fair task (switch dl_timer_no_task).
template <ValueDomain D>
void dl_server_found_idle(const Model& model, Machine<D>& m, DlServer<D>& server) {
  server.deferred_running = false;
  if (model.kernel.dl_timer_no_task == DlTimerNoTask::kArmZeroLaxity && server.at_deadline)
    return replenish_dl_new_period(m, server);
  if (model.kernel.dl_timer_no_task != DlTimerNoTask::kStopWithoutFlag)
    return dl_server_stop(server);
  // Stopped, but it still counts as active: nothing will start it again.
  server.queued = false;
  server.timer = 0;
}

template <ValueDomain D>
void dl_server_timer(const Model& model, Machine<D>& m, int cpu) {
  Rq<D>& rq = cpu_rq(m, cpu);
  DlServer<D>& server = rq.server;
  if (rq.cfs.h_nr_queued == 0) return dl_server_found_idle(model, m, server);
  if (server.at_deadline) {
    server.deadline = D::max(server.deadline + kServerPeriodNs, IntOf<D>(m.now + 1));
    server.runtime = kServerRuntimeNs;
  }
  server.deferred_running = true;
  server.queued = true;
  server.timer = 0;
  rq.need_resched = true;
}

}  // namespace schedcheck
