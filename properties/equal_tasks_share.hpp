// SPDX-License-Identifier: Apache-2.0
/// \file equal-tasks-share
#pragma once

#include <algorithm>
#include <cstdlib>

#include "properties/property.hpp"

namespace schedcheck {

struct EqualTasksShare {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "equal-tasks-share",
      "Two runnable tasks of equal weight that have a queue for themselves stay within a slice and "
      "a tick of virtual time of each other, or as far apart as they were at first.",
      "Equal tasks get equal time.",
      "kernel-facts I-54, which bounds the range of the difference in service: true from an equal "
      "start only",
      "ticks are on; both deadlines are within a slice at first; nobody yields or is reniced",
      "every kernel",
      "mutant M-10 (the end of a slice is ignored)"};
  static bool documented(const Model& /*model*/) { return false; }

  using D_ = NativeDomain;

  /// The two tasks of the queue, lower number first, if they are all it has and comparable.
  static bool pair_of(const Model& model, const Machine<D_>& m, int cpu, int group,
                      int (&pair)[2]) {
    if (cfs_rq_of(m, cpu, group).nr_queued != 2) return false;
    int count = 0;
    for_each_queued<D_>(model, m, cpu, group, [&](EntityRef e) {
      const bool fits = e.is_task() && !se_of(m, e).sched_delayed;
      if (fits && count < 2) pair[count++] = e.entity;
    });
    if (count < 2 || task_of(m, pair[0]).load_weight != task_of(m, pair[1]).load_weight)
      return false;
    if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
    return true;
  }

  /// Judges the pair of a queue, or starts to watch it.
  static void look(const Model& model, Machine<D_>& m, int cpu, int group, bool restart,
                   Judgement<D_>& judgement) {
    RqGhost<D_>& ghost = ghost_of(m, cpu, group);
    int pair[2];
    if (!pair_of(model, m, cpu, group, pair)) {
      ghost.pair_first = kNoTask;
      return;
    }
    const Task<D_>& a = task_of(m, pair[0]);
    const Task<D_>& b = task_of(m, pair[1]);
    const std::int64_t apart = std::abs(std::int64_t{a.vruntime} - std::int64_t{b.vruntime});
    if (!restart && ghost.pair_first == pair[0] && ghost.pair_second == pair[1]) {
      judgement.relevant = true;
      const std::int64_t slice = std::max<std::int64_t>(a.slice, b.slice);
      const std::int64_t limit = ghost.pair_apart + calc_delta_fair<D_>(slice + model.tick_ns, a);
      if (apart > limit) judgement.violated = true;
    } else if (within_a_slice<D_>(a) && within_a_slice<D_>(b)) {
      ghost.pair_first = pair[0];
      ghost.pair_second = pair[1];
      ghost.pair_apart = apart;
    } else {
      ghost.pair_first = kNoTask;
    }
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, Machine<D>& m,
                                                          const Event& event) {
    if (!model.eevdf || model.tick_ns == 0) return not_relevant<D>();
    // Whatever else may change virtual time by itself starts a new watch.
    const bool restart = event.kind != EventKind::kRun && event.kind != EventKind::kUpdateBlocked;
    Judgement<D> judgement = not_relevant<D>();
    for_each_cfs_rq(model, [&](int cpu, int g) { look(model, m, cpu, g, restart, judgement); });
    return judgement;
  }
};

}  // namespace schedcheck
