// SPDX-License-Identifier: Apache-2.0
/// \file The kernel's words for the classes of a group.
#pragma once

#include <string_view>

#include "model/placement/group_stats.hpp"

namespace schedcheck {

inline std::string_view group_type_name(std::int64_t type) {
  switch (type) {
    case kHasSpare:
      return "has_spare";
    case kFullyBusy:
      return "fully_busy";
    case kMisfit:
      return "misfit";
    case kSmtBalance:
      return "smt_balance";
    case kImbalanced:
      return "imbalanced";
    default:
      return "overloaded";
  }
}

}  // namespace schedcheck
