// SPDX-License-Identifier: Apache-2.0
/// \file Programs that are run to their end, and signals that must not end us before.
#pragma once

#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace schedcheck {

/// SIGINT, SIGTERM and SIGHUP are noted instead of ending the process, while this lives.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();
  [[nodiscard]] bool arrived() const;

 private:
  std::array<struct sigaction, 3> before_{};
};

inline constexpr int kNotStarted = 127;

/// Runs a program of PATH in a process group of its own, with `output` as its standard output and
/// error, and returns its exit status, or 128 + signal. A signal held by HeldSignals ends it. Its
/// processes are gone afterwards.
int run_child(const std::vector<std::string>& command, const std::filesystem::path& output);

}  // namespace schedcheck
