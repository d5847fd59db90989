// SPDX-License-Identifier: Apache-2.0
/// \file Kind `find_dst_group_cpu`.
#include "counterexamples/conform/find_dst_cases.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"

namespace schedcheck {

void read_cpus(const JsonReader& cpus, SeekerCase& c) {
  const auto list = cpus.elements();
  CpuMask seen = 0;
  for (const JsonReader& cpu : list) seen |= CpuMask{1} << cpu.integer("cpu", 0, kMaxCpus - 1);
  c.nr_cpus = static_cast<std::size_t>(std::bit_width(seen));
  c.in.assign(c.nr_cpus * kCpuNumbers, 0);
  c.exit_latency.fill(-1);
  for (const JsonReader& cpu : list) {
    const auto at = static_cast<std::size_t>(cpu.integer("cpu", 0, kMaxCpus - 1));
    const auto optional = [&](const char* name) {
      return cpu.has(name) ? cpu.integer(name, 0, kU32Max) : 0;
    };
    const std::array<std::int64_t, kCpuNumbers> numbers = {
        cpu.integer("load", 0, kU32Max),
        optional("util"),
        optional("runnable"),
        optional("util_est"),
        cpu.integer("nr_running", 0, kMaxTasks),
        cpu.has("h_nr") ? cpu.integer("h_nr", 0, kMaxTasks) : 0,
        cpu.integer("h_nr_idle_policy", 0, kMaxTasks),
        cpu.integer("idle_stamp", 0, kFileTimeMax),
        cpu.at("curr_is_idle").flag() ? 1 : 0,
        cpu.at("ttwu_pending").flag() ? 1 : 0};
    std::copy(numbers.begin(), numbers.end(),
              c.in.begin() + static_cast<std::ptrdiff_t>(at * kCpuNumbers));
    const JsonReader latency = cpu.at("exit_latency");
    if (!latency.is_null()) c.exit_latency[at] = latency.integer(0, kU32Max);
  }
  if (static_cast<std::size_t>(std::popcount(seen)) != list.size())
    cpus.fail("a CPU is listed twice");
  // A hole would be read as an idle CPU.
  if (static_cast<std::size_t>(std::popcount(seen)) != c.nr_cpus)
    cpus.fail("the CPUs are not numbered 0, 1, ..");
}

std::vector<FindDstGroupCpuCase> find_dst_group_cpu_cases(const JsonReader& file) {
  static const FieldNames kFields = {"cpu"};
  std::vector<FindDstGroupCpuCase> cases;
  for (const JsonReader& row : file.elements()) {
    FindDstGroupCpuCase c;
    c.row = "row " + std::to_string(cases.size()) + " '" + row.at("name").text() + "'";
    c.fields = &kFields;
    read_cpus(row.at("cpus"), c);
    c.this_cpu = static_cast<int>(row.integer("this_cpu", 0, kMaxCpus - 1));
    c.group = row.at("group").cpus();
    c.allowed = row.at("allowed").cpus();
    if (c.group == 0 || static_cast<std::size_t>(std::bit_width(c.group)) > c.nr_cpus)
      row.at("group").fail("a list of the CPUs 0 to " + std::to_string(c.nr_cpus - 1) +
                           " is expected");
    c.expected = {row.integer("cpu", 0, kFileResultMax)};
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace schedcheck
