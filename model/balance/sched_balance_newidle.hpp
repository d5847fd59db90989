// SPDX-License-Identifier: Apache-2.0
/// \file A CPU about to go idle looks for work: sched_balance_newidle, kernel/sched/fair.c
/// (newidle_balance until v6.9), and rq->avg_idle, which decides whether it does. v5.16 to v6.12 by
/// switches. Left out: misfit status, nohz. Runs inside a region.
#pragma once

#include "model/balance/sched_balance_domains.hpp"

namespace schedcheck {

/// What newidle balancing reads and writes of the CPU's queue.
template <ValueDomain D>
struct NewidleRq {
  IntOf<D> clock = 0, idle_stamp = 0;                              ///< ns
  IntOf<D> avg_idle = 1'000'000, max_idle_balance_cost = 500'000;  ///< ns
  IntOf<D> next_balance = 0;                                       ///< Jiffies.
  IntOf<D> nr_running = 0, h_nr_queued = 0;
  bool ttwu_pending = false;
  bool cpu_active = true;
  bool rd_overloaded = true;  ///< Some queue of the root domain has two tasks.
};

/// A wakeup after idling for `delta` ns: a moving mean of eight, at most twice the largest cost.
template <ValueDomain D>
void update_avg_idle(NewidleRq<D>& rq, const IntOf<D>& delta) {
  // The kernel divides towards zero.
  const IntOf<D> less = D::shr(D::sub_or_zero(rq.avg_idle, delta), 3);
  const IntOf<D> more = D::shr(D::sub_or_zero(delta, rq.avg_idle), 3);
  rq.avg_idle = D::min(rq.avg_idle + more - less, 2 * rq.max_idle_balance_cost);
}

/// What balancing a level did.
template <ValueDomain D>
struct NewidlePass {
  int pulled = 0;  ///< Tasks.
  bool continue_balancing = true;
  bool no_busiest = false;  ///< See BalanceRqResult.
};

/// The switches that decide whether the domains are visited at all.
template <ValueDomain D>
bool newidle_is_worth_it(const KernelSwitches& kernel, const NewidleRq<D>& rq,
                         std::span<const BalanceState<D>> domains) {
  if (domains.empty() || !rq.rd_overloaded) return false;
  if (kernel.newidle_gate == NewidleGate::kMigrationCost)
    return rq.avg_idle >= kernel.sysctl_sched_migration_cost;
  return rq.avg_idle >= domains[0].cost.max_newidle_lb_cost;
}

/// The walk over the domains. Yields how many tasks were pulled.
template <ValueDomain D, class Env>
int newidle_walk(const KernelSwitches& kernel, BalanceClock<D> clock, NewidleRq<D>& rq,
                 std::span<BalanceState<D>> domains, IntOf<D>& next_balance, Env& env) {
  IntOf<D> curr_cost = 0;
  IntOf<D> t0 = env.clock_ns();
  env.update_blocked();
  int pulled = 0;
  for (std::size_t level = 0; level < domains.size(); ++level) {
    BalanceState<D>& sd = domains[level];
    next_balance = D::min(next_balance, sd_next_balance<D>(clock, sd, false));
    if (rq.avg_idle < curr_cost + sd.cost.max_newidle_lb_cost) break;
    bool continue_balancing = true;
    if (sd.balance_newidle) {
      const CostClock<D> now{clock.jiffies, clock.hz, env.clock_ns()};
      const auto dice = [&] { return env.dice(); };
      const IntOf<D> weight = newidle_weight<D>(kernel, now, sd.cost, dice);
      if (weight == 0) continue;
      if (!kernel.newidle_charges_blocked) t0 = env.clock_ns();
      const NewidlePass<D> pass = env.balance(level, rq);
      const IntOf<D> t1 = env.clock_ns();
      const CostClock<D> then{clock.jiffies, clock.hz, t1};
      curr_cost = curr_cost + t1 - t0;
      if (pass.no_busiest) note_no_busiest<D>(kernel, then, sd.cost, true);
      account_newidle_pass<D>(kernel, then, sd.cost, t1 - t0, weight, pass.pulled > 0);
      t0 = t1;
      pulled = pass.pulled;
      continue_balancing = pass.continue_balancing;
    }
    if (pulled > 0) break;
    if (kernel.newidle_stop == NewidleStop::kContinueBalancing
            ? !continue_balancing
            : rq.nr_running > 0 || rq.ttwu_pending)
      break;
  }
  rq.max_idle_balance_cost = D::max(rq.max_idle_balance_cost, curr_cost);
  return pulled;
}

/// Yields 0: stay idle, -1: a task of a higher class came, else how many fair tasks are there.
/// `env` is the world: `clock_ns()` of the CPU, `update_blocked()`, `dice()` (any number),
/// `balance(level, rq)`, which is sched_balance_rq and yields a NewidlePass.
template <ValueDomain D, class Env>
int sched_balance_newidle(const KernelSwitches& kernel, const BalanceClock<D>& clock,
                          NewidleRq<D>& rq, std::span<BalanceState<D>> domains, Env& env) {
  if (rq.ttwu_pending) return 0;
  rq.idle_stamp = rq.clock;
  if (!rq.cpu_active) return 0;
  IntOf<D> next_balance = clock.jiffies + clock.hz;
  int result = 0;
  if (newidle_is_worth_it<D>(kernel, rq, domains)) {
    result = newidle_walk<D>(kernel, clock, rq, domains, next_balance, env);
    // Somebody may have come while the lock was not held.
    if (result == 0 && rq.h_nr_queued > 0) result = 1;
    if (rq.nr_running != rq.h_nr_queued) result = -1;
  } else if (!domains.empty()) {
    next_balance = D::min(next_balance, sd_next_balance<D>(clock, domains[0], false));
  }
  rq.next_balance = D::min(rq.next_balance, next_balance);
  if (result != 0) rq.idle_stamp = 0;
  return result;
}

}  // namespace schedcheck
