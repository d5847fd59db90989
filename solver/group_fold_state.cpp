// SPDX-License-Identifier: Apache-2.0
/// \file Free groups and fold states: fresh symbols, nothing assumed that the model does not yield.
#include "solver/group_fold_state.hpp"

#include <array>
#include <type_traits>
#include <vector>

#include "model/placement/group_type_name.hpp"
#include "model/step.hpp"
#include "properties/fork_picks_idle_group.hpp"

namespace schedcheck {
namespace {

void assume(const Z3Bool& condition) { Z3Session::current().assume(condition.term()); }

/// Gives every field of `part` any value of its declared range.
class Freedom {
 public:
  explicit Freedom(std::string name) : name_(std::move(name)) {}

  template <std::int64_t kLo, std::int64_t kHi>
  void operator()(Z3Field<kLo, kHi>& leaf) {
    leaf = Z3Int::fresh(next().c_str(), kLo, kHi);
  }
  void operator()(Z3Bool& leaf) { leaf = Z3Bool::fresh(next().c_str()); }

 private:
  std::string next() { return name_ + "." + std::to_string(count_++); }

  std::string name_;
  int count_ = 0;
};

/// A sum of a group's statistics and what one CPU adds to it at most.
struct Sum {
  const char* name;
  Z3Int SgLbStats<Z3Domain>::*field;
  std::int64_t per_cpu;
};

constexpr std::array<Sum, 6> kSums = {{
    {"load", &SgLbStats<Z3Domain>::group_load, kU32Max},
    {"util", &SgLbStats<Z3Domain>::group_util, kCapacity},
    {"runnable", &SgLbStats<Z3Domain>::group_runnable, kU32Max},
    {"h_nr_running", &SgLbStats<Z3Domain>::sum_h_nr_running, kMaxTasks},
    {"nr_running", &SgLbStats<Z3Domain>::sum_nr_running, kMaxTasks},
    {"idle_cpus", &SgLbStats<Z3Domain>::idle_cpus, 1},
}};

SgLbStats<Z3Domain> any_sums(const std::string& name) {
  SgLbStats<Z3Domain> stats{};
  for (const Sum& sum : kSums)
    stats.*sum.field =
        Z3Int::fresh((name + "." + sum.name).c_str(), 0, kMaxGroupWeight * sum.per_cpu);
  return stats;
}

}  // namespace

SchedDomain FoldSetting::domain() const {
  SchedDomain sd;
  sd.imbalance_pct = imbalance_pct;
  sd.numa = numa;
  return sd;
}

SgLbStats<Z3Domain> any_stats(const std::string& name) {
  SgLbStats<Z3Domain> stats = any_sums(name);
  stats.group_weight = Z3Int::fresh((name + ".weight").c_str(), 0, kMaxGroupWeight);
  stats.group_capacity = Z3Int::fresh((name + ".capacity").c_str(), 0, kMaxGroupWeight * kCapacity);
  stats.avg_load = Z3Int::fresh((name + ".avg_load").c_str(), 0, kU32Max);
  stats.group_type = Z3Int::fresh((name + ".type").c_str(), kHasSpare, kOverloaded);
  return stats;
}

RingGroup any_group(const std::string& name, const Z3Int& position) {
  return {position, Z3Bool::fresh((name + ".allowed").c_str()),
          Z3Bool::fresh((name + ".idle").c_str()), any_stats(name)};
}

Model one_cpu_model(const KernelSwitches& kernel) {
  Model model;
  model.kernel = kernel;
  model.topology.nr_cpus = 1;
  model.topology.all = 1;
  model.max_tasks = 1;
  model.ledger = false;
  return model;
}

Machine<Z3Domain> any_cpu(const Model& model, const std::string& name) {
  Machine<Z3Domain> m = empty_machine<Z3Domain>(model, 0);
  const Z3Int weight = Z3Int::fresh((name + ".child_weight").c_str(), 1, kMaxWeight);
  const Z3Int cpus = Z3Int::fresh((name + ".child_cpus").c_str(), 0, 1);
  copy_process<Z3Domain>(m, 0, 0, weight * 1024, 0, cpus);
  Freedom freedom(name + ".rq");
  for_each_leaf(m.rq[0], freedom);
  assume(m.rq[0].curr != 0);
  return m;
}

Z3Bool sums_within(const SgLbStats<Z3Domain>& stats, const Z3Int& cpus) {
  Z3Bool within = true;
  for (const Sum& sum : kSums)
    within = within && stats.*sum.field >= 0 && stats.*sum.field <= cpus * Z3Int(sum.per_cpu);
  return within;
}

RingGroup free_group(const FoldSetting& setting, const std::string& name, const Z3Int& position) {
  if (setting.single_cpu_groups) {
    const Model model = one_cpu_model(setting.kernel);
    const Machine<Z3Domain> m = any_cpu(model, name);
    return {position, Z3Domain::intersects(task_of(m, 0).cpus_ptr, 1), idle_cpu<Z3Domain>(m, 0),
            update_sg_wakeup_stats<Z3Domain>(model, m, setting.domain(), 1, 0)};
  }
  RingGroup group{position, Z3Bool::fresh((name + ".allowed").c_str()), false, any_sums(name)};
  const Z3Int weight = Z3Int::fresh((name + ".weight").c_str(), 1, kMaxGroupWeight);
  assume(sums_within(group.stats, weight));
  classify_group<Z3Domain>(setting.imbalance_pct, weight, group.stats);
  // At most the largest load of a CPU. A division by a free weight is not linear.
  const Z3Bool busy = group.stats.group_type == kFullyBusy || group.stats.group_type == kOverloaded;
  group.stats.avg_load =
      merge(busy, Z3Int::fresh((name + ".avg_load").c_str(), 0, kU32Max), Z3Int(0));
  return group;
}

FoldState any_fold_state() {
  FoldState state{};
  state.best.index = Z3Int::fresh("best.index", kStayLocal, kMaxRingPosition);
  state.best.stats = any_stats("best");
  state.next = Z3Int::fresh("next", 1, kMaxRingPosition);
  state.chosen = any_group("chosen", Z3Int::fresh("chosen.position", 1, kMaxRingPosition));
  state.other = any_group("other", Z3Int::fresh("other.position", 0, kMaxRingPosition));
  state.most = Z3Int::fresh("most", -1, kMaxGroupWeight);
  state.idle_seen = Z3Bool::fresh("idle_seen");
  return state;
}

FoldState fold_start(const FoldState& anybody) {
  FoldState state{};
  state.best = no_group_yet<Z3Domain>();
  state.next = 1;
  state.chosen = anybody.chosen;
  state.most = -1;
  state.idle_seen = false;
  return state;
}

Z3Bool within_bounds_of(FoldState any, FoldState state) {
  state.next = any.next;
  std::vector<Z3Int> bounds;
  const auto collect = [&](auto& leaf) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(leaf)>, Z3Int>)
      bounds.push_back(leaf);
  };
  for_each_leaf(any, collect);
  Z3Bool within = true;
  std::size_t i = 0;
  const auto compare = [&](auto& leaf) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(leaf)>, Z3Int>) {
      within = within && leaf >= Z3Int(bounds[i].lo()) && leaf <= Z3Int(bounds[i].hi());
      ++i;
    }
  };
  for_each_leaf(state, compare);
  return within;
}

