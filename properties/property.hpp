// SPDX-License-Identifier: Apache-2.0
/// \file What a property is: a page of text, a judgement per event in either reading, and the
/// numbers that a report prints when it fails.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "model/step.hpp"

namespace schedcheck {

/// The page of a property; `schedcheck explain NAME` prints it.
struct PropertyInfo {
  std::string_view name;
  std::string_view claim;
  std::string_view why;
  std::string_view source;
  std::string_view assumes;
  std::string_view holds_on;
  std::string_view fails_on;
};

/// A fork at the moment when the child is placed but not yet queued, with the statistics of the
/// highest fork domain of the parent's CPU.
template <ValueDomain D>
struct ForkView {
  int parent, child, this_cpu, chosen;
  const SchedDomain* top;    ///< Null on a machine without domains.
  const GroupRing<D>* ring;  ///< Of `top`, as the decision read it.

  /// CPUs the child could have been sent to, whatever its affinity.
  [[nodiscard]] CpuMask span() const { return top != nullptr ? top->span : CpuMask{1} << this_cpu; }
  /// Ring position of the group that got the child.
  [[nodiscard]] int chosen_group() const {
    for (int i = 0; i < ring->size; ++i)
      if ((top->groups[static_cast<std::size_t>(i)] >> chosen & 1) != 0) return i;
    return 0;
  }
  [[nodiscard]] bool single_cpu_groups() const {
    if (top == nullptr) return false;
    for (const CpuMask group : top->groups)
      if (!std::has_single_bit(group)) return false;
    return true;
  }
};

/// Calls f(ForkView<D>) for a child that is placed but not yet queued.
template <ValueDomain D, class F>
void with_fork_view(const Model& model, Machine<D>& m, int parent, int child, int this_cpu,
                    int chosen, F&& f) {
  const int top = top_fork_domain(model.topology, this_cpu);
  GroupRing<D> ring;
  ring.size = 0;
  ForkView<D> fork{parent, child, this_cpu, chosen, nullptr, &ring};
  if (top >= 0) {
    fork.top =
        &model.topology.domains[static_cast<std::size_t>(this_cpu)][static_cast<std::size_t>(top)];
    collect_ring<D>(ring, model, m, *fork.top, child);
  }
  f(fork);
}

/// The exit path of this kernel leaves time in the queue that a task ran before its exit step.
inline bool exit_keeps_run_time(const KernelSwitches& k) {
  if (k.death_removes == DeathRemoves::kExact) return false;
  return k.exit_move == ExitMove::kBailIfSameGroup || k.exit_move == ExitMove::kNone ||
         k.attach_keeps_sum;
}

/// Some domain's groups have several CPUs, so a second decision inside the group follows.
inline bool has_wide_groups(const Topology& topology) {
  for (const auto& levels : topology.domains)
    for (const SchedDomain& sd : levels)
      for (const CpuMask group : sd.groups)
        if (!std::has_single_bit(group)) return true;
  return false;
}

/// Numbers of a violation, by name, in the units of the model.
using Numbers = std::map<std::string, std::int64_t>;

/// The antecedent is false: nothing is claimed.
template <ValueDomain D>
Judgement<D> not_relevant() {
  return Judgement<D>{};
}

template <ValueDomain D>
Judgement<D> judge(const BoolOf<D>& relevant, const BoolOf<D>& violated) {
  Judgement<D> judgement{};
  judgement.relevant = relevant;
  judgement.violated = relevant && violated;
  return judgement;
}

/// Task slots worth looking at: natively those with a number, symbolically all.
template <ValueDomain D>
std::size_t task_slots(const Machine<D>& m) {
  if constexpr (D::kSymbolic) {
    return m.task.size();
  } else {
    return static_cast<std::size_t>(m.nr_tasks);
  }
}

/// Calls f(EntityRef) for every entity of a queue, the running one last.
template <ValueDomain D, class F>
void for_each_queued(const Model& model, const Machine<D>& m, int cpu, int group, F&& f) {
  for_each_waiting<D>(m, cpu, group, f);
  const int curr = queued_curr<D>(model, m, cpu, group);
  if (curr != kNoTask) f(EntityRef{cpu, curr, group});
}

/// The deadline of a queued entity lies at most a slice of its virtual time ahead.
template <ValueDomain D>
BoolOf<D> within_a_slice(const SchedEntity<D>& se) {
  return se.deadline - se.vruntime <= calc_delta_fair<D>(se.slice, se);
}

/// Calls f(cpu, group) for every queue of the machine, the root's (group 0) first on each CPU.
template <class F>
void for_each_cfs_rq(const Model& model, F&& f) {
  for (int cpu = 0; cpu < model.topology.nr_cpus; ++cpu)
    for (int g = 0; g < model.nr_groups(); ++g) f(cpu, g);
}

/// Some allowed CPU of `cpus` other than `except` satisfies `condition(cpu)`.
template <ValueDomain D, class Condition>
BoolOf<D> exists_allowed(const Machine<D>& m, int task, CpuMask cpus, int except,
                         const Condition& condition) {
  BoolOf<D> found = false;
  for (CpuMask rest = cpus; rest != 0; rest &= rest - 1) {
    const int cpu = std::countr_zero(rest);
    if (cpu == except) continue;
    found = found || (D::bit(task_of(m, task).cpus_ptr, cpu) && condition(cpu));
  }
  return found;
}

}  // namespace schedcheck
