// SPDX-License-Identifier: Apache-2.0
/// \file Options and help of solve and prove.
#include "cli/solver_commands.hpp"

#include "cli/options.hpp"

namespace schedcheck::cli {
namespace {

void add_common(CLI::App& command, SolverOptions& o) {
  command.add_option("--kernel", o.kernel, "NAME[,switch=value..]; `list kernels`")
      ->capture_default_str();
  command.add_option("--topology", o.topology, "smp:N, llc:AxB, .. of at most 8 CPUs")
      ->capture_default_str();
  command.add_option("--tasks", o.tasks, "Tasks, initial ones and children")
      ->check(whole(1, 8))
      ->capture_default_str();
  command.add_option("--tick-ns", o.tick_ns, "0: none, or a multiple of the grid, e.g. 1048576")
      ->check(whole(0, 1'000'000'000))
      ->capture_default_str();
  command
      .add_option("--time-grid", o.grid_units, "Times are multiples of so many units of 1024 ns")
      ->check(whole(16, 1024))
      ->capture_default_str();
  command.add_option("--windows", o.windows, "Longest run, in PELT windows of 1048576 ns")
      ->check(whole(1, 32))
      ->capture_default_str();
  command.add_option("--timeout", o.timeout, "Only truncates: 60s, 2m; 0: none")
      ->capture_default_str();
  command.add_option("--smt2", o.smt2, "Write every query as SMT-LIB 2 to this file")
      ->check(not_empty());
  command.add_flag("--cross-check", o.cross_check,
                   "Ask cvc5 every query again; exit 4 if they differ");
  command.add_flag("--json", o.json, "One JSON object on stdout");
}

}  // namespace

void add_solver_commands(CLI::App& app, int& status) {
  static SolveOptions solve;
  CLI::App* s = app.add_subcommand("solve", "Ask Z3 for a schedule that violates a property");
  s->add_option("--property", solve.property, "A property's name")->required();
  add_common(*s, solve);
  s->add_option("--depth", solve.depth, "Events of the longest schedule looked at")
      ->check(whole(1, 64))
      ->capture_default_str();
  s->add_option("--from", solve.from,
                "boot, any (well-formed state) or a FILE, whose schedule goes on")
      ->check(not_empty())
      ->capture_default_str();
  s->add_flag("--free-averages", solve.free_averages,
              "util_avg of the initial task is free, 0..1024");
  s->add_option("--out", solve.out, "File for the minimized schedule")->check(not_empty());
  s->footer("Example: schedcheck solve --kernel v6.13 --property exit-leaves-no-utilization");
  s->callback([s, &status] {
    solve.kernel_given = s->count("--kernel") > 0;
    solve.topology_given = s->count("--topology") > 0;
    solve.tick_given = s->count("--tick-ns") > 0;
    status = run_solve(solve);
  });

  static ProveOptions prove;
  prove.property = "all";
  CLI::App* p = app.add_subcommand("prove", "Prove properties by induction over single events");
  p->add_option("--property", prove.property, "all, or names separated by commas")
      ->capture_default_str();
  add_common(*p, prove);
  p->add_option("--k", prove.k, "k-induction, step and base, for what one event does not prove")
      ->check(whole(1, 3))
      ->capture_default_str();
  p->footer("Example: schedcheck prove --kernel v6.14 --property fork-picks-idle-group");
  p->callback([&status] { status = run_prove(prove); });
}

}  // namespace schedcheck::cli
