// SPDX-License-Identifier: Apache-2.0
/// \file Kind `fork_dst_group`.
#include <algorithm>

#include "counterexamples/conform/group_cases.hpp"
#include "counterexamples/conform/json_reader.hpp"

namespace schedcheck {
namespace {

void read_group(const JsonReader& group, ForkDstGroupCase& c) {
  for (const char* name :
       {"load", "capacity", "util", "runnable", "nr_running", "h_nr", "idle_cpus"})
    c.in.push_back(
        group.integer(name, std::string_view(name) == "capacity" ? 1 : 0, kFileGroupMax));
  c.in.push_back(group.integer("weight", 1, kMaxCpus));
  c.imbalanced.push_back(group.at("imbalanced").flag());
}

}  // namespace

std::vector<ForkDstGroupCase> fork_dst_group_cases(const JsonReader& file) {
  static const FieldNames kFields = {"dst_v5_9", "dst_v5_8"};
  std::vector<ForkDstGroupCase> cases;
  for (const JsonReader& row : file.elements()) {
    ForkDstGroupCase c;
    c.row = "row " + std::to_string(cases.size()) + " '" + row.at("name").text() + "'";
    c.fields = &kFields;
    c.sd.imbalance_pct = static_cast<int>(row.integer("pct", 100, 1000));
    c.sd.numa = row.at("numa").flag();
    c.numa_nr = row.integer("imb_numa_nr", 0, kMaxCpus);
    const auto groups = row.at("groups").elements();
    if (groups.empty() || groups.size() > kMaxGroups)
      row.at("groups").fail("1 to " + std::to_string(kMaxGroups) + " groups are expected");
    for (const JsonReader& group : groups) read_group(group, c);
    // A restricted task may at most use all CPUs of the local group: the file names no others.
    if (!row.at("nr_cpus_allowed_is_all").flag())
      c.numa_nr = std::min(c.numa_nr, c.in[kGroupNumbers - 1]);
    for (const std::string& name : kFields)
      c.expected.push_back(row.integer(name, kStayLocal, kMaxCpus));
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace schedcheck
