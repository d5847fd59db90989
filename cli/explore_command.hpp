// SPDX-License-Identifier: Apache-2.0
/// \file explore: every schedule over a finite alphabet, shortest first. docs/explore.md.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace schedcheck::cli {

struct ExploreOptions {
  std::string kernel = "host";
  std::string topology = "smp:3";
  std::string property;
  std::string from;  ///< A schedule file that goes on where it ends; empty: boot.
  std::string events = "fork,exit,block,wake,set_affinity,update_blocked,run";
  std::string durations;  ///< ns, separated by commas; empty: explore's grid.
  int tasks = 4;
  int depth = 4;
  int jobs = 0;  ///< 0: one per CPU.
  std::int64_t tick_ns = 0;
  std::string memory = "4G";
  std::string timeout = "60s";
  std::string out;
  bool no_symmetry = false;
  bool count_last = false;
  bool eevdf = false;
  bool json = false;
};
int run_explore(const ExploreOptions& options);

/// Registers the command with its options and help.
void add_explore_command(CLI::App& app, int& status);

}  // namespace schedcheck::cli
