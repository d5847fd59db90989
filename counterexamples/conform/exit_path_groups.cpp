// SPDX-License-Identifier: Apache-2.0
/// \file Tables and spawn loop of kind `exit_path` inside groups.
#include "counterexamples/conform/exit_path_groups.hpp"

#include "counterexamples/conform/operation_player.hpp"
#include "model/kernel_switches.hpp"

namespace schedcheck {
namespace {

/// Where these vectors start: the root's window begins here, those of the groups lie at multiples
/// of the window length since time 0, which the leaf's period_contrib in the files shows.
constexpr std::int64_t kStartUnits = 1'000'000;

/// One CPU; groups one in the other; times in units after the start.
class GroupedPlayer {
 public:
  GroupedPlayer(ExitMove exit_move, int depth, int max_tasks)
      : depth_(depth), player_(model(exit_move, depth, max_tasks), 1, kStartUnits * kNsPerUnit) {}

  void run(std::int64_t units) { run_to(now_ + units); }
  void run_to(std::int64_t units) {
    now_ = units;
    player_.at((kStartUnits + now_) * kNsPerUnit);
  }
  void fork(int p) { player_.fork(p, 0, {.group = depth_}); }
  OperationPlayer& then() { return player_; }
  [[nodiscard]] const CfsRq<NativeDomain>& root() const { return player_.machine().rq[0].cfs; }

  [[nodiscard]] ExitStep<NativeDomain> note(const std::string& label, int child) const {
    ExitStep<NativeDomain> step{label, {}};
    const CfsRq<NativeDomain>& leaf = cfs_rq_of(player_.machine(), 0, depth_);
    note_queue(step, "", leaf);
    note_queue(step, "leaf/", leaf);
    note_queue(step, "root/", root());
    if (child >= 0) note_child(step, task_of(player_.machine(), child).avg);
    return step;
  }

 private:
  static Model model(ExitMove exit_move, int depth, int max_tasks) {
    Model model;
    model.kernel = parse_kernel("debian-6.12.117").switches;
    model.kernel.exit_move = exit_move;
    model.max_tasks = max_tasks;
    for (int g = 1; g <= depth; ++g) model.group_parent.push_back(g - 1);
    return model;
  }

  int depth_;
  std::int64_t now_ = 0;
  OperationPlayer player_;
};

}  // namespace

std::vector<ExitStep<NativeDomain>> play_exit_table_in_groups(const ExitTableCase& table) {
  GroupedPlayer player(table.exit_move, table.depth, table.children);
  std::vector<ExitStep<NativeDomain>> steps;
  const bool late = table.program == ExitProgram::kLateMove;
  for (int child = 0; child < table.children; ++child) {
    player.fork(child);
    player.then().schedule(0);
    steps.push_back(player.note("fork+run", child));
    player.run(late ? 500 : table.units);
    player.then().move_at_exit(0);
    if (table.move) steps.push_back(player.note("sched_move_task", child));
    player.run(late ? table.units : 0);
    player.then().exit(0);
    steps.push_back(player.note("dead", child));
  }
  player.run_to(kWindowUnits);
  player.then().update_blocked(0);
  steps.push_back(player.note("window end + update_blocked", kNoTask));
  return steps;
}

std::vector<std::int64_t> play_spawn_loop_in_groups(const SpawnLoopTimes& times, ExitMove exit_move,
                                                    int depth, int forks) {
  constexpr int kParent = 0;
  GroupedPlayer player(exit_move, depth, forks + 1);
  player.fork(kParent);
  player.then().schedule(0);
  std::vector<std::int64_t> seen;
  for (int child = 1; child <= forks; ++child) {
    player.run(times.before_fork);
    seen.push_back(player.root().avg.util_avg);
    player.fork(child);
    player.run(times.after_fork);
    player.then().block(0);
    player.run(times.before_move);
    player.then().move_at_exit(0);
    player.run(times.after_move);
    player.then().wake(kParent, 0);
    player.then().exit(0);
  }
  return seen;
}

}  // namespace schedcheck
