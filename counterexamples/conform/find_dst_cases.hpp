// SPDX-License-Identifier: Apache-2.0
/// \file Cases of kinds `find_dst_group_cpu` and `find_dst_cpu`: the CPU for a new task inside a
/// group, and over all levels of a machine.
#pragma once

#include <array>

#include "counterexamples/conform/conform_case.hpp"
#include "model/placement/find_dst_cpu.hpp"

namespace schedcheck {

class JsonReader;

/// How many numbers describe a CPU: load, util, runnable, util_est, nr_running, h_nr,
/// h_nr_idle_policy, idle_stamp, curr_is_idle, ttwu_pending.
inline constexpr std::size_t kCpuNumbers = 10;

/// The task that looks for a CPU is number 0; number 1 stands for whatever runs on a busy CPU.
inline constexpr int kSeeker = 0;
inline constexpr int kOtherTask = 1;

/// A machine with these CPUs, kCpuNumbers each.
template <ValueDomain D>
Machine<D> machine_from(std::span<const IntOf<D>> x, std::size_t nr_cpus) {
  Machine<D> m{};
  m.rq.resize(nr_cpus);
  m.task.resize(2);
  for (std::size_t cpu = 0; cpu < nr_cpus; ++cpu) {
    const auto numbers = x.subspan(cpu * kCpuNumbers, kCpuNumbers);
    Rq<D>& rq = m.rq[cpu];
    rq.cfs.avg.load_avg = numbers[0];
    rq.cfs.avg.util_avg = numbers[1];
    rq.cfs.avg.runnable_avg = numbers[2];
    rq.cfs.util_est = numbers[3];
    rq.nr_running = numbers[4];
    rq.cfs.h_nr_queued = numbers[5];
    rq.cfs.h_nr_idle = numbers[6];
    rq.idle_stamp = numbers[7];
    rq.curr = D::select(numbers[8] == 1, IntOf<D>(kNoTask), IntOf<D>(kOtherTask));
    rq.ttwu_pending = numbers[9] == 1;
  }
  return m;
}

/// What stays plain about the task and the CPUs.
struct SeekerCase : ConformCase {
  std::size_t nr_cpus = 0;
  CpuMask allowed = 0;
  std::array<std::int64_t, kMaxCpus> exit_latency{};  ///< us; -1: no cpuidle state known.
};

/// in: kCpuNumbers per CPU. Gives the CPU.
struct FindDstGroupCpuCase : SeekerCase {
  CpuMask group = 0;
  int this_cpu = 0;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    Machine<D> m = machine_from<D>(x, nr_cpus);
    m.task[kSeeker].cpus_ptr = typename D::Mask(allowed);
    return {find_dst_group_cpu<D>(m, group, kSeeker, this_cpu, exit_latency.data())};
  }
};

/// One level of the walk: the CPU whose domain it was, the level, the chosen group (0: stayed) and
/// the CPU picked inside it.
struct PlacementStep {
  std::int64_t cpu, level;
  CpuMask group;
  std::int64_t picked;
};

/// Collects the walk's steps. Only for the native reading: a symbolic walk takes many paths.
struct StepLog {
  std::vector<PlacementStep>* steps;

  void level(int cpu, const SchedDomain& sd, int group, int picked) const {
    const CpuMask chosen = group < 0 ? 0 : sd.groups[static_cast<std::size_t>(group)];
    steps->push_back({cpu, std::stoi(sd.name), chosen, picked});
  }
};

/// in: kCpuNumbers per CPU, then the task's load, util and runnable averages. Gives the CPU. A
/// domain's name is the number of its level.
struct FindDstCpuCase : SeekerCase {
  Model model;
  int this_cpu = 0, prev_cpu = 0, task_cpu = 0;
  bool attached = false, queued = false, current = false;
  std::vector<PlacementStep> steps;  ///< Expected.

  template <ValueDomain D, class Log = NoPlacementLog>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x, const Log& log = {}) const {
    Machine<D> m = machine_from<D>(x, nr_cpus);
    Task<D>& task = m.task[kSeeker];
    const auto numbers = x.subspan(nr_cpus * kCpuNumbers);
    task.cpus_ptr = typename D::Mask(allowed);
    task.cpu = task_cpu;
    task.on_rq = queued;
    task.avg.load_avg = numbers[0];
    task.avg.util_avg = numbers[1];
    task.avg.runnable_avg = numbers[2];
    task.avg.last_update_time = attached ? 1 : 0;
    if (current) m.rq[static_cast<std::size_t>(task_cpu)].curr = kSeeker;
    const auto& domains = model.topology.domains[static_cast<std::size_t>(this_cpu)];
    if (domains.empty()) return {IntOf<D>(prev_cpu)};
    return {find_dst_cpu<D>(model, m, kSeeker, this_cpu, prev_cpu,
                            static_cast<int>(domains.size()) - 1, log, exit_latency.data())};
  }
};

/// Reads `cpus` into c; util, runnable, util_est and h_nr may be absent where the function does
/// not look at them.
void read_cpus(const JsonReader& cpus, SeekerCase& c);

std::vector<FindDstGroupCpuCase> find_dst_group_cpu_cases(const JsonReader& file);
std::vector<FindDstCpuCase> find_dst_cpu_cases(const JsonReader& file);
/// Compares the chosen CPUs and every step of the walks.
void check_find_dst_cpu(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
