// SPDX-License-Identifier: Apache-2.0
/// \file The message that a user would get.
#pragma once

#include <string>

#include "model/input_error.hpp"

namespace schedcheck {

/// The message of the InputError that `run` ends with, or "accepted".
template <class Run>
std::string refusal_of(const Run& run) {
  try {
    run();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace schedcheck
