// SPDX-License-Identifier: Apache-2.0
/// \file The commands that ask Z3: solve and prove. docs/solver.md.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace schedcheck::cli {

/// What both have in common.
struct SolverOptions {
  std::string kernel = "host";
  std::string topology = "smp:3";
  std::string property;
  int tasks = 4;
  std::int64_t tick_ns = 0;
  std::int64_t grid_units = 64;  ///< Of 1024 ns.
  int windows = 4;
  std::string timeout = "60s";
  std::string smt2;
  bool cross_check = false;
  bool json = false;
  bool kernel_given = false, topology_given = false, tick_given = false;
};

struct SolveOptions : SolverOptions {
  int depth = 4;
  std::string from = "boot";
  bool free_averages = false;
  std::string out;
};
int run_solve(const SolveOptions& options);

struct ProveOptions : SolverOptions {
  int k = 1;
};
int run_prove(const ProveOptions& options);

/// Registers both with their options and help.
void add_solver_commands(CLI::App& app, int& status);

}  // namespace schedcheck::cli
