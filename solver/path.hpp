// SPDX-License-Identifier: Apache-2.0
/// \file The transition system unrolled along a sequence of event kinds.
/// Bounded model checking: Biere, Cimatti, Clarke and Zhu, "Symbolic Model Checking without BDDs",
/// TACAS 1999; here split by kinds as in symbolic execution (King, CACM 1976).
#pragma once

#include <vector>

#include "solver/query.hpp"
#include "solver/symbolic_step.hpp"

namespace schedcheck {

/// What the free parts of a query range over; part of every verdict.
struct Universe {
  StateUniverse state;
  std::int64_t duration_windows_max = 4;  ///< Of one run, or of an exit after its step.
};

/// A sequence of events of known kinds whose other parts are free, from a start state. The kinds
/// are split rather than left free: most of a step's formula belongs to other kinds, and from a
/// concrete start most sequences fold to "not enabled" or "not violated" while they are built.
class Path {
 public:
  /// `start` has kPropertyCount judgement slots. Works in the current session.
  Path(const Model& model, SymbolicMachine start, const Universe& universe, std::size_t property);

  /// This path and one more event.
  [[nodiscard]] Path extended(EventKind kind) const;

  /// Restricts the path further.
  void assume(const Z3Bool& condition) { admissible_ = admissible_ && condition; }

  [[nodiscard]] const std::vector<SymbolicEvent>& events() const { return events_; }
  [[nodiscard]] const SymbolicMachine& state() const { return state_; }
  /// Every event is enabled and none has another spelling that comes first.
  [[nodiscard]] const Z3Bool& admissible() const { return admissible_; }
  /// The judgement of the last event.
  [[nodiscard]] const Z3Bool& relevant() const { return state_.judged[property_].relevant; }
  [[nodiscard]] const Z3Bool& violated() const { return state_.judged[property_].violated; }

 private:
  [[nodiscard]] Z3Bool canonical(const SymbolicEvent& event) const;

  const Model* model_;
  const Universe* universe_;
  std::size_t property_;
  SymbolicMachine state_;
  Z3Bool admissible_ = true;
  std::vector<SymbolicEvent> events_;
};

/// The values of all leaves of `m` in a model.
Machine<NativeDomain> native_machine(SymbolicMachine m, const Valuation& valuation);

/// The event in a model.
Event native_event(const SymbolicEvent& event, const Valuation& valuation);

}  // namespace schedcheck
