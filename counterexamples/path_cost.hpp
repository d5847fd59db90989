// SPDX-License-Identifier: Apache-2.0
/// \file What events cost on two kernels, in calls of kernel functions, and what their queues hold
/// in the end that no property claims.
#pragma once

#include <array>
#include <vector>

#include "model/domain/counting_domain.hpp"
#include "model/schedule.hpp"

namespace schedcheck {

/// Calls in all events of one kind.
struct KindCost {
  std::int64_t events = 0;
  WorkCounts a{}, b{};
};

/// By event kind. Both kernels run the same events: up to the first that is not enabled on both or
/// that places a task differently. Ticks are switched off, so that a cost belongs to its event.
using PathCost = std::array<KindCost, kEventKinds>;

/// Adds the cost of `schedule` on kernels `a` and `b` (presets with overrides).
class CostCounter {
 public:
  CostCounter(const Schedule& base, const std::string& a, const std::string& b);
  void add(const Schedule& schedule);
  [[nodiscard]] const PathCost& total() const { return total_; }

 private:
  std::array<Model, 2> models_;
  PathCost total_{};
};

/// What a queue's util_avg says after a schedule, in points (1024: always busy).
struct Accounting {
  std::int64_t busy = 0;       ///< Real busy time of the CPU as an average.
  std::int64_t util = 0;       ///< What its queue says.
  std::int64_t dead = 0;       ///< The part of util that dead tasks ran.
  std::int64_t forgotten = 0;  ///< Real busy time that is not in util.
};

/// Of CPU 0 after a spawn loop of `loops` children on it (parent 50 units, fork, 10, block, child
/// 100, exit step, 20, wake the parent, die), on one CPU of `base` without ticks.
Accounting spawn_loop_accounting(const Schedule& base, const std::string& kernel, int loops);

}  // namespace schedcheck
