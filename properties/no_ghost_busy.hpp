// SPDX-License-Identifier: Apache-2.0
/// \file no-ghost-busy
#pragma once

#include "properties/property.hpp"

namespace schedcheck {

struct NoGhostBusy {
  static constexpr PropertyInfo kInfo = {
      "no-ghost-busy",
      "Taking away what dead tasks ran before their exit step never changes the class of a group "
      "at "
      "a fork.",
      "A group that is busy only with the dead loses forks it should get: 18 % idle time and 25 % "
      "fewer spawns in the report.",
      "exit/util regression thread; kernel-facts 2.6",
      "removals already applied; a removal still pending is I-28 and reported apart",
      "exit_move=full, bail_unless_exiting; death_removes=exact",
      "exit_move=bail_if_same_group, none, attach_keeps_sum=1; also after hundreds of children "
      "that "
      "each leave less than one point of util_avg"};
  static bool documented(const Model& model) { return exit_keeps_run_time(model.kernel); }

  /// Dead tasks' share of the group's utilisation as the statistics count it.
  template <ValueDomain D>
  static IntOf<D> dead_util(const Model& model, const Machine<D>& m, CpuMask group, int child) {
    IntOf<D> dead = 0;
    for (CpuMask rest = group; rest != 0; rest &= rest - 1) {
      const int cpu = std::countr_zero(rest);
      const IntOf<D> share = D::min(cpu_rq(m, cpu).ghost.dead_run_avg, cpu_util<D>(m, cpu));
      const BoolOf<D> counted = model.kernel.fork_stats_scope == ForkStatsScope::kGroup ||
                                D::bit(task_of(m, child).cpus_ptr, cpu);
      dead = dead + D::select(counted, share, IntOf<D>(0));
    }
    return dead;
  }

  template <ValueDomain D>
  static Judgement<D> on_fork(const Model& model, const Machine<D>& m, const ForkView<D>& fork) {
    if (!model.ledger || fork.top == nullptr) return not_relevant<D>();
    BoolOf<D> some_dead = false;
    for (std::size_t p = 0; p < task_slots(m); ++p)
      some_dead = some_dead || m.task[p].state == kDead;
    BoolOf<D> changed = false;
    for (int i = 0; i < fork.ring->size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      SgLbStats<D> living = fork.ring->stats[at];
      const IntOf<D> dead = dead_util<D>(model, m, fork.top->groups[at], fork.child);
      living.group_util = D::sub_or_zero(living.group_util, dead);
      changed = changed ||
                (fork.ring->allowed[at] && group_classify<D>(fork.top->imbalance_pct, living) !=
                                               fork.ring->stats[at].group_type);
    }
    return judge<D>(some_dead, changed);
  }

  static void numbers(const Model& model, const Machine<NativeDomain>& m,
                      const ForkView<NativeDomain>& fork, Numbers& out) {
    for (int i = 0; i < fork.ring->size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::string name =
          "group" + std::to_string(std::countr_zero(fork.top->groups[at])) + ".";
      out[name + "util"] = fork.ring->stats[at].group_util;
      out[name + "dead"] = dead_util<NativeDomain>(model, m, fork.top->groups[at], fork.child);
      out[name + "type"] = fork.ring->stats[at].group_type;
    }
  }
};

}  // namespace schedcheck
