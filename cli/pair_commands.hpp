// SPDX-License-Identifier: Apache-2.0
/// \file The commands that put two kernels side by side: compare, blame, review. docs/compare.md.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace schedcheck::cli {

struct CompareOptions {
  std::string kernel, against;
  std::string property;  ///< Empty: the first placement that differs.
  std::string topology;  ///< Empty: small machines in turn.
  int tasks = 8;
  bool tasks_given = false;
  int depth = 0;
  std::int64_t tick_ns = 4'000'000;
  std::uint64_t cases = 30'000;
  std::uint64_t seed = 1;
  std::string time = "60s";
  std::string out;  ///< Empty: counterexamples-found/compare-A-B-TOPOLOGY.json.
  bool json = false;
};
int run_compare(const CompareOptions& options);

struct BlameOptions {
  std::string file, against;
  bool json = false;
};
int run_blame(const BlameOptions& options);

struct ReviewOptions {
  std::string kernel, base;
  std::string topology = "smp:4,llc:2x2";
  std::uint64_t cases = 20'000;
  std::uint64_t seed = 1;
  std::string time = "100s";
  std::string out = "review-found";
  bool json = false;
};
int run_review(const ReviewOptions& options);

/// Registers the three with their options and help.
void add_pair_commands(CLI::App& app, int& status);

}  // namespace schedcheck::cli
