// SPDX-License-Identifier: Apache-2.0
/// \file Every behaviour switch of the model, and the presets computed from their first versions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedcheck {

/// What do_exit's scheduler step does (sched_autogroup_exit_task -> sched_move_task).
enum class ExitMove : std::uint8_t { kNone, kFull, kBailIfSameGroup, kBailUnlessExiting };
/// How update_pick_idlest orders has_spare groups with equally many idle CPUs.
enum class IdlestTiebreak : std::uint8_t { kNone, kNrRunning, kUtil };
/// Weight used by post_init_entity_util_avg: as stored (times 1024) or scaled down.
enum class NewTaskUtilWeight : std::uint8_t { kScaled, kUnscaled };
/// Imbalance percentage of levels above the LLC.
enum class ImbalancePctAboveLlc : std::uint8_t { k125, k117 };
/// CPUs that enter a group's statistics at a fork: all of them, or only the allowed ones.
enum class ForkStatsScope : std::uint8_t { kGroup, kAffinity };
/// What a dead task's removal subtracts: its average times the divider, or (what-if) its sum.
enum class DeathRemoves : std::uint8_t { kAverage, kExact };
/// What asks for a reschedule when the running entity's time was accounted.
enum class SliceEndCheck : std::uint8_t {
  kCfsNrInUpdateDeadline,
  kRqNr,
  kCfsNrExpiredOnly,
  kCfsNr,
  kCfsNrOrUnprotected
};
/// How a queued entity keeps its lag when its weight changes.
enum class ReweightMode : std::uint8_t { kNone, kMean, kPlace };

/// What keeps RT tasks from starving fair ones.
enum class FairServer : std::uint8_t { kNone, kRtThrottling, kServer };
/// What the fair server does when nobody is left.
enum class DlTimerNoTask : std::uint8_t { kStopAtDequeue, kStopWithoutFlag, kArmZeroLaxity };
/// What sched_yield does: a later deadline, or the rest of the slice is forfeited.
enum class YieldMode : std::uint8_t { kPushDeadline, kForfeit };
/// When the base of a queue's virtual time moves: with each entity that starts or stops waiting, or
/// when the mean is asked for.
enum class ZeroUpdate : std::uint8_t { kEnqueueDequeue, kAvgVruntime };

/// Intervals of balancing on a busy CPU are so many times longer.
enum class BusyFactor : std::uint8_t { k32, k16 };
/// Whose flag says that balancing spreads tasks over groups: the child domain's, the next group's.
enum class PreferSiblingOf : std::uint8_t { kChild, kGroup };
/// What newidle balancing does to a domain's cost when a pass pulls nothing.
enum class NewidleFail : std::uint8_t {
  kNone,
  kRfcV1,
  kRfcNewidleOnly,
  kAddMigrationCost,
  kX1_5Cap,
  kNiRandom,
  kNiRate
};
/// What the average idle time is compared with before newidle balancing.
enum class NewidleGate : std::uint8_t { kMigrationCost, kMaxNewidleLbCost };
/// What ends newidle balancing below the top: a task came, or a level said that others balance.
enum class NewidleStop : std::uint8_t { kNrRunning, kContinueBalancing };
/// How many tasks siblings differ by: plainly, or per core and only for an idle CPU.
enum class SiblingImbalance : std::uint8_t { kNrDifference, kPerCore };
/// Which of two equal fully_busy groups is the busiest; of equal misfit groups it is the other.
enum class FullyBusyTie : std::uint8_t { kFirst, kLast };

