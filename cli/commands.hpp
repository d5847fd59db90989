// SPDX-License-Identifier: Apache-2.0
/// \file The commands, one file each. Each returns an exit status and throws InputError for
/// mistakes.
#pragma once

#include <cstdint>
#include <string>

#include "cli/output.hpp"

namespace schedcheck::cli {

struct CheckOptions {
  std::string kernel = "host";
  std::string topology = "host";
  std::string property = "all";
  std::uint64_t cases = 100'000;
  std::uint64_t seed = 1;
  int events = 50;
  int tasks = 16;
  std::int64_t tick_ns = 4'000'000;
  int jobs = 0;  ///< 0: as many as the machine has CPUs.
  std::string time = "30s";
  std::string out = "counterexamples-found";
  bool new_only = false;
  bool json = false;
};
int run_check(const CheckOptions& options);

struct ReplayOptions {
  std::string file;
  std::string kernel;
  bool trace = false;
  bool json = false;
};
int run_replay(const ReplayOptions& options);

int run_minimize(const std::string& file, bool certify, const std::string& out);
int run_explain(const std::string& what);
int run_export(const std::string& file, const std::string& format, const std::string& out);

struct ListOptions {
  std::string what;
  std::string show;  ///< Of `topologies`: a topology to draw.
  std::string kernel = "host";
  std::string to;  ///< text, dot or json; empty: text and dot.
};
int run_list(const ListOptions& options);
void show_topology(const ListOptions& options);

}  // namespace schedcheck::cli
