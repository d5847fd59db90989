// SPDX-License-Identifier: Apache-2.0
/// \file Which CPU of a group balances on its behalf: should_we_balance, kernel/sched/fair.c, v6.1
/// and v6.12 by switches. Runs inside a region.
#pragma once

#include "model/balance/lb_env.hpp"
#include "model/placement/cpu_signals.hpp"

namespace schedcheck {

template <ValueDomain D>
BoolOf<D> is_core_idle(const Machine<D>& m, const LbEnv<D>& env, int cpu) {
  const CpuMask core = env.cpu[static_cast<std::size_t>(cpu)].smt_mask;
  BoolOf<D> idle = true;
  for (CpuMask rest = core & ~(CpuMask{1} << cpu); rest != 0; rest &= rest - 1)
    idle = idle && idle_cpu(m, std::countr_zero(rest));
  return idle;
}

template <ValueDomain D>
BoolOf<D> should_we_balance(const KernelSwitches& kernel, const Machine<D>& m,
                            const LbEnv<D>& env) {
  if ((env.cpus >> env.dst_cpu & 1) == 0) return false;
  const Rq<D>& dst_rq = cpu_rq(m, env.dst_cpu);
  if (env.idle == CpuIdleType::kNewlyIdle) return dst_rq.nr_running == 0 && !dst_rq.ttwu_pending;
  const CpuMask mask = env.sd.balance_masks[0];
  const bool whole_core =
      kernel.should_we_balance_idle_core && (env.sd.flags & kSdShareCpucapacity) == 0;
  int idle_smt = kNoTask;
  for (CpuMask rest = mask & env.cpus; rest != 0; rest &= rest - 1) {
    const int cpu = std::countr_zero(rest);
    if (!idle_cpu(m, cpu)) continue;
    if (whole_core && !is_core_idle<D>(m, env, cpu)) {
      if (idle_smt == kNoTask) idle_smt = cpu;
      continue;  // Its siblings are no idle core either.
    }
    return cpu == env.dst_cpu;
  }
  if (idle_smt != kNoTask) return idle_smt == env.dst_cpu;
  return std::countr_zero(mask) == env.dst_cpu;
}

}  // namespace schedcheck
