// SPDX-License-Identifier: Apache-2.0
/// \file Runs a schedule on the kernel of this machine and records what it does.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "model/schedule.hpp"

namespace schedcheck {

/// This machine cannot run it: no root, compiler, tracefs or too few CPUs. One line that says so.
class NotRunnableHere : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct LiveResult {
  std::string trace;   ///< The text that tracefs had.
  std::string report;  ///< What the program printed.
  std::string kernel;  ///< Release of the kernel that ran.
};

/// Compiles the program of `export --to c` and runs it under a tracefs instance of its own. When
/// this returns or throws, the instance, the folder and the processes are gone; SIGINT, SIGTERM and
/// SIGHUP are held back for that long and end the run. Throws InputError for what the program
/// cannot express, NotRunnableHere, and Interrupted.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
LiveResult run_live(const Schedule& schedule);

}  // namespace schedcheck
