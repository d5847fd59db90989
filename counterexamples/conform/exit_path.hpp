// SPDX-License-Identifier: Apache-2.0
/// \file Cases of kind `exit_path`: small schedules on one CPU, number by number, with and without
/// the move that do_exit makes.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "counterexamples/conform/conform_case.hpp"
#include "model/step.hpp"

namespace schedcheck {

class JsonReader;

/// A label and the numbers that belong to it, by their names in the file (`leaf/util_avg`).
template <ValueDomain D>
struct ExitStep {
  std::string label;
  std::map<std::string, IntOf<D>> numbers;
};

template <ValueDomain D>
void note_queue(ExitStep<D>& step, const std::string& prefix, const CfsRq<D>& cfs) {
  step.numbers[prefix + "util_avg"] = cfs.avg.util_avg;
  step.numbers[prefix + "util_sum"] = cfs.avg.util_sum;
  step.numbers[prefix + "runnable_avg"] = cfs.avg.runnable_avg;
  step.numbers[prefix + "runnable_sum"] = cfs.avg.runnable_sum;
  step.numbers[prefix + "load_avg"] = cfs.avg.load_avg;
  step.numbers[prefix + "load_sum"] = cfs.avg.load_sum;
  step.numbers[prefix + "period_contrib"] = cfs.avg.period_contrib;
  step.numbers[prefix + "removed_nr"] = cfs.removed.nr;
  step.numbers[prefix + "removed_util"] = cfs.removed.util_avg;
}
template <ValueDomain D>
void note_child(ExitStep<D>& step, const SchedAvg<D>& avg) {
  step.numbers["child_init_util"] = avg.util_avg;
  step.numbers["child_util_sum"] = avg.util_sum;
}

/// The schedules of the tables.
enum class ExitProgram : std::uint8_t {
  kBusyCpu,   ///< S0: a task that ran alone for 300 windows forks a child and blocks.
  kChildren,  ///< S1, S2: children one after the other on an empty CPU.
  kLateMove,  ///< S1b: one child runs for 500 units, makes the move, then runs on.
};

/// The switch values under which a task that keeps its group goes through the move, or does not.
inline constexpr std::array kExitMoves = {ExitMove::kFull, ExitMove::kBailUnlessExiting};
inline constexpr std::array kNoExitMoves = {ExitMove::kNone, ExitMove::kBailIfSameGroup};
constexpr std::span<const ExitMove> exit_moves(bool move) {
  return move ? std::span(kExitMoves) : std::span(kNoExitMoves);
}

/// The model of the tables without groups: one CPU, no ticks.
Model exit_path_model(ExitMove exit_move, int max_tasks);

struct ExitTableCase {
  std::string name;
  ExitProgram program = ExitProgram::kChildren;
  bool move = false;
  ExitMove exit_move = ExitMove::kNone;  ///< One of exit_moves(move).
  int depth = 0;  ///< How many groups, one in the other, are above the tasks.
  int children = 1;
  std::int64_t units = 0;  ///< How long each child runs; after the move for kLateMove.
  std::vector<ExitStep<NativeDomain>> expected;

  /// Every step of a table without groups. `child_units` is `units`, or a symbol that stands for
  /// it.
  template <ValueDomain D>
  std::vector<ExitStep<D>> run(const IntOf<D>& child_units) const;
};

/// Plays a table and notes the state after each of its steps.
template <ValueDomain D>
class ExitPlayer {
 public:
  ExitPlayer(Model model, bool moves)
      : model_(std::move(model)), moves_(moves), m_(empty_machine<D>(model_, 0)) {}

  void add_task() { add_initial_task<D>(model_, m_, InitialTask{}); }
  void event(EventKind kind, int task = 0) {
    Event e;
    e.kind = kind;
    e.task = task;
    step<D>(model_, m_, e);
  }
  void run(const IntOf<D>& units) {
    D::join([&] { pass_time<D>(model_, m_, units * kNsPerUnit); }, m_);
  }
  void run_to(std::int64_t units) {
    const IntOf<D> left = IntOf<D>(kBootTime + units * kNsPerUnit) - m_.now;
    D::join([&] { pass_time<D>(model_, m_, left); }, m_);
  }
  /// Full windows, the averages refreshed at each boundary as by ticks.
  void run_windows(int windows) {
    const std::int64_t tick_ns = std::exchange(model_.tick_ns, kWindowNs);
    for (int i = 0; i < windows; ++i) run(IntOf<D>(kWindowUnits));
    model_.tick_ns = tick_ns;
  }
  /// The exit of `task`; the state after the exit step is noted too if it does something.
  void exit(int task, const IntOf<D>& units_after_step, const std::string& label) {
    if (moves_) {
      const Machine<D> before = m_;
      D::join([&] { exit_step<D>(model_, m_, 0, task); }, m_);
      note("sched_move_task", task);
      m_ = before;
    }
    D::join([&] { exit_event<D>(model_, m_, task, 0, units_after_step * kNsPerUnit, -1); }, m_);
    note(label, task);
  }
  /// Without groups the file's `leaf` and `root` are the same queue.
  void note(const std::string& label, int child) {
    ExitStep<D> record{label, {}};
    for (const char* prefix : {"", "leaf/", "root/"}) note_queue(record, prefix, m_.rq[0].cfs);
    if (child >= 0) note_child(record, task_of(m_, child).avg);
    steps.push_back(std::move(record));
  }
  /// Of the queue, as a fork would read it now.
  IntOf<D> util_avg() const { return m_.rq[0].cfs.avg.util_avg; }

  std::vector<ExitStep<D>> steps;

 private:
  Model model_;
  bool moves_;
  Machine<D> m_;
};

template <ValueDomain D>
std::vector<ExitStep<D>> ExitTableCase::run(const IntOf<D>& child_units) const {
  ExitPlayer<D> player(exit_path_model(exit_move, children + 1), move);
  std::int64_t start = 0;
  if (program == ExitProgram::kBusyCpu) {
    constexpr int kWindowsAlone = 300;
    player.add_task();
    player.run_windows(kWindowsAlone);
    start = kWindowsAlone * kWindowUnits;
    player.note("parent ran 300 windows", kNoTask);
    player.event(EventKind::kFork);
    player.note("forked", 1);
    player.event(EventKind::kBlock);
    player.note("parent blocks, child runs", 1);
    player.run(child_units);
    player.exit(1, IntOf<D>(0), "child dead");
  }
  for (int child = 0; program != ExitProgram::kBusyCpu && child < children; ++child) {
    const bool late = program == ExitProgram::kLateMove;
    player.add_task();
    player.note("fork+run", child);
    player.run(late ? IntOf<D>(500) : child_units);
    player.exit(child, late ? child_units : IntOf<D>(0), "dead");
  }
  player.run_to(start + kWindowUnits);
  player.event(EventKind::kUpdateBlocked);
  player.note(program == ExitProgram::kBusyCpu ? "window end" : "window end + update_blocked",
              kNoTask);
  return std::move(player.steps);
}

/// The tables of the root group.
std::vector<ExitTableCase> exit_table_cases(const JsonReader& file);
/// All tables, each under every value of exit_moves, and the spawn loop.
void check_exit_path(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
