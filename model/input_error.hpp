// SPDX-License-Identifier: Apache-2.0
/// \file
/// The exception for mistakes of the user: a bad option, file or machine description.

#pragma once

#include <stdexcept>

namespace schedcheck {

/// The one exception type for user mistakes; only cli/ catches it (exit status 2).
/// The message is one line: what is wrong, where, what to do. It starts in lower case and has no
/// exclamation mark, e.g. "topology 'smp:0': the number of CPUs must be 1..64; try smp:4".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace schedcheck
