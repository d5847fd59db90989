// SPDX-License-Identifier: Apache-2.0
/// \file Runs a schedule natively and judges every event.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "model/schedule.hpp"
#include "properties/observer.hpp"

namespace schedcheck {

struct Violation {
  std::size_t property = 0;  ///< Position in AllProperties.
  int event = 0;             ///< Counted from 1.
  Numbers numbers;
};

struct RunResult {
  std::vector<Violation> violations;                    ///< First of each property, in order.
  std::array<std::int64_t, kPropertyCount> relevant{};  ///< Events with a true antecedent.
  std::int64_t skipped = 0;                             ///< Events that were not enabled.
  Machine<NativeDomain> machine;                        ///< The state at the end.

  [[nodiscard]] const Violation* of(std::size_t property) const;
};

/// Runs all events, or up to the first violation of `stop_at` (a position; none: to the end).
/// `on_event` is called after each event with its number and whether it happened.
using EventHook = std::function<void(int, const Machine<NativeDomain>&, bool)>;
RunResult run_schedule(const Model& model, const Schedule& schedule, PropertySet properties,
                       std::optional<std::size_t> stop_at = std::nullopt,
                       const EventHook& on_event = {});

/// The initial state with the preamble run: what event 1 starts from.
Machine<NativeDomain> start_machine(const Model& model, const Schedule& schedule);

}  // namespace schedcheck