struct KernelSwitches {
  ExitMove exit_move = ExitMove::kFull;
  bool attach_keeps_sum = false;  ///< What-if: attach keeps util_sum instead of deriving it.
  DeathRemoves death_removes = DeathRemoves::kAverage;
  IdlestTiebreak idlest_tiebreak = IdlestTiebreak::kUtil;
  NewTaskUtilWeight new_task_util_weight = NewTaskUtilWeight::kUnscaled;
  ImbalancePctAboveLlc imbalance_pct_above_llc = ImbalancePctAboveLlc::k117;
  ForkStatsScope fork_stats_scope = ForkStatsScope::kAffinity;
  bool migrate_se_pelt_lag = true;  ///< A sleeper leaving an idle CPU is aged to now first.
  BusyFactor busy_factor = BusyFactor::k16;
  PreferSiblingOf prefer_sibling_of = PreferSiblingOf::kGroup;
  bool group_flags_follow = true;  ///< A group's flags follow when a level between is removed.
  bool sd_cluster = true;          ///< Cluster domains have SD_CLUSTER.
  SliceEndCheck slice_end_check = SliceEndCheck::kCfsNr;
  bool run_to_parity = true;             ///< A running entity keeps the CPU until its deadline ..
  bool run_to_parity_min_slice = false;  ///< .. or only for the smallest queued slice.
  bool preempt_short = true;             ///< A shorter slice ends that protection.
  bool delay_dequeue = true;             ///< A sleeper stays queued until its lag is used up.
  bool delay_zero = true;                ///< .. and leaves without positive lag.
  bool place_lag = true;                 ///< What-if 0: entities join without their lag.
  bool place_rel_deadline = true;        ///< A move keeps deadline - vruntime.
  bool pick_buddy = false;               ///< The pick prefers the buddy set at a dequeue.
  bool base_slice_700us = false;         ///< Else 750 us, before scaling by CPUs.
  bool tg_load_avg_ratelimit = true;     ///< A group's sum changes once per ms and CPU.
  bool decayed_checks_contrib = false;   ///< A queue that still counts in the group's sum stays.
  bool delayed_counts_group_entities = false;  ///< Lowers h_nr_runnable for a delayed group too.
  bool update_empty_group = true;              ///< Shares are computed for an empty group too.
  bool reweight_same_weight = false;           ///< .. and written when they did not change.
  ReweightMode reweight_mode = ReweightMode::kMean;
  FairServer fair_server = FairServer::kServer;
  DlTimerNoTask dl_timer_no_task = DlTimerNoTask::kStopAtDequeue;
  YieldMode yield_mode = YieldMode::kPushDeadline;
  ZeroUpdate zero_update = ZeroUpdate::kAvgVruntime;
  bool util_est_skip_if_waiting = true;  ///< util_est does not fall while tasks waited.
  NewidleFail newidle_fail = NewidleFail::kNone;
  NewidleGate newidle_gate = NewidleGate::kMaxNewidleLbCost;
  bool newidle_decay_wait_1s = true;    ///< A raised cost does not decay for a second.
  bool newidle_charges_blocked = true;  ///< The update of blocked averages counts as cost.
  NewidleStop newidle_stop = NewidleStop::kContinueBalancing;
  SiblingImbalance sibling_imbalance = SiblingImbalance::kPerCore;
  bool should_we_balance_idle_core = true;  ///< Above SMT a CPU of an idle core balances first.
  bool smt_balance = true;  ///< Groups of busy SMT siblings are a class of their own.
  FullyBusyTie fully_busy_tie = FullyBusyTie::kLast;
  bool runnable_boosting = true;  ///< Waiting counts as utilisation of a source CPU.
  /// Tunable, ns: a task that ran so recently is cache hot; 0: none is, -1: all are.
  std::int32_t sysctl_sched_migration_cost = 500'000;

  friend bool operator==(const KernelSwitches&, const KernelSwitches&) = default;
};

/// One value of a switch and where it comes from.
struct SwitchValue {
  std::string_view name;
  std::string_view commit;    ///< Commit or patch; empty where the value predates v5.8.
  std::string_view first;     ///< First release with it; "never" for what-if values.
  std::string_view evidence;  ///< executed, read, patch or memory.
};

struct SwitchInfo {
  std::string_view name;
  std::string_view meaning;
  std::string_view thread;  ///< The mailing-list thread behind it.
  std::vector<SwitchValue> values;
  bool tunable = false;   ///< Any number is a value; `values` has the default.
  bool in_events = true;  ///< Events read it; else only balance passes, limit L5.
};

/// All switches in a fixed order, values in the order of their enumerators.
std::span<const SwitchInfo> switch_catalogue();

/// A preset with overrides, e.g. "v6.13,exit_move=full".
struct KernelChoice {
  std::string name;    ///< Canonical: preset, then the overrides that differ from it.
  std::string preset;  ///< v6.13, v6.12-rc1, debian-6.12.117, ...
  KernelSwitches switches;
  /// 6'012'000 for v6.12: what is called how in the files of that kernel. Never decides behaviour.
  int version = 0;
  std::vector<std::string> limits;  ///< Limits that hold for this preset, for people.
};

/// Parses NAME[,switch=value...]; NAME is vX.Y (v5.8..v7.1), v6.12-rc1, v6.18.44, debian-6.12.117
/// or `host`. Throws InputError naming the known switches or values.
KernelChoice parse_kernel(std::string_view text);

/// The preset for a running kernel's release string (uname -r): the nearest one not newer.
std::string preset_for_release(std::string_view release);

/// The current value of switch `name` as a word; name is one of the catalogue's.
std::string_view switch_value(const KernelSwitches& switches, std::string_view name);
/// Sets switch `name` to `value`. Throws InputError for unknown words.
void set_switch(KernelSwitches& switches, std::string_view name, std::string_view value);

/// Presets that `list kernels` shows.
std::vector<std::string> known_presets();

}  // namespace schedcheck
