// SPDX-License-Identifier: Apache-2.0
/// \file Kind `find_dst_cpu`: machines described by their levels, and the walk through them.
#include <algorithm>

#include "counterexamples/conform/find_dst_cases.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"

namespace schedcheck {
namespace {

struct Level {
  SchedDomain parameters;
  std::vector<CpuMask> spans;

  /// 0 if the level does not have the CPU.
  [[nodiscard]] CpuMask span_of(int cpu) const {
    for (const CpuMask span : spans)
      if ((span >> cpu & 1) != 0) return span;
    return 0;
  }
};

Level read_level(const JsonReader& level, std::size_t index, CpuMask all) {
  Level result;
  SchedDomain& sd = result.parameters;
  sd.name = std::to_string(index);
  sd.imbalance_pct = static_cast<int>(level.integer("imbalance_pct", 100, 1000));
  sd.numa = level.at("numa").flag();
  sd.imb_numa_nr = static_cast<int>(level.integer("imb_numa_nr", 0, kMaxTasks));
  sd.balance_fork = level.at("balance_fork").flag();
  CpuMask seen = 0;
  for (const JsonReader& span : level.at("spans").elements()) {
    const CpuMask mask = span.cpus();
    if (mask == 0 || (mask & ~all) != 0 || (mask & seen) != 0)
      span.fail("CPUs of the machine that are in no other span of the level are expected");
    seen |= mask;
    result.spans.push_back(mask);
  }
  return result;
}

/// The groups of a domain: spans of the level below, or CPUs; from `cpu` on, ascending, wrapping.
std::vector<CpuMask> ring_of(CpuMask span, const Level* below, int cpu) {
  std::vector<CpuMask> groups;
  CpuMask covered = 0;
  for (int i = 0; i < kMaxCpus; ++i) {
    const int c = (cpu + i) % kMaxCpus;
    if ((span >> c & 1) == 0 || (covered >> c & 1) != 0) continue;
    const CpuMask child = below == nullptr ? 0 : below->span_of(c);
    groups.push_back(child == 0 ? CpuMask{1} << c : child);
    covered |= groups.back();
  }
  return groups;
}

std::vector<SchedDomain> domains_of(const std::vector<Level>& levels, int cpu) {
  std::vector<SchedDomain> domains;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const CpuMask span = levels[i].span_of(cpu);
    if (span == 0) continue;
    SchedDomain sd = levels[i].parameters;
    sd.span = span;
    sd.span_weight = std::popcount(span);
    sd.groups = ring_of(span, i == 0 ? nullptr : &levels[i - 1], cpu);
    domains.push_back(std::move(sd));
  }
  return domains;
}

/// The kernel of the file had 64 possible CPUs: a task that may use all CPUs of the machine is
/// restricted if it may not use those that are absent. One absent CPU stands for all of them.
Topology topology_of(const JsonReader& levels, std::size_t nr_cpus) {
  const CpuMask present = ~CpuMask{0} >> (kMaxCpus - nr_cpus);
  std::vector<Level> table;
  for (const JsonReader& level : levels.elements())
    table.push_back(read_level(level, table.size(), present));
  Topology topology;
  topology.nr_cpus = static_cast<int>(nr_cpus);
  topology.all = present | present << 1 | 1;
  for (int cpu = 0; cpu < topology.nr_cpus; ++cpu)
    topology.domains.push_back(domains_of(table, cpu));
  return topology;
}

std::vector<PlacementStep> read_steps(const JsonReader& steps) {
  std::vector<PlacementStep> result;
  for (const JsonReader& step : steps.elements()) {
    PlacementStep read{step.integer("cpu", 0, kFileResultMax),
                       step.integer("level", 0, kFileResultMax), 0, kStayLocal};
    if (!step.at("group").is_null()) read.group = step.at("group").cpus();
    if (!step.at("picked").is_null()) read.picked = step.integer("picked", 0, kFileResultMax);
    result.push_back(read);
  }
  return result;
}

void read_task(const JsonReader& task, FindDstCpuCase& c) {
  const auto last = static_cast<std::int64_t>(c.nr_cpus) - 1;
  c.task_cpu = static_cast<int>(task.integer("task_cpu", 0, last));
  c.attached = task.at("attached").flag();
  c.queued = task.at("queued").flag();
  c.current = task.at("current").flag();
  c.allowed = task.at("allowed").cpus();
  if (!task.at("affinity_restricted").flag()) c.allowed |= c.model.topology.all;
  // The model's tasks have no util_est of their own (limit L4). The kernel takes that of a queued
  // or running task out of its CPU's: done here, on the number that goes in.
  const std::int64_t util_est = task.integer("util_est", 0, kU32Max);
  std::int64_t& its_cpu = c.in[static_cast<std::size_t>(c.task_cpu) * kCpuNumbers + 3];
  if (c.attached && (c.queued || c.current))
    its_cpu = std::max<std::int64_t>(its_cpu - util_est, 0);
  for (const char* name : {"load", "util", "runnable"})
    c.in.push_back(task.integer(name, 0, kU32Max));
}

FindDstCpuCase read_case(const JsonReader& row, std::size_t index) {
  static const FieldNames kFields = {"cpu"};
  FindDstCpuCase c;
  c.row = "row " + std::to_string(index) + " '" + row.at("name").text() + "'";
  c.fields = &kFields;
  read_cpus(row.at("cpus"), c);
  c.model.topology = topology_of(row.at("levels"), c.nr_cpus);
  const auto last = static_cast<std::int64_t>(c.nr_cpus) - 1;
  c.this_cpu = static_cast<int>(row.integer("this_cpu", 0, last));
  c.prev_cpu = static_cast<int>(row.integer("prev_cpu", 0, last));
  read_task(row.at("task"), c);
  c.steps = read_steps(row.at("steps"));
  c.expected = {row.integer("cpu", 0, kFileResultMax)};
  return c;
}

/// The first difference between two walks, worded like difference().
std::string steps_difference(const FindDstCpuCase& c, const std::vector<PlacementStep>& got) {
  const auto words = [&](const std::string& field, std::uint64_t file, std::uint64_t model) {
    return c.row + ": steps" + field + ": " + std::to_string(static_cast<std::int64_t>(file)) +
           " in the file, " + std::to_string(static_cast<std::int64_t>(model)) + " in the model";
  };
  for (std::size_t i = 0; i < std::min(c.steps.size(), got.size()); ++i) {
    const std::string at = "/" + std::to_string(i);
    const PlacementStep& file = c.steps[i];
    if (file.cpu != got[i].cpu)
      return words(at + "/cpu", static_cast<std::uint64_t>(file.cpu),
                   static_cast<std::uint64_t>(got[i].cpu));
    if (file.level != got[i].level)
      return words(at + "/level", static_cast<std::uint64_t>(file.level),
                   static_cast<std::uint64_t>(got[i].level));
    if (file.group != got[i].group) return words(at + "/group (mask)", file.group, got[i].group);
    if (file.picked != got[i].picked)
      return words(at + "/picked", static_cast<std::uint64_t>(file.picked),
                   static_cast<std::uint64_t>(got[i].picked));
  }
  return c.steps.size() == got.size() ? "" : words("", c.steps.size(), got.size());
}

}  // namespace

std::vector<FindDstCpuCase> find_dst_cpu_cases(const JsonReader& file) {
  std::vector<FindDstCpuCase> cases;
  for (const JsonReader& row : file.elements()) cases.push_back(read_case(row, cases.size()));
  return cases;
}

void check_find_dst_cpu(const JsonReader& file, ConformFile& result) {
  for (const FindDstCpuCase& c : find_dst_cpu_cases(file)) {
    std::vector<PlacementStep> steps;
    const auto got = c.run<NativeDomain>(std::span<const std::int64_t>(c.in), StepLog{&steps});
    const std::string cpu = difference(c, got);
    count_row(result, cpu.empty() ? steps_difference(c, steps) : cpu);
  }
}

}  // namespace schedcheck
