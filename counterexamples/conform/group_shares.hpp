// SPDX-License-Identifier: Apache-2.0
/// \file Cases of kind `group_shares`: the weight of a group's entity on one CPU.
#pragma once

#include "counterexamples/conform/conform_case.hpp"
#include "model/groups/update_cfs_group.hpp"

namespace schedcheck {

class JsonReader;

/// in: the group's shares (times 1024), weight of its queue (unscaled), load_avg of the queue, what
/// the queue last contributed to the group's load, the group's load.
struct GroupSharesCase : ConformCase {
  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    return {calc_group_shares<D>(x[0], x[1] * 1024, x[2], x[3], x[4])};
  }
};

std::vector<GroupSharesCase> group_shares_cases(const JsonReader& file);

}  // namespace schedcheck
