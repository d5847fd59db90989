// SPDX-License-Identifier: Apache-2.0
/// \file One update step of a signal: decay_load, accumulate_sum, ___update_load_sum and
/// ___update_load_avg of kernel/sched/pelt.c (same in every version modelled).
#pragma once

#include <tuple>

#include "model/domain/native_domain.hpp"
#include "model/mutants.hpp"
#include "model/pelt/pelt_constants.hpp"
#include "model/pelt/sched_avg.hpp"

namespace schedcheck {

/// `value` (>= 0) after `windows` windows. Loses 1 even for exact halvings, and for 0 windows.
template <ValueDomain D>
IntOf<D> decay_load(const IntOf<D>& value, int windows) {
  if (windows > kForgottenAfter) return IntOf<D>(0);
  return D::mul_shr32(D::shr(value, windows / kHalfLifeWindows),
                      kDecayFactor[static_cast<std::size_t>(windows % kHalfLifeWindows)]);
}

/// What one update step did, for those who book it (model/ledger.hpp).
template <ValueDomain D>
struct Accrual {
  IntOf<D> units{};         ///< Whole units that passed.
  IntOf<D> windows{};       ///< Window boundaries crossed; the averages are due iff > 0.
  IntOf<D> contribution{};  ///< Units after decay, up to kLoadAvgMax.

  auto fields() { return std::tie(units, windows, contribution); }
};

/// Contribution of a step that crosses `windows` >= 1 boundaries: the rest of the window it starts
/// in, the full windows, and `now_in_window` units of the last one.
template <ValueDomain D>
IntOf<D> accumulate_pelt_segments(int windows, const IntOf<D>& period_contrib,
                                  const IntOf<D>& now_in_window) {
  const std::int64_t old_windows = NativeDomain::mul_shr32(
      windows > kForgottenAfter ? 0 : kLoadAvgMax >> (windows / kHalfLifeWindows),
      kDecayFactor[static_cast<std::size_t>(windows % kHalfLifeWindows)]);
  const std::int64_t full = kLoadAvgMax - old_windows - kWindowUnits;
  return decay_load<D>(IntOf<D>(kWindowUnits) - period_contrib, windows) + IntOf<D>(full) +
         now_in_window;
}

/// accumulate_sum: `units` >= 1 pass. load: weight (queue) or 0/1 (entity); runnable: count;
/// running: 0/1.
template <ValueDomain D>
Accrual<D> accumulate_sum(const IntOf<D>& units, SchedAvg<D>& sa, const IntOf<D>& load,
                          const IntOf<D>& runnable_count, const IntOf<D>& running_count) {
  using Int = IntOf<D>;
  const Int total = units + sa.period_contrib;
  const Int in_window = D::mod_pow2(total, 10);
  Int contribution = 0;
  const int cases = D::cases(kForgottenAfter + 1);
  const int windows = D::which(D::min(D::shr(total, 10), cases), 0, cases);
  if (windows > 0) {
    sa.load_sum = decay_load<D>(sa.load_sum, windows);
    sa.runnable_sum = decay_load<D>(sa.runnable_sum, windows);
    if (!mutant<D>(Mutant::kWindowsNotDecayed)) sa.util_sum = decay_load<D>(sa.util_sum, windows);
    contribution = accumulate_pelt_segments<D>(windows, sa.period_contrib, in_window);
  } else {
    contribution = D::narrow(units, 0, kWindowUnits - 1);
  }
  sa.period_contrib = in_window;
  // A signal without load has neither runnable nor running time.
  const Int runnable = D::select(load == 0, Int(0), runnable_count);
  const Int running = D::select(load == 0, Int(0), running_count);
  sa.load_sum = sa.load_sum + load * contribution;
  sa.runnable_sum = sa.runnable_sum + runnable * contribution * 1024;
  const int times = mutant<D>(Mutant::kContributionTwice) && windows == 0 ? 2 : 1;
  sa.util_sum = D::wrap_u32(sa.util_sum + running * contribution * (1024 * times));
  return {units, Int(windows), contribution};
}

/// Ages `sa` to `now` (ns); other arguments as above. Time that goes backwards only resets the
/// stamp; less than a unit stays pending.
template <ValueDomain D>
inline Accrual<D> update_load_sum(const IntOf<D>& now, SchedAvg<D>& sa, const IntOf<D>& load,
                                  const IntOf<D>& runnable_count, const IntOf<D>& running_count) {
  using Int = IntOf<D>;
  Accrual<D> step{};
  D::join(
      [&] {
        const Int delta = now - sa.last_update_time;
        if (delta < 0) {
          sa.last_update_time = now;
          return;
        }
        const Int units = D::shr(D::narrow(delta, 0, kTimeMax), 10);
        if (units == 0) return;
        sa.last_update_time = sa.last_update_time + units * 1024;
        step = accumulate_sum<D>(units, sa, load, runnable_count, running_count);
      },
      sa, step);
  return step;
}

/// The weight of a signal's current window position.
template <ValueDomain D>
IntOf<D> pelt_divider(const SchedAvg<D>& sa) {
  return IntOf<D>(kPeltMinDivider) + sa.period_contrib;
}

/// Recomputes the averages from the sums; weight: 1 for a queue, the unscaled weight for an entity.
template <ValueDomain D>
void update_averages(SchedAvg<D>& sa, const IntOf<D>& weight) {
  const IntOf<D> divider = pelt_divider<D>(sa);
  sa.load_avg = D::div(weight * sa.load_sum, divider);
  sa.runnable_avg = D::div(sa.runnable_sum, divider);
  sa.util_avg = D::div(sa.util_sum, divider);
}

}  // namespace schedcheck
