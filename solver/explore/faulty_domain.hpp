// SPDX-License-Identifier: Apache-2.0
/// \file The native reading in which the active mutant (model/mutants.hpp) acts: what a search
/// looks for when it has to show that it would find a fault.
#pragma once

#include "model/domain/native_domain.hpp"
#include "model/mutants.hpp"
#include "properties/observer.hpp"

namespace schedcheck {

struct FaultyDomain : NativeDomain {};
static_assert(ValueDomain<FaultyDomain>);

template <>
inline bool mutant<FaultyDomain>(Mutant m) {
  return active_mutant == m;
}

/// Judges, under a mutant, the properties that have one as their known fault (solver/canary.cpp);
/// the others partly read plain native states only.
struct FaultyObserver {
  using Judged = std::tuple<LedgerBalances, ForkLandsOnIdle, ForkPicksIdleGroup,
                            ForkStaysLocalWhenEquallyIdle, ForkWorkConserving, AffinityRespected,
                            SumAverageFloor, PeltBounds, SpareWithinAffinity>;
  PropertySet enabled = 0;

  template <class D>
  void before_event(const Model& model, Machine<D>& m, const Event& event) const {
    for_each([&]<class P>(P) {
      if constexpr (requires { P::template before_event<D>(model, m, event); })
        if (wants<P>()) m.judged[position_of<P>()] = P::template before_event<D>(model, m, event);
    });
  }
  template <class D>
  void on_fork(const Model& model, Machine<D>& m, int parent, int child, int this_cpu,
               int chosen) const {
    with_fork_view(model, m, parent, child, this_cpu, chosen, [&](const ForkView<D>& fork) {
      for_each([&]<class P>(P) {
        if constexpr (requires { P::template on_fork<D>(model, m, fork); })
          if (wants<P>()) m.judged[position_of<P>()] = P::template on_fork<D>(model, m, fork);
      });
    });
  }
  template <class D>
  void after_event(const Model& model, Machine<D>& m, const Event& event) const {
    for_each([&]<class P>(P) {
      if constexpr (requires { P::template after_event<D>(model, m, event); })
        if (wants<P>()) m.judged[position_of<P>()] = P::template after_event<D>(model, m, event);
    });
  }

 private:
  template <class P>
  [[nodiscard]] bool wants() const {
    return (enabled >> position_of<P>() & 1) != 0;
  }
  template <class F>
  static void for_each(const F& f) {
    std::apply([&](auto... property) { (f(property), ...); }, Judged{});
  }
};

}  // namespace schedcheck
