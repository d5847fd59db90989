// SPDX-License-Identifier: Apache-2.0
/// \file The cost that newidle balancing is expected to have, per domain, and what failing does to
/// it: update_newidle_cost, update_newidle_stats, kernel/sched/fair.c, by switch newidle_fail.
/// Units: ns, jiffies. Evidence: ni_random executed (v6.1.y, v6.12.117), the others from patches.
#pragma once

#include "model/domain/value_domain.hpp"
#include "model/kernel_switches.hpp"

namespace schedcheck {

template <ValueDomain D>
struct NewidleCost {
  IntOf<D> max_newidle_lb_cost = 0;  ///< ns; newidle is not tried when less idle time is expected.
  IntOf<D> last_decay = 0;           ///< Jiffies, last_decay_max_lb_cost.
  IntOf<D> newidle_call = 512, newidle_success = 256, newidle_ratio = 512;
  IntOf<D> newidle_stamp = 0;  ///< ns, when the ratio was last taken (ni_rate).
};

/// The time: jiffies, HZ, and ns of sched_clock().
template <ValueDomain D>
struct CostClock {
  IntOf<D> jiffies;
  int hz = 250;
  IntOf<D> now_ns = 0;
};

/// Counts an attempt worth `success` (0: it failed or the dice were against it).
template <ValueDomain D>
void update_newidle_stats(const KernelSwitches& kernel, const CostClock<D>& clock,
                          NewidleCost<D>& sd, const IntOf<D>& success) {
  sd.newidle_call = sd.newidle_call + 1;
  sd.newidle_success = sd.newidle_success + success;
  if (sd.newidle_call < 1024) return;
  sd.newidle_ratio = sd.newidle_success;
  if (kernel.newidle_fail == NewidleFail::kNiRate) {
    // A window of 4 s or more says that trying is rare enough to be free.
    const IntOf<D> took = D::sub_or_zero(clock.now_ns, sd.newidle_stamp);
    sd.newidle_ratio = D::min(D::shr(took, 22) + sd.newidle_success, IntOf<D>(1024));
    sd.newidle_stamp = clock.now_ns;
  }
  sd.newidle_call = D::shr(sd.newidle_call, 1);
  sd.newidle_success = D::shr(sd.newidle_success, 1);
}

/// The rule since v5.16 (e60b56e46b38); before it (newidle_decay_wait_1s=0) raises leave
/// last_decay alone, which only the periodic pass, raising nothing, reads. Yields whether the cost
/// decayed.
template <ValueDomain D>
bool update_newidle_cost(const KernelSwitches& kernel, const CostClock<D>& clock,
                         NewidleCost<D>& sd, const IntOf<D>& cost, bool periodic = false) {
  const NewidleFail rule = kernel.newidle_fail;
  const bool capped = rule == NewidleFail::kRfcV1 || rule == NewidleFail::kRfcNewidleOnly ||
                      rule == NewidleFail::kX1_5Cap;
  if (cost > sd.max_newidle_lb_cost) {
    const IntOf<D> cap = kernel.sysctl_sched_migration_cost + 200;
    sd.max_newidle_lb_cost = capped ? D::min(cost, cap) : cost;
    if (kernel.newidle_decay_wait_1s) sd.last_decay = clock.jiffies;
    return false;
  }
  if (!kernel.newidle_decay_wait_1s && !periodic) return false;
  if (clock.jiffies <= sd.last_decay + clock.hz) return false;
  sd.max_newidle_lb_cost = D::div(sd.max_newidle_lb_cost * 253, 256);
  sd.last_decay = clock.jiffies;
  return true;
}

/// The RFC's place was inside sched_balance_rq: no busiest group or queue, whatever kind of pass.
template <ValueDomain D>
void note_no_busiest(const KernelSwitches& kernel, const CostClock<D>& clock, NewidleCost<D>& sd,
                     bool newidle) {
  const NewidleFail rule = kernel.newidle_fail;
  if (rule != NewidleFail::kRfcV1 && !(rule == NewidleFail::kRfcNewidleOnly && newidle)) return;
  const IntOf<D> cost = sd.max_newidle_lb_cost;
  update_newidle_cost<D>(kernel, clock, sd, cost + D::shr(cost, 1));
}

/// What a success counts for after throwing the dice; 0: do not balance this time.
template <ValueDomain D, class Dice>
IntOf<D> newidle_weight(const KernelSwitches& kernel, const CostClock<D>& clock, NewidleCost<D>& sd,
                        const Dice& dice) {
  const NewidleFail rule = kernel.newidle_fail;
  if (rule != NewidleFail::kNiRandom && rule != NewidleFail::kNiRate) return 1;
  if (rule == NewidleFail::kNiRate && sd.newidle_ratio >= 1024) return 1;
  const IntOf<D> weight = sd.newidle_ratio + 1;
  if (D::mod_pow2(dice(), 10) > weight) {
    update_newidle_stats<D>(kernel, clock, sd, 0);
    return 0;
  }
  return D::div(D::shr(weight, 1) + 1024, weight);
}

/// After a newidle pass that took `cost` ns. `weight`: of newidle_weight.
template <ValueDomain D>
void account_newidle_pass(const KernelSwitches& kernel, const CostClock<D>& clock,
                          NewidleCost<D>& sd, IntOf<D> cost, const IntOf<D>& weight, bool pulled) {
  switch (kernel.newidle_fail) {
    case NewidleFail::kAddMigrationCost:
      if (!pulled) cost = cost + kernel.sysctl_sched_migration_cost;
      break;
    case NewidleFail::kX1_5Cap:
      if (!pulled) cost = D::shr(sd.max_newidle_lb_cost * 3, 1);
      break;
    case NewidleFail::kNiRandom:
    case NewidleFail::kNiRate:
      if (cost != 0) update_newidle_stats<D>(kernel, clock, sd, pulled ? weight : IntOf<D>(0));
      break;
    default:
      break;
  }
  update_newidle_cost<D>(kernel, clock, sd, cost);
}

}  // namespace schedcheck
