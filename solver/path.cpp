// SPDX-License-Identifier: Apache-2.0
/// \file Paths, and the way between symbolic and native states.
#include "solver/path.hpp"

#include <string>
#include <utility>

#include "model/domain/native_domain.hpp"
#include "solver/leaf_pairs.hpp"

namespace schedcheck {

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
  const SymbolicEvent event =
      free_event(*model_, universe_->state, universe_->duration_windows_max, prefix, kind);
  Path longer = *this;
  longer.admissible_ = admissible_ && canonical(event);
  const Z3Bool enabled = symbolic_step(*model_, longer.state_, event, PropertySet{1} << property_);
  longer.admissible_ = longer.admissible_ && enabled;
  longer.events_.push_back(event);
  return longer;
}

Machine<NativeDomain> native_machine(SymbolicMachine m, const Valuation& valuation) {
  Machine<NativeDomain> native;
  walk_leaf_pairs("", native, m, [&]<class N, class S>(const std::string&, N& mine, S& theirs) {
    if constexpr (std::is_same_v<S, Z3Bool>) {
      mine = valuation.holds(theirs);
    } else {
      mine = static_cast<N>(valuation.value(theirs));
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
