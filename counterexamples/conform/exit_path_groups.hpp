// SPDX-License-Identifier: Apache-2.0
/// \file Kind `exit_path` for tasks inside groups: whole fair class, one kernel function at a time.
#pragma once

#include <string_view>

#include "counterexamples/conform/exit_path.hpp"

namespace schedcheck {

inline constexpr int kExitPathGroupsMax = 8;

/// N of `depthN_` in the name of a table or loop; 0 if it has none.
int exit_path_depth(std::string_view name, const JsonReader& at);

/// The steps of a table with groups. Requires a program with children only.
std::vector<ExitStep<NativeDomain>> play_exit_table_in_groups(const ExitTableCase& table);

/// Units of running in one round of the spawn loop.
struct SpawnLoopTimes {
  std::int64_t before_fork, after_fork, before_move, after_move;
};

/// util_avg of the root's queue as each fork of the loop sees it.
std::vector<std::int64_t> play_spawn_loop_in_groups(const SpawnLoopTimes& times, ExitMove exit_move,
                                                    int depth, int forks);

}  // namespace schedcheck
