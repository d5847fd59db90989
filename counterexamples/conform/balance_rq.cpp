// SPDX-License-Identifier: Apache-2.0
/// \file Kind `balance_rq`.
#include "counterexamples/conform/balance_kinds.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "model/balance/sched_balance_rq.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;

/// A row as the model's objects.
struct Scene {
  Machine<D> m{};
  SchedDomain sd;
  std::vector<BalanceCpu> cpus;
  std::vector<GroupCapacity> capacities;
  BalanceRqState<D> state;
  PassRules rules;
  CfsTasks tasks;
  BalanceRqResult<D> result;
};

void read_cpus(const JsonReader& row, Scene& s) {
  const auto list = numbered_cpus(row.at("cpus"));
  s.m.rq.resize(list.size());
  s.tasks.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    Rq<D>& rq = s.m.rq[i];
    rq.cfs.avg.load_avg = list[i].integer("load", 0, kFileLoadMax);
    rq.cfs.avg.util_avg = list[i].integer("util", 0, kU32Max);
    rq.cfs.avg.runnable_avg = list[i].integer("runnable", 0, kU32Max);
    rq.cfs.util_est = list[i].integer("util_est", 0, kU32Max);
    rq.nr_running = list[i].integer("nr_running", 0, kMaxTasks);
    rq.cfs.h_nr_queued = rq.nr_running;
    rq.curr = kNoTask;
    rq.clock = row.integer("clock_task", 0, kFileTimeMax);
    s.cpus.push_back({.smt_mask = CpuMask{1} << i});
  }
}

void read_tasks(const JsonReader& row, Scene& s) {
  for (const JsonReader& item : row.at("tasks").elements()) {
    const int p = static_cast<int>(s.m.task.size());
    Task<D> task{};
    task.cpu = cpu_below(item, "cpu", s.m.rq.size());
    task.avg.load_avg = item.integer("load", 0, kFileLoadMax);
    task.avg.util_avg = item.integer("util", 0, kU32Max);
    task.util_est.value = item.integer("util_est", 0, kU32Max);
    task.exec_start = item.integer("exec_start", 0, kFileTimeMax);
    task.cpus_ptr = item.at("allowed").cpus();
    const auto cpu = static_cast<std::size_t>(task.cpu);
    if (item.at("running").flag()) s.m.rq[cpu].curr = p;
    s.tasks[cpu].push_back(p);
    s.rules.percpu_kthread.push_back(item.at("percpu_kthread").flag());
    s.m.task.push_back(task);
  }
  for (std::size_t cpu = 0; cpu < s.tasks.size(); ++cpu)
    if (static_cast<std::int64_t>(s.tasks[cpu].size()) != s.m.rq[cpu].nr_running)
      row.at("cpus").at(cpu).fail("nr_running is not the number of its tasks");
  s.rules.migration_cost = row.integer("migration_cost", -1, kFileTimeMax);
}

void read_domain(const JsonReader& row, const KernelSwitches& kernel, Scene& s) {
  const JsonReader domain = row.at("domain");
  const std::size_t nr_cpus = s.m.rq.size();
  SchedDomain& sd = s.sd;
  sd.span = cpus_below(domain.at("span"), nr_cpus);
  const auto groups = domain.at("groups").elements();
  if (groups.empty()) domain.at("groups").fail("at least one group is expected");
  const auto capacity = domain.at("group_capacity").elements(groups.size());
  const auto imbalanced = domain.at("group_imbalanced").elements(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    sd.groups.push_back(cpus_below(groups[i], nr_cpus));
    s.capacities.push_back({capacity[i].integer(1, kCapacity * kMaxCpus), imbalanced[i].flag()});
  }
  sd.balance_masks = sd.groups;
  sd.group_flags.assign(groups.size(), 0);
  sd.imbalance_pct = static_cast<int>(domain.integer("imbalance_pct", 100, 1000));
  sd.numa = domain.at("numa").flag();
  sd.share_llc = domain.at("share_llc").flag();
  const bool of_group = kernel.prefer_sibling_of == PreferSiblingOf::kGroup;
  sd.prefer_sibling = domain.at(of_group ? "prefer_sibling" : "prefer_sibling_6_1").flag();
  sd.imb_numa_nr = static_cast<int>(domain.integer("imb_numa_nr", 0, kMaxCpus));
  sd.cache_nice_tries = static_cast<int>(domain.integer("cache_nice_tries", 0, 1000));
  sd.span_weight = static_cast<int>(domain.integer("min_interval", 1, 1000));
  if (domain.integer("max_interval", 1, 2000) != sd.max_interval())
    domain.fail("max_interval is twice min_interval");
  s.state.nr_balance_failed = domain.integer("nr_balance_failed", 0, kU32Max);
  s.state.balance_interval = domain.integer("balance_interval", 0, kU32Max);
  const JsonReader parent = domain.at("parent_local_group_imbalance");
  s.state.has_parent = !parent.is_null();
  s.state.parent_imbalance = s.state.has_parent && parent.flag();
}

Scene run(const JsonReader& row, const KernelSwitches& kernel) {
  Scene s;
  read_cpus(row, s);
  read_tasks(row, s);
  read_domain(row, kernel, s);
  LbEnv<D> env{.sd = s.sd,
               .idle = idle_type_of(row.at("idle_type")),
               .dst_cpu = cpu_below(row, "this_cpu", s.m.rq.size()),
               .cpus = s.sd.span & row.at("active_cpus").cpus(),
               .cpu = s.cpus};
  // A pass of a newly idle CPU leaves a fresh capacity alone.
  if (env.idle != CpuIdleType::kNewlyIdle)
    s.capacities[0].capacity =
        row.at("domain").integer("local_capacity_after_refresh", 1, kCapacity * kMaxCpus);
  const auto move = [&](int p, int cpu) {
    Task<D>& task = task_of(s.m, p);
    Rq<D>& from = cpu_rq(s.m, static_cast<int>(task.cpu));
    Rq<D>& to = cpu_rq(s.m, cpu);
    for (auto* nr : {&from.nr_running, &from.cfs.h_nr_queued}) *nr = *nr - 1;
    for (auto* nr : {&to.nr_running, &to.cfs.h_nr_queued}) *nr = *nr + 1;
    task.cpu = cpu;
  };
  s.result = sched_balance_rq<D>(kernel, s.m, env, s.state, s.capacities, s.rules, s.tasks, move);
  return s;
}

void compare_scene(const JsonReader& expected, const Scene& s, RowCheck& difference) {
  difference.same(expected, "moved", 0, s.result.moved);
  difference.same(expected, "continue_balancing", 0, s.result.continue_balancing ? 1 : 0);
  difference.same(expected, "nr_balance_failed", 0, s.state.nr_balance_failed);
  difference.same(expected, "balance_interval", 0, s.state.balance_interval);
  difference.same(expected, "active_balance_from", kNoTask, s.result.active_balance_from);
  difference.same(expected, "parent_local_group_imbalance", -1,
                  s.state.has_parent ? (s.state.parent_imbalance ? 1 : 0) : -1);
  const auto cpus = expected.at("task_cpu").elements(s.m.task.size());
  for (std::size_t p = 0; p < cpus.size(); ++p)
    difference.same("task_cpu/" + std::to_string(p), cpus[p].integer(0, kMaxCpus), s.m.task[p].cpu);
}

}  // namespace

void check_balance_rq(const JsonReader& file, ConformFile& result) {
  check_executed(file, result, run, compare_scene);
}

}  // namespace schedcheck
