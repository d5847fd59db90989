// SPDX-License-Identifier: Apache-2.0
/// \file Kinds `find_src_rq` and `should_we_balance`.
#include "model/balance/find_src_rq.hpp"

#include "counterexamples/conform/balance_kinds.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "model/balance/should_we_balance.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;

MigrationType migration_of(const JsonReader& value) {
  const std::string text = value.text();
  if (text == "migrate_load") return MigrationType::kLoad;
  if (text == "migrate_util") return MigrationType::kUtil;
  if (text == "migrate_task") return MigrationType::kTask;
  value.fail("migrate_load, migrate_util or migrate_task is expected");
}

std::int64_t run_find_src_rq(const JsonReader& row, const KernelSwitches& kernel) {
  const auto list = numbered_cpus(row.at("cpus"));
  Machine<D> m{};
  m.rq.resize(list.size());
  std::vector<BalanceCpu> cpus(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    CfsRq<D>& cfs = m.rq[i].cfs;
    cfs.avg.load_avg = list[i].integer("load", 0, kU32Max);
    cfs.avg.util_avg = list[i].integer("util", 0, kU32Max);
    cfs.avg.runnable_avg = list[i].integer("runnable", 0, kU32Max);
    cfs.util_est = list[i].integer("util_est", 0, kU32Max);
    cfs.h_nr_queued = list[i].integer("h_nr", 0, kMaxTasks);
    cpus[i].capacity = list[i].integer("capacity", 1, kCapacity);
  }
  SchedDomain sd;
  sd.imbalance_pct = static_cast<int>(row.integer("imbalance_pct", 100, 1000));
  const CpuMask allowed = cpus_below(row.at("allowed_cpus"), list.size());
  const LbEnv<D> env{.sd = sd,
                     .idle = CpuIdleType::kIdle,
                     .dst_cpu = 0,
                     .cpus = allowed,
                     .cpu = cpus,
                     .imbalance = row.integer("imbalance", 0, kU32Max),
                     .migration_type = migration_of(row.at("migration"))};
  return find_src_rq<D>(kernel, m, env, ~CpuMask{0});
}

std::int64_t run_should_we_balance(const JsonReader& row, const KernelSwitches& kernel) {
  const auto list = numbered_cpus(row.at("cpus"));
  const auto siblings = row.at("smt_siblings").elements(list.size());
  Machine<D> m{};
  m.rq.resize(list.size());
  std::vector<BalanceCpu> cpus(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    m.rq[i].nr_running = list[i].integer("nr_running", 0, kMaxTasks);
    m.rq[i].curr = list[i].at("curr_is_idle").flag() ? kNoTask : 0;
    m.rq[i].ttwu_pending = list[i].at("ttwu_pending").flag();
    cpus[i].smt_mask = cpus_below(siblings[i], list.size());
  }
  SchedDomain sd;
  if (row.at("smt_domain").flag()) sd.flags |= kSdShareCpucapacity;
  sd.groups = {cpus_below(row.at("local_group"), list.size())};
  sd.balance_masks = {cpus_below(row.at("balance_mask"), list.size())};
  const LbEnv<D> env{.sd = sd,
                     .idle = idle_type_of(row.at("idle_type")),
                     .dst_cpu = cpu_below(row, "dst_cpu", list.size()),
                     .cpus = cpus_below(row.at("allowed_cpus"), list.size()),
                     .cpu = cpus};
  return should_we_balance<D>(kernel, m, env) ? 1 : 0;
}

}  // namespace

void check_find_src_rq(const JsonReader& file, ConformFile& result) {
  check_executed(file, result, run_find_src_rq,
                 [](const JsonReader& expected, std::int64_t cpu, RowCheck& difference) {
                   difference.same("CPU", expected.integer(-1, kMaxCpus), cpu);
                 });
}

void check_should_we_balance(const JsonReader& file, ConformFile& result) {
  check_executed(file, result, run_should_we_balance,
                 [](const JsonReader& expected, std::int64_t yes, RowCheck& difference) {
                   difference.same("result", expected.integer(0, 1), yes);
                 });
}

}  // namespace schedcheck
