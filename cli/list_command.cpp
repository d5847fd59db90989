// SPDX-License-Identifier: Apache-2.0
/// \file list: kernels, switches, properties, topologies, formats, limits.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "counterexamples/export/export.hpp"
#include "model/input_error.hpp"
#include "model/limits.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck::cli {
namespace {

void list_kernels() {
  for (const std::string& name : known_presets()) {
    const KernelChoice kernel = parse_kernel(name);
    print("{}\n", name);
    for (const SwitchInfo& info : switch_catalogue())
      print("    {}={}\n", info.name, switch_value(kernel.switches, info.name));
    for (const std::string& limit : kernel.limits) print("    limit: {}\n", limit);
  }
  const KernelChoice host = parse_kernel("host");
  print("host = {} here (nearest preset not newer; distribution kernels may differ)\n",
        host.preset);
}

void list_switches() {
  for (const SwitchInfo& info : switch_catalogue()) {
    print("{}: {}{}\n", info.name, info.meaning,
          info.in_events ? "" : " (balance passes only: limit L5)");
    if (!info.thread.empty()) print("    thread: {}\n", info.thread);
    for (const SwitchValue& value : info.values)
      print("    {:<20} {:<22} {:<30} {}\n", value.name, value.commit, value.first, value.evidence);
  }
}

void list_properties() {
  for (const PropertyInfo& p : property_catalogue())
    print("{}\n    {}\n    fails on: {}\n", p.name, p.claim, p.fails_on);
}

void list_topologies() {
  print("host      the machine this runs on: {}\n", canonical_spec(parse_topology("host")));
  print(
      "smp:N     N CPUs, one LLC\nllc:AxB   A LLCs of B CPUs on one node\nsmt:CxT   C cores of T "
      "threads, one LLC\n"
      "numa:NxC  N nodes of C CPUs, distance 20\n"
      "FILE.json any machine: docs/topology-format.md\n");
}

}  // namespace

int run_list(const ListOptions& o) {
  const std::string& what = o.what;
  if (!o.show.empty() && what != "topologies")
    throw InputError("list --show: draws a topology; write list topologies --show " + o.show);
  if (what == "kernels") {
    list_kernels();
  } else if (what == "switches") {
    list_switches();
  } else if (what == "properties") {
    list_properties();
  } else if (what == "topologies") {
    if (o.show.empty()) {
      list_topologies();
    } else {
      show_topology(o);
    }
  } else if (what == "formats") {
    for (const ExportFormat& format : export_formats())
      print("{:<14} {}\n", format.name, format.meaning);
    print("SMT-LIB2 is what the solver writes: solve --property P --smt2 FILE\n");
    print("read by trace check: ftrace, trace-cmd report and perf script text\n");
  } else if (what == "limits") {
    for (const LimitInfo& limit : limits_in_force(true)) print("{:<9} {}\n", limit.id, limit.text);
  } else {
    throw InputError(
        fmt::format("list{}: expected kernels, switches, properties, topologies, formats or limits",
                    what.empty() ? "" : " '" + what + "'"));
  }
  return kHolds;
}

}  // namespace schedcheck::cli
