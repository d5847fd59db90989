// SPDX-License-Identifier: Apache-2.0
/// \file The native run of a schedule.
#include "properties/run_schedule.hpp"

namespace schedcheck {

const Violation* RunResult::of(std::size_t property) const {
  for (const Violation& v : violations)
    if (v.property == property) return &v;
  return nullptr;
}

Machine<NativeDomain> start_machine(const Model& model, const Schedule& schedule) {
  Machine<NativeDomain> m = initial_machine(model, schedule, PropertyObserver::kJudgements);
  const PropertyObserver silent{.enabled = 0};
  for (const Event& event : schedule.preamble) step<NativeDomain>(model, m, event, silent);
  start_spawn_monitor(m);
  return m;
}

RunResult run_schedule(const Model& model, const Schedule& schedule, PropertySet properties,
                       std::optional<std::size_t> stop_at, const EventHook& on_event) {
  RunResult result;
  Machine<NativeDomain> m = start_machine(model, schedule);
  std::vector<Numbers> numbers(kPropertyCount);
  const PropertyObserver observer{properties, &numbers};
  for (std::size_t i = 0; i < schedule.events.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    const bool happened = step<NativeDomain>(model, m, schedule.events[i], observer);
    if (!happened) ++result.skipped;
    for (std::size_t p = 0; p < kPropertyCount; ++p) {
      if (m.judged[p].relevant) ++result.relevant[p];
      if (m.judged[p].violated && result.of(p) == nullptr)
        result.violations.push_back({p, number, numbers[p]});
    }
    if (on_event) on_event(number, m, happened);
    if (stop_at && result.of(*stop_at) != nullptr) break;
  }
  result.machine = std::move(m);
  return result;
}

}  // namespace schedcheck
