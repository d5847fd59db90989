// SPDX-License-Identifier: Apache-2.0
/// \file Cases of kind `slice_end_resched`: whether the end of update_curr asks for a reschedule,
/// under the rule of every version.
#pragma once

#include <array>

#include "counterexamples/conform/conform_case.hpp"
#include "model/fair/update_curr.hpp"

namespace schedcheck {

class JsonReader;

/// in: slice expired, still protected, running entity eligible (0 or 1 each), entities of the
/// level, tasks on the CPU. Gives one flag per rule of kRules.
struct SliceEndCase : ConformCase {
  static constexpr std::array kRules = {SliceEndCheck::kCfsNrInUpdateDeadline, SliceEndCheck::kRqNr,
                                        SliceEndCheck::kCfsNr, SliceEndCheck::kCfsNrOrUnprotected};

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    SliceEnd<D> end;
    end.expired = x[0] != 0;
    end.is_protected = x[1] != 0;
    end.eligible = x[2] != 0;
    end.cfs_nr = x[3];
    end.rq_nr = x[4];
    std::vector<IntOf<D>> out;
    for (const SliceEndCheck rule : kRules) {
      KernelSwitches kernel;
      kernel.slice_end_check = rule;
      out.push_back(D::to_int(slice_end_reschedules<D>(kernel, end)));
    }
    return out;
  }
};

std::vector<SliceEndCase> slice_end_cases(const JsonReader& file);

}  // namespace schedcheck