void see_group(const KernelSwitches& kernel, FoldState& state, const RingGroup& group,
               const Z3Bool& remember) {
  consider_group<Z3Domain>(kernel, state.best, group.stats, group.allowed, group.position);
  Z3Domain::join(
      [&] {
        if (state.best.index == group.position) state.chosen = group;
        if (remember) state.other = group;
      },
      state.chosen, state.other);
  state.most = ForkPicksIdleGroup::most_idle_with<Z3Domain>(state.most, group.stats, group.allowed);
  state.idle_seen = state.idle_seen || (group.allowed && group.idle);
  state.next = state.next + Z3Int(1);
}

Z3Bool looks_real(const FoldSetting& setting, const SgLbStats<Z3Domain>& stats) {
  const Z3Int weight_max = setting.single_cpu_groups ? 1 : 4;
  const Z3Int busy_cpus = stats.group_weight - stats.idle_cpus;
  return stats.group_weight >= 1 && stats.group_weight <= weight_max &&
         stats.group_capacity == stats.group_weight * Z3Int(kCapacity) &&
         sums_within(stats, stats.group_weight) && stats.sum_nr_running >= busy_cpus &&
         stats.sum_nr_running <= busy_cpus * Z3Int(2) &&
         stats.group_type == group_classify<Z3Domain>(setting.imbalance_pct, stats);
}

std::string describe(const Valuation& values, const SgLbStats<Z3Domain>& stats) {
  const auto number = [&](const Z3Int& x) { return std::to_string(values.value(x)); };
  const std::int64_t type = values.value(stats.group_type);
  const bool loaded = type == kFullyBusy || type == kOverloaded;
  return std::string(group_type_name(type)) + ", idle CPUs " + number(stats.idle_cpus) + " of " +
         number(stats.group_weight) + ", util " + number(stats.group_util) + ", running " +
         number(stats.sum_nr_running) + (loaded ? ", avg_load " + number(stats.avg_load) : "");
}

std::string describe(const Valuation& values, const RingGroup& group) {
  return "position " + std::to_string(values.value(group.position)) + ": " +
         describe(values, group.stats) +
         (group.idle.is_constant() || values.holds(group.idle) ? "" : ", not really idle") +
         (values.holds(group.allowed) ? "" : ", not allowed");
}

}  // namespace schedcheck
