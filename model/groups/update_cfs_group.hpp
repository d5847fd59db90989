// SPDX-License-Identifier: Apache-2.0
/// \file The weight of a group on a CPU: calc_group_shares and update_cfs_group,
/// kernel/sched/fair.c.
#pragma once

#include "model/fair/reweight_entity.hpp"

namespace schedcheck {

/// Weight (times 1024) of the entity that stands for a group, from the group's `shares` (times
/// 1024), the queue's weight there (times 1024) and the loads in unscaled units.
template <ValueDomain D>
IntOf<D> calc_group_shares(const IntOf<D>& tg_shares, const IntOf<D>& queue_weight,
                           const IntOf<D>& queue_load_avg, const IntOf<D>& contrib,
                           const IntOf<D>& tg_load_avg) {
  using Int = IntOf<D>;
  const Int load = D::max(scale_load_down<D>(queue_weight), queue_load_avg);
  const Int total = tg_load_avg - contrib + load;
  return D::eval([&]() -> Int {
    Int shares = tg_shares * load;
    if (total != 0) shares = div_trunc<D>(shares, D::narrow(total, 1, kLoadSumMax));
    if (mutant<D>(Mutant::kSharesDoubled)) return D::max(shares * 2, Int(2));
    return D::min(D::max(shares, Int(2)), tg_shares);
  });
}

/// Gives the entity e of a group its weight anew; an empty group keeps its weight (since v6.13).
template <ValueDomain D>
void update_cfs_group(const Model& model, Machine<D>& m, EntityRef e) {
  if (e.is_task()) return;
  const int group = e.entity - kGroupEntity;
  const CfsRq<D>& below = cfs_rq_of(m, e.cpu, group);
  if (!model.kernel.update_empty_group && below.load_weight == 0) return;
  const TaskGroup<D>& tg = m.group[static_cast<std::size_t>(group) - 1];
  const IntOf<D> shares = calc_group_shares<D>(tg.shares, below.load_weight, below.avg.load_avg,
                                               below.up.tg_load_avg_contrib, tg.load_avg);
  if (!model.kernel.reweight_same_weight && shares == se_of(m, e).load_weight) return;
  reweight_entity<D>(model, m, e, shares, computed_inverse<D>(scale_load_down<D>(shares)));
}

}  // namespace schedcheck
