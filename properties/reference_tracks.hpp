// SPDX-License-Identifier: Apache-2.0
/// \file reference-tracks
#pragma once

#include <cstdlib>

#include "properties/property.hpp"

namespace schedcheck {

struct ReferenceTracks {
  static constexpr bool kNeedsGroups = true;
  static constexpr bool kNeedsEevdf = true;
  static constexpr PropertyInfo kInfo = {
      "reference-tracks",
      "Once an entity has run alone on its queue for two slices and a tick, the base of the "
      "queue's virtual time is within a slice and a tick of its virtual runtime.",
      "Differences to the base are multiplied by weights: a base that stays behind for ever makes "
      "the product overflow.",
      "b3d99f43c72b (case A2), which mends 79f3f9bedd14",
      "the entity keeps its weight and does not yield meanwhile, and its deadline was within a "
      "slice "
      "at first: one that was pushed out is served before the base moves",
      "zero_update=avg_vruntime (v6.6 to v6.18, v7.0)",
      "zero_update=enqueue_dequeue (v6.19): the base stands still while one task runs"};
  static bool documented(const Model& model) {
    return model.kernel.zero_update == ZeroUpdate::kEnqueueDequeue;
  }

  /// Keeps the record of who is alone; yields the queue's only entity once it ran long enough.
  static const SchedEntity<NativeDomain>* settled(const Model& model, Machine<NativeDomain>& m,
                                                  int cpu, int group, bool yielded) {
    using D = NativeDomain;
    RqGhost<D>& ghost = ghost_of(m, cpu, group);
    const int curr =
        cfs_rq_of(m, cpu, group).nr_queued == 1 ? queued_curr<D>(model, m, cpu, group) : kNoTask;
    if (curr == kNoTask) {
      ghost.lone_runner = kNoTask;
      return nullptr;
    }
    const SchedEntity<D>& se = se_of(m, {cpu, curr, group});
    if (yielded || ghost.lone_runner != curr || ghost.lone_weight != se.load_weight) {
      ghost.lone_runner = within_a_slice<D>(se) && !yielded ? curr : kNoTask;
      ghost.lone_weight = se.load_weight;
      ghost.lone_since = se.vruntime;
      return nullptr;
    }
    const std::int64_t long_enough = calc_delta_fair<D>(se.slice * 2 + model.tick_ns, se);
    return se.vruntime - ghost.lone_since >= long_enough ? &se : nullptr;
  }

  template <ValueDomain D>
  requires(!D::kSymbolic) static Judgement<D> after_event(const Model& model, Machine<D>& m,
                                                          const Event& event) {
    if (!model.eevdf) return not_relevant<D>();
    bool relevant = false;
    bool violated = false;
    for_each_cfs_rq(model, [&](int cpu, int g) {
      const SchedEntity<D>* se = settled(model, m, cpu, g, event.kind == EventKind::kYield);
      if (se == nullptr) return;
      relevant = true;
      violated = violated || std::abs(entity_key<D>(cfs_rq_of(m, cpu, g).time, *se)) >
                                 calc_delta_fair<D>(se->slice + model.tick_ns, *se);
    });
    return judge<D>(relevant, violated);
  }

  static void numbers(const Model& model, const Machine<NativeDomain>& m, Numbers& out) {
    for_each_cfs_rq(model, [&](int cpu, int g) {
      const int curr = queued_curr<NativeDomain>(model, m, cpu, g);
      if (curr == kNoTask) return;
      const std::string at = "cpu" + std::to_string(cpu) + ".group" + std::to_string(g) + ".";
      out[at + "vruntime"] = se_of(m, {cpu, curr, g}).vruntime;
      out[at + "zero_vruntime"] = cfs_rq_of(m, cpu, g).time.zero_vruntime;
    });
  }
};

}  // namespace schedcheck
