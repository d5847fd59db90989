// SPDX-License-Identifier: Apache-2.0
/// \file The periodic pass over a CPU's domains: sched_balance_domains and
/// get_sd_balance_interval, kernel/sched/fair.c (rebalance_domains until v6.9).
/// Units: jiffies, balance_interval in ms, costs in ns. Left out: nohz.
#pragma once

#include <span>

#include "model/balance/newidle_cost.hpp"

namespace schedcheck {

/// What passes read and write of one domain.
template <ValueDomain D>
struct BalanceState {
  NewidleCost<D> cost;
  IntOf<D> balance_interval, last_balance;
  int busy_factor = 16;
  bool balance_newidle = true;  ///< SD_BALANCE_NEWIDLE
  bool serialize = false;       ///< SD_SERIALIZE: only one CPU of the machine at a time.
};

template <ValueDomain D>
struct BalanceClock {
  IntOf<D> jiffies;
  int hz = 250;
  int max_load_balance_interval = 25;  ///< HZ x CPUs / 10.
};

/// What sched_balance_rq left behind.
template <ValueDomain D>
struct Balanced {
  BoolOf<D> moved, continue_balancing;
  BoolOf<D> busy;  ///< The CPU is neither idle nor runs SCHED_IDLE tasks only; read if moved.
  bool no_busiest = false;  ///< See BalanceRqResult.
};

/// One jiffy less on a busy CPU keeps the periods of levels from being multiples of each other.
template <ValueDomain D>
IntOf<D> get_sd_balance_interval(const BalanceClock<D>& clock, const BalanceState<D>& sd,
                                 const BoolOf<D>& busy) {
  IntOf<D> ms = sd.balance_interval;
  if (busy) ms = ms * sd.busy_factor;
  IntOf<D> interval = D::div(ms * clock.hz + 999, 1000);
  if (busy) interval = interval - 1;
  return D::min(D::max(interval, IntOf<D>(1)), IntOf<D>(clock.max_load_balance_interval));
}

template <ValueDomain D>
IntOf<D> sd_next_balance(const BalanceClock<D>& clock, const BalanceState<D>& sd,
                         const BoolOf<D>& busy) {
  return sd.last_balance + get_sd_balance_interval<D>(clock, sd, busy);
}

/// `balance(level)` is sched_balance_rq. `busy`: as in Balanced, at the start.
/// Requires: inside a region.
template <ValueDomain D, class Balance>
void sched_balance_domains(const KernelSwitches& kernel, const BalanceClock<D>& clock,
                           std::span<BalanceState<D>> domains, BoolOf<D> busy,
                           const BoolOf<D>& serialize_lock_taken, IntOf<D>& rq_next_balance,
                           IntOf<D>& max_idle_balance_cost, const Balance& balance) {
  IntOf<D> next_balance = clock.jiffies + 60 * clock.hz;
  bool update_next_balance = false;
  bool need_decay = false;
  const CostClock<D> now{clock.jiffies, clock.hz};
  IntOf<D> max_cost = 0;
  BoolOf<D> continue_balancing = true;
  for (std::size_t level = 0; level < domains.size(); ++level) {
    BalanceState<D>& sd = domains[level];
    const bool decayed = update_newidle_cost<D>(kernel, now, sd.cost, 0, true);
    // Since v5.16 only the last visited level counts below.
    need_decay = decayed || (need_decay && !kernel.newidle_decay_wait_1s);
    max_cost = max_cost + sd.cost.max_newidle_lb_cost;
    if (!continue_balancing && need_decay) continue;
    if (!continue_balancing) break;
    IntOf<D> interval = get_sd_balance_interval<D>(clock, sd, busy);
    const bool skipped = sd.serialize && serialize_lock_taken;
    if (!skipped && clock.jiffies >= sd.last_balance + interval) {
      const Balanced<D> result = balance(level);
      continue_balancing = result.continue_balancing;
      if (result.no_busiest) note_no_busiest<D>(kernel, now, sd.cost, false);
      if (result.moved) busy = result.busy;
      sd.last_balance = clock.jiffies;
      interval = get_sd_balance_interval<D>(clock, sd, busy);
    }
    if (next_balance > sd.last_balance + interval) {
      next_balance = sd.last_balance + interval;
      update_next_balance = true;
    }
  }
  if (need_decay)
    max_idle_balance_cost = D::max(IntOf<D>(kernel.sysctl_sched_migration_cost), max_cost);
  if (update_next_balance) rq_next_balance = next_balance;
}

}  // namespace schedcheck
