// SPDX-License-Identifier: Apache-2.0
/// \file Choosing a CPU's part of the state and putting it back.
#include "solver/cpu_view.hpp"

#include <utility>

#include "solver/z3_session.hpp"

namespace schedcheck {
namespace {

using SymbolicTask = Task<Z3Domain>;

/// target = c ? after : target, for the leaves in which `after` differs from `before`.
template <class T>
void merge_changed(const Z3Bool& c, T& target, T& before, T& after) {
  if constexpr (std::is_same_v<T, Z3Bool>) {
    if (!after.same(before)) target = merge(c, after, target);
  } else if constexpr (region_detail::SymbolicLeaf<T>) {
    if (!after.same_view(before)) region_detail::store_merged(target, merge(c, after, target));
  } else {
    auto targets = target.fields();
    auto befores = before.fields();
    auto afters = after.fields();
    [&]<std::size_t... kI>(std::index_sequence<kI...>) {
      (merge_changed(c, std::get<kI>(targets), std::get<kI>(befores), std::get<kI>(afters)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(targets)>>{});
  }
}

/// The cyclic distance from `first` to `number`, kNoTask for kNoTask.
Z3Int local_number(const Z3Int& number, const Z3Int& first, std::int64_t count) {
  const Z3Int distance = number - first;
  const Z3Int wrapped = merge(first <= number, distance, distance + count);
  return merge(number == kNoTask, Z3Int(kNoTask), wrapped.assume_range(0, count - 1));
}

void oblige(const Z3Bool& when, const Z3Bool& holds, const char* what) {
  const Z3Bool obligation = !conjunction(when, !holds);
  if (!obligation.is_constant()) Z3Session::current().oblige(obligation.term(), what);
}

/// values[(first + i) mod n] for i = 0, 1, ..
template <class T>
std::vector<T> rotated(const std::vector<T>& values, const Z3Int& first) {
  std::vector<T> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<T> candidates;  // What number i is if `first` is 0, 1, ..
    for (std::size_t f = 0; f < values.size(); ++f)
      candidates.push_back(values[(f + i) % values.size()]);
    result.push_back(element(candidates, first));
  }
  return result;
}

std::int64_t tasks(const SymbolicMachine& m) { return static_cast<std::int64_t>(m.task.size()); }

}  // namespace

SymbolicMachine renumbered(const SymbolicMachine& m, const Z3Int& first) {
  SymbolicMachine result = m;
  result.task = rotated(m.task, first);
  for (std::vector<Account<Z3Domain>>& accounts : result.ledger.accounts)
    accounts = rotated(accounts, first);
  for (Rq<Z3Domain>& rq : result.rq) {
    rq.curr = local_number(rq.curr, first, tasks(m));
    rq.cfs.curr = local_number(rq.cfs.curr, first, tasks(m));
  }
  return result;
}

CpuView::CpuView(SymbolicMachine& m, const Z3Int& cpu, const Z3Int& first)
    : machine_(m), cpu_(cpu), first_(first) {
  SymbolicMachine chosen = m;
  chosen.rq = {element(m.rq, cpu)};
  if (!m.ledger.accounts.empty()) chosen.ledger.accounts = {element(m.ledger.accounts, cpu)};
  chosen.event.residue_cpu = -1;
  local_ = renumbered(chosen, first);
  for (SymbolicTask& task : local_.task) task.cpu = indicator(task.cpu != cpu);
  before_ = local_;
}

void CpuView::assume_current(const Z3Bool& when) {
  Rq<Z3Domain>& rq = local_.rq[0];
  SymbolicTask& task = local_.task[0];
  const Z3Bool current =
      rq.curr == 0 && rq.cfs.curr == 0 && task.on_rq && task.cpu == 0 && task.state == kRunnable;
  oblige(when, current, "the current task runs on its CPU");
  rq.curr = 0;
  rq.cfs.curr = 0;
  task.on_rq = true;
  task.cpu = 0;
  task.state = kRunnable;
  before_ = local_;
  assume_attached(when);
}

void CpuView::assume_attached(const Z3Bool& when) {
  auto& last_update_time = local_.task[0].avg.last_update_time;
  oblige(when, last_update_time != 0, "a live task is attached");
  last_update_time = last_update_time.assume_range(1, kTimeMax);
  before_.task[0].avg.last_update_time = last_update_time;
}

Z3Int CpuView::global_number(const Z3Int& local) const {
  const std::int64_t count = tasks(machine_);
  const Z3Int sum = local + first_;
  const Z3Int wrapped = merge(sum < count, sum, sum - count);
  return merge(local == kNoTask, Z3Int(kNoTask), wrapped.assume_range(0, count - 1));
}

void CpuView::write_back(const Z3Bool& when) {
  SymbolicMachine& m = machine_;
  Rq<Z3Domain>& rq = local_.rq[0];
  for (auto [after, before] : {std::pair{&rq.curr, &before_.rq[0].curr},
                               std::pair{&rq.cfs.curr, &before_.rq[0].cfs.curr}}) {
    if (after->same_view(*before)) continue;
    *after = global_number(*after);
    *before = global_number(*before);
  }
  for (std::size_t c = 0; c < m.rq.size(); ++c)
    merge_changed(when && cpu_ == Z3Int(c), m.rq[c], before_.rq[0], rq);
  const std::size_t count = m.task.size();
  for (std::size_t i = 0; i < count; ++i) {
    SymbolicTask& task = local_.task[i];
    const bool moved = !task.cpu.same_view(before_.task[i].cpu);
    const Z3Bool now_here = task.cpu == 0;
    task.cpu = before_.task[i].cpu;
    for (std::size_t t = 0; t < count; ++t) {
      const Z3Bool is_it = when && first_ == Z3Int((t + count - i) % count);
      merge_changed(is_it, m.task[t], before_.task[i], task);
      if (moved) m.task[t].cpu = merge(is_it && now_here, cpu_, m.task[t].cpu);
    }
  }
  if (!m.ledger.accounts.empty()) write_back_accounts(when);
  if (!local_.nr_tasks.same_view(before_.nr_tasks))
    m.nr_tasks = merge(when, local_.nr_tasks, m.nr_tasks);
  const Z3Bool left_something = local_.event.residue_cpu == 0;
  local_.event.residue_cpu = merge(left_something, cpu_, m.event.residue_cpu);
  before_.event.residue_cpu = m.event.residue_cpu;
  merge_changed(when, m.event, before_.event, local_.event);
}

void CpuView::write_back_accounts(const Z3Bool& when) {
  // None without a ledger.
  const std::size_t count = local_.ledger.accounts[0].size();
  for (std::size_t c = 0; c < machine_.rq.size(); ++c)
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t t = 0; t < count; ++t)
        merge_changed(when && cpu_ == Z3Int(c) && first_ == Z3Int((t + count - i) % count),
                      machine_.ledger.accounts[c][t], before_.ledger.accounts[0][i],
                      local_.ledger.accounts[0][i]);
}

}  // namespace schedcheck
