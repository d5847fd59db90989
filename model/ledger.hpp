// SPDX-License-Identifier: Apache-2.0
/// \file The utilisation ledger: every change of a queue's util_sum is booked to a task and a cause
/// (run, attach, detach, removed, clamp, decay). Ghost state; docs/ledger.md has the arithmetic.
#pragma once

#include "model/machine.hpp"
#include "model/pelt/update_load_sum.hpp"

namespace schedcheck {

/// Where entity number `entity` has its account: tasks first, then the groups.
inline std::size_t account_index(const Model& model, int entity) {
  return static_cast<std::size_t>(
      entity < kGroupEntity ? entity : model.max_tasks + entity - kGroupEntity - 1);
}
template <ValueDomain D>
Account<D>& account_of(const Model& model, Machine<D>& m, EntityRef e) {
  return accounts_of(m, e.cpu, e.group)[account_index(model, e.entity)];
}

/// decay_load for a balance of either sign.
template <ValueDomain D>
IntOf<D> decay_balance(const IntOf<D>& balance, int windows) {
  return D::eval([&]() -> IntOf<D> {
    if (balance >= 0) return decay_load<D>(D::narrow(balance, 0, kSumMax), windows);
    return IntOf<D>(0) - decay_load<D>(D::narrow(IntOf<D>(0) - balance, 0, kSumMax), windows);
  });
}

/// Cause `attach`: p brings `sum`. `derived`: its sums were derived from its averages just now.
template <ValueDomain D>
void book_attach(const Model& model, Machine<D>& m, EntityRef e, const IntOf<D>& sum,
                 bool derived) {
  if (derived && e.is_task()) {
    TaskGhost<D>& ghost = task_of(m, e.entity).ghost;
    ghost.unsynced_units = 0;
    ghost.before_exit_units = 0;
  }
  if (!model.ledger) return;
  Account<D>& account = account_of(model, m, e);
  if (model.balances) account.balance = account.balance + sum;
}

/// Cause `detach`: p takes `sum` along; `clamped` is what the lower bounds put back.
template <ValueDomain D>
void book_detach(const Model& model, Machine<D>& m, EntityRef e, const IntOf<D>& sum,
                 const IntOf<D>& clamped) {
  if (!model.ledger || !model.balances || mutant<D>(Mutant::kDetachBooksNothing)) return;
  Account<D>& account = account_of(model, m, e);
  account.balance = account.balance - sum;
  RqGhost<D>& ghost = ghost_of(m, e.cpu, e.group);
  ghost.clamp = ghost.clamp + clamped;
}

/// Cause `propagate`: a group's entity changed by `own`, its queue by `queue`, which the lower
/// bounds may make larger.
template <ValueDomain D>
void book_propagate(const Model& model, Machine<D>& m, EntityRef e, const IntOf<D>& own,
                    const IntOf<D>& queue) {
  if (!model.ledger || !model.balances) return;
  Account<D>& account = account_of(model, m, e);
  account.balance = account.balance + own;
  RqGhost<D>& ghost = ghost_of(m, e.cpu, e.group);
  ghost.clamp = ghost.clamp + queue - own;
}

/// The averages of task e were queued for removal (death, or a sleeper that woke elsewhere).
template <ValueDomain D>
void book_pending(const Model& model, Machine<D>& m, EntityRef e, bool death) {
  if (!model.ledger) return;
  Task<D>& task = task_of(m, e.entity);
  Account<D>& account = account_of(model, m, e);
  const bool exact = death && model.kernel.death_removes == DeathRemoves::kExact;
  account.pending =
      account.pending + (exact ? IntOf<D>(task.avg.util_sum) : IntOf<D>(task.avg.util_avg));
  if (!death) return;
  account.pending_death = true;
  // An exact removal takes the un-synchronised time along.
  account.residue_units = exact ? IntOf<D>(0) : IntOf<D>(task.ghost.before_exit_units);
}

/// Cause `removed`: all pending removals of `cpu` are applied with `divider`; `clamped` as above.
template <ValueDomain D>
void book_removed(const Model& model, Machine<D>& m, int cpu, int group, const IntOf<D>& divider,
                  const IntOf<D>& clamped) {
  if (!model.ledger) return;
  RqGhost<D>& rq = ghost_of(m, cpu, group);
  if (model.balances) rq.clamp = rq.clamp + clamped;
  auto& accounts = accounts_of(m, cpu, group);
  const bool exact = model.kernel.death_removes == DeathRemoves::kExact;
  for (Account<D>& account : accounts) {
    D::join(
        [&] {
          if (model.balances && account.pending > 0)
            account.balance =
                account.balance - (exact && account.pending_death ? IntOf<D>(account.pending)
                                                                  : account.pending * divider);
          account.pending = 0;
          if (account.pending_death) {
            m.event.death_removed = true;
            if (account.residue_units > 0) {
              rq.dead_run_sum = rq.dead_run_sum + account.residue_units * 1024;
              m.event.residue_units = m.event.residue_units + account.residue_units;
              m.event.residue_cpu = cpu;
            }
            account.pending_death = false;
            account.residue_units = 0;
          }
        },
        account, rq, m.event);
  }
}

/// Causes `decay` and `run`: the queue of `cpu` was aged by `step` while curr (or nobody) ran.
template <ValueDomain D>
void book_accrual(const Model& model, Machine<D>& m, int cpu, int group, const Accrual<D>& step) {
  if (!model.ledger || !model.balances) return;
  const CfsRq<D>& cfs_rq = cfs_rq_of(m, cpu, group);
  RqGhost<D>& ghost = ghost_of(m, cpu, group);
  auto& accounts = accounts_of(m, cpu, group);
  D::join(
      [&] {
        if (step.units == 0) return;
        const int windows = D::which(step.windows, 0, kForgottenAfter + 1);
        if (windows > 0) {
          for (std::size_t i = 0; i < accounts.size(); ++i) {
            if (D::kSymbolic || accounts[i].balance != 0)
              accounts[i].balance = decay_balance<D>(accounts[i].balance, windows);
          }
          ghost.clamp = decay_balance<D>(ghost.clamp, windows);
          ghost.dead_run_sum = decay_load<D>(ghost.dead_run_sum, windows);
          ghost.busy_sum = decay_load<D>(ghost.busy_sum, windows);
          // Each account, the clamp and the sum itself lose less than one unit per rounding; more
          // than 32 windows round twice.
          ghost.rounding = decay_load<D>(ghost.rounding, windows) +
                           (m.nr_tasks + 2) * (windows >= kHalfLifeWindows ? 2 : 1);
        }
        const int curr = D::which(cfs_rq.curr, kNoTask, last_entity(model));
        if (curr == kNoTask) return;
        const IntOf<D> run = step.contribution * 1024;
        accounts[account_index(model, curr)].balance =
            accounts[account_index(model, curr)].balance + run;
        ghost.busy_sum = ghost.busy_sum + run;
      },
      accounts, ghost);
}

/// After the averages of `cpu`'s queue were recomputed: how much of util_avg is dead tasks' time.
template <ValueDomain D>
void note_dead_run_average(const Model& model, Machine<D>& m, int cpu, int group) {
  if (!model.ledger || !model.balances) return;
  const SchedAvg<D>& avg = cfs_rq_of(m, cpu, group).avg;
  RqGhost<D>& ghost = ghost_of(m, cpu, group);
  const IntOf<D> without = D::sub_or_zero(avg.util_sum, ghost.dead_run_sum);
  ghost.dead_run_avg = D::sub_or_zero(avg.util_avg, D::div(without, pelt_divider<D>(avg)));
}

}  // namespace schedcheck
