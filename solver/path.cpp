// SPDX-License-Identifier: Apache-2.0
/// \file Paths, and the way between symbolic and native states.
#include "solver/path.hpp"

#include <string>
#include <utility>

#include "model/domain/native_domain.hpp"

namespace schedcheck {
namespace {

/// Calls f(native leaf, symbolic leaf) for all leaves; the container sizes follow the source.
template <class N, class S, class F>
void for_each_pair(N& native, S& symbolic, bool size_of_native, const F& f) {
  if constexpr (region_detail::HasFields<S>) {
    auto mine = native.fields();
    auto theirs = symbolic.fields();
    [&]<std::size_t... kI>(std::index_sequence<kI...>) {
      (for_each_pair(std::get<kI>(mine), std::get<kI>(theirs), size_of_native, f), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(mine)>>{});
  } else if constexpr (region_detail::Container<S>) {
    if (size_of_native) {
      symbolic.resize(native.size());
    } else {
      native.resize(symbolic.size());
    }
    for (std::size_t i = 0; i < native.size(); ++i)
      for_each_pair(native[i], symbolic[i], size_of_native, f);
  } else {
    f(native, symbolic);
  }
}

}  // namespace

Path::Path(const Model& model, SymbolicMachine start, const Universe& universe,
           std::size_t property)
    : model_(&model), universe_(&universe), property_(property), state_(std::move(start)) {}

// Two runs in a row are one, refreshes in a row come in ascending order of CPUs, an affinity really
// changes, and only a sleeper is woken at a death.
Z3Bool Path::canonical(const SymbolicEvent& event) const {
  const auto kind = static_cast<EventKind>(event.kind.lo());
  Z3Bool canonical = true;
  if (kind == EventKind::kExit) {
    for (std::size_t t = 0; t < state_.task.size(); ++t)
      canonical =
          canonical && (event.wakes != static_cast<int>(t) || state_.task[t].state == kBlocked);
  }
  if (kind == EventKind::kSetAffinity)
    canonical = event.cpus != element(state_.task, event.task).cpus_ptr;
  if (events_.empty() || events_.back().kind.lo() != event.kind.lo()) return canonical;
  if (kind == EventKind::kRun) return false;
  if (kind == EventKind::kUpdateBlocked) canonical = canonical && events_.back().cpu < event.cpu;
  return canonical;
}

Path Path::extended(EventKind kind) const {
  const std::string prefix = "e" + std::to_string(events_.size() + 1) + ".";
  SymbolicEvent event =
      free_event(*model_, universe_->state, universe_->duration_windows_max, prefix);
  event.kind = static_cast<int>(kind);
  const bool lasts = kind == EventKind::kRun || kind == EventKind::kExit;
  if (!lasts) event.duration_ns = 0;
  if (kind == EventKind::kRun || kind == EventKind::kUpdateBlocked) event.task = 0;
  if (kind != EventKind::kExit) event.wakes = kNoTask;
  Path longer = *this;
  longer.admissible_ = admissible_ && canonical(event);
  const Z3Bool enabled = symbolic_step(*model_, longer.state_, event, PropertySet{1} << property_);
  longer.admissible_ = longer.admissible_ && enabled;
  longer.events_.push_back(event);
  return longer;
}

SymbolicMachine constant_machine(Machine<NativeDomain> native) {
  SymbolicMachine symbolic;
  for_each_pair(native, symbolic, true, [](auto& mine, auto& theirs) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(theirs)>, Z3Bool>) {
      theirs = static_cast<bool>(mine);
    } else {
      theirs = static_cast<std::int64_t>(mine);
    }
  });
  return symbolic;
}

Machine<NativeDomain> native_machine(SymbolicMachine m, const Valuation& valuation) {
  Machine<NativeDomain> native;
  for_each_pair(native, m, false, [&](auto& mine, auto& theirs) {
    using Leaf = std::remove_reference_t<decltype(mine)>;
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(theirs)>, Z3Bool>) {
      mine = valuation.holds(theirs);
    } else {
      mine = static_cast<Leaf>(valuation.value(theirs));
    }
  });
  return native;
}

Event native_event(const SymbolicEvent& event, const Valuation& valuation) {
  Event native;
  native.kind = static_cast<EventKind>(valuation.value(event.kind));
  const auto small = [&](const Z3Int& x) { return static_cast<int>(valuation.value(x)); };
  switch (native.kind) {
    case EventKind::kRun:
      native.duration_ns = valuation.value(event.duration_ns);
      break;
    case EventKind::kUpdateBlocked:
      native.cpu = small(event.cpu);
      break;
    case EventKind::kExit:
      native.duration_ns = valuation.value(event.duration_ns);
      native.wakes = small(event.wakes);
      [[fallthrough]];
    default:
      native.task = small(event.task);
  }
  if (native.kind == EventKind::kSetAffinity)
    native.cpus = static_cast<CpuMask>(valuation.value(event.cpus));
  return native;
}

}  // namespace schedcheck
