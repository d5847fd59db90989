// SPDX-License-Identifier: Apache-2.0
/// \file ledger-balances
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct LedgerBalances {
  static constexpr PropertyInfo kInfo = {
      "ledger-balances",
      "A queue's util_sum is the sum of its tasks' accounts plus what the lower bounds put there, "
      "within one unit of decay rounding per account and window boundary.",
      "It makes statements about dead tasks' time exact instead of sums with slack.",
      "docs/ledger.md",
      "none",
      "every kernel",
      "mutant M-01 (a detach is not booked)"};
  static bool documented(const Model& /*model*/) { return false; }

  template <ValueDomain D>
  static IntOf<D> difference(const Model& model, const Machine<D>& m, int cpu) {
    IntOf<D> booked = cpu_rq(m, cpu).ghost.clamp;
    const auto& accounts = m.ledger.accounts[static_cast<std::size_t>(cpu)];
    for (std::size_t p = 0; p < task_slots(m); ++p) booked = booked + accounts[p].balance;
    for (int g = 1; g < model.nr_groups(); ++g)
      booked = booked + accounts[account_index(model, kGroupEntity + g)].balance;
    return cpu_rq(m, cpu).cfs.avg.util_sum - booked;
  }

  template <ValueDomain D>
  static Judgement<D> after_event(const Model& model, const Machine<D>& m, const Event& /*event*/) {
    if (!model.ledger) return not_relevant<D>();
    BoolOf<D> off = false;
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu) {
      const IntOf<D> gap = difference<D>(model, m, cpu);
      const IntOf<D> slack = cpu_rq(m, cpu).ghost.rounding;
      off = off || gap > slack || gap < IntOf<D>(0) - slack;
    }
    return judge<D>(true, off);
  }

  static void numbers(const Model& model, const Machine<NativeDomain>& m, Numbers& out) {
    for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu) {
      const std::string at = "cpu" + std::to_string(cpu) + ".";
      out[at + "util_sum"] = cpu_rq(m, cpu).cfs.avg.util_sum;
      out[at + "unexplained"] = difference<NativeDomain>(model, m, cpu);
      out[at + "rounding_bound"] = cpu_rq(m, cpu).ghost.rounding;
    }
  }
};

}  // namespace schedcheck
