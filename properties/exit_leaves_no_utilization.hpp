// SPDX-License-Identifier: Apache-2.0
/// \file exit-leaves-no-utilization
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct ExitLeavesNoUtilization {
  static constexpr PropertyInfo kInfo = {
      "exit-leaves-no-utilization",
      "Once a dead task's removal has been applied, its account on the queue holds no time that it "
      "ran before the exit step. No slack.",
      "What stays makes the CPU look busy with nobody on it: forks are then sent away from a CPU "
      "that is free.",
      "exit/util regression thread (UnixBench spawn); kernel-facts 2.4, I-01",
      "time after the exit step (a position in do_exit) may stay: no version removes it; so may "
      "the "
      "rounding of averages (less than one point)",
      "exit_move=full, bail_unless_exiting; death_removes=exact",
      "exit_move=bail_if_same_group (v6.4 to v6.13), none; attach_keeps_sum=1"};
  static bool documented(const Model& model) { return exit_keeps_run_time(model.kernel); }

  template <ValueDomain D>
  static Judgement<D> after_event(const Model& model, const Machine<D>& m, const Event& /*event*/) {
    if (!model.ledger) return not_relevant<D>();
    return judge<D>(m.event.death_removed, m.event.residue_units > 0);
  }

  static void numbers(const Model& /*model*/, const Machine<NativeDomain>& m, Numbers& out) {
    const auto cpu = static_cast<int>(m.event.residue_cpu);
    out["cpu"] = cpu;
    out["units_run_before_exit_step"] = m.event.residue_units;
    out["residue_util_sum"] = m.event.residue_units * 1024;
    if (cpu < 0) return;
    out["util_sum"] = cpu_rq(m, cpu).cfs.avg.util_sum;
    out["util_avg"] = cpu_rq(m, cpu).cfs.avg.util_avg;
  }
};

}  // namespace schedcheck
