// SPDX-License-Identifier: Apache-2.0
/// \file Bounded model checking: is there a schedule of at most `depth` events, from a start state
/// or from any well-formed state, whose last event violates a property? Shortest first.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/mutants.hpp"
#include "solver/path.hpp"

namespace schedcheck {

enum class StartKind : std::uint8_t {
  kGiven,         ///< One concrete state.
  kFreeAverages,  ///< The given initial tasks, whose util_avg is free in 0..1024.
  kAny            ///< Every state that satisfies the state invariants, within the universe.
};

struct BoundedQuery {
  Model model;
  std::size_t property = 0;
  int depth = 4;  ///< Events, at least 1.
  StartKind start = StartKind::kGiven;
  Machine<NativeDomain> given;     ///< kGiven; kPropertyCount judgement slots.
  std::vector<InitialTask> tasks;  ///< kFreeAverages.
  Universe universe;
  Theory theory = Theory::kBitVector;
  /// k-induction: look at violations after exactly `depth` events, none before them.
  bool only_last = false;
  Mutant mutant = Mutant::kNone;      ///< For canaries.
  QueryLimits limits;                 ///< Of one check.
  std::chrono::milliseconds time{0};  ///< Of all; only truncates. 0: none.
  std::function<bool()> stop = {};    ///< Asked between queries; true: give up.
  /// Called with every query of a path that may violate the property, as SMT-LIB text, and the
  /// answer.
  std::function<void(const std::string&, Answer)> dump;
};

/// A start state, events, and the values of the free averages.
struct Witness {
  Machine<NativeDomain> start;
  std::vector<std::int64_t> averages;  ///< kFreeAverages: util_avg of the initial tasks.
  std::vector<Event> events;
};

struct BoundedResult {
  enum class Outcome : std::uint8_t { kViolated, kHolds, kUndecided } outcome = Outcome::kHolds;
  int depth = 0;  ///< kViolated: the length. Else no violation exists up to here.
  std::optional<Witness> witness;
  std::optional<Witness> cover;  ///< The antecedent is true after its last event.
  bool shortest = true;          ///< kViolated: every shorter length was decided.
  std::string undecided_because;
  std::int64_t sequences = 0, queries = 0;  ///< Sequences of event kinds looked at; Z3 checks.
};

/// Throws std::logic_error for a depth below 1.
BoundedResult check_bounded(const BoundedQuery& query);

/// One event from any state after an update, position by position in a window, in integers: there
/// Z3 decides what exact numbers of any age keep it from deciding. For properties of an event that
/// updates every number it reads first: updating twice at one time is updating once, so the states
/// after an update stand for all.
BoundedResult check_each_position(BoundedQuery query);

/// Whether the native model confirms the witness: every event happens and the last one violates
/// (`relevant`: makes the antecedent of) the property. A witness of a mutant cannot be confirmed.
bool confirmed_natively(const Model& model, std::size_t property, const Witness& witness,
                        bool relevant = false);

}  // namespace schedcheck
