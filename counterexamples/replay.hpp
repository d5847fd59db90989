// SPDX-License-Identifier: Apache-2.0
/// \file Runs a schedule step by step and keeps what a person wants to see of each step.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "counterexamples/decision_log.hpp"
#include "properties/run_schedule.hpp"

namespace schedcheck {

/// A CPU after a step. Averages are the last written ones, as readers see them.
struct CpuSnapshot {
  int curr = kNoTask;
  std::int64_t nr_running = 0, util_avg = 0, util_sum = 0, runnable_avg = 0, load_avg = 0;
  std::int64_t live_sum = 0;     ///< Ledger: accounts of tasks that live.
  std::int64_t dead_sum = 0;     ///< Ledger: accounts of dead tasks (negative: taken too much).
  std::int64_t clamp_sum = 0;    ///< Ledger: what lower bounds added.
  std::int64_t pending_avg = 0;  ///< removed.util_avg, not yet applied.
  std::int64_t busy_sum = 0;     ///< util_sum of the CPU's real busy time since the start.
  std::int64_t divider = 0;      ///< sum / divider = average at this window position.
};

struct ReplayStep {
  int number = 0;  ///< From 1.
  Event event;
  bool happened = true;     ///< False: it was not enabled; the replay ends here.
  std::int64_t now_ns = 0;  ///< Since boot.
  std::optional<ForkRecord> fork;
  std::vector<CpuSnapshot> cpus;  ///< Empty where the detail asked for leaves it out.
  std::vector<Violation> violations;
};

struct Replay {
  Model model;
  std::vector<ReplayStep> steps;
  std::optional<int> not_enabled;  ///< Number of the first event that was not enabled.
  std::vector<Violation> violations;
};

/// Which steps keep a snapshot of the CPUs: a snapshot looks at every task of every CPU.
enum class ReplayDetail : std::uint8_t { kKeySteps, kEveryStep };

/// Replays up to the first event that is not enabled. Key steps are the last one and the first
/// violation of each property. `on_step` sees each step in full; what is kept of it afterwards has
/// the snapshots of key steps only.
Replay replay(const Schedule& schedule, PropertySet properties = kEveryProperty,
              ReplayDetail detail = ReplayDetail::kKeySteps,
              const std::function<void(const ReplayStep&)>& on_step = {});

/// Throws InputError "FILE: /events/N: ..." when some event is not enabled.
void require_enabled(const Replay& replay, const Schedule& schedule, const std::string& source);

/// Throws InputError "FILE: /finding/..." when the replay does not show the schedule's finding.
void require_finding(const Replay& replay, const Schedule& schedule, const std::string& source);

/// Both numbers of the trade-off behind the exit path, for the CPU where the dead hold most.
struct TradeOff {
  int cpu = 0;
  std::int64_t busy_percent = 0;  ///< Real busy time as an average, percent.
  std::int64_t util = 0, live = 0,
               dead = 0;  ///< util_avg-like points: util = live + dead (+ clamp).
  std::optional<std::int64_t> util_with_move;  ///< The same schedule under exit_move=full.
  std::optional<std::int64_t> forgotten;  ///< Real CPU time missing there, in points; if any is.
};

/// None if the ledger holds less than a point for the dead.
std::optional<TradeOff> trade_off(const Schedule& schedule);

}  // namespace schedcheck
