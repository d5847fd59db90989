// SPDX-License-Identifier: Apache-2.0
/// \file The switch table, and presets computed from it.
#include "model/kernel_switches.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <set>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

/// major * 1000000 + minor * 1000; a release candidate is a little less, a stable release more.
using VersionKey = int;
constexpr VersionKey kOldest = 5'008'000;
constexpr VersionKey kNewest = 7'001'000;

constexpr VersionKey key(int major, int minor, int stable = 0) {
  return major * 1'000'000 + minor * 1'000 + stable;
}

const std::vector<SwitchInfo>& catalogue() {
  static const std::vector<SwitchInfo> kSwitches = {
      {"exit_move",
       "what the scheduler step of do_exit does to the exiting task",
       "exit/util regression (UnixBench spawn)",
       {{"none", "", "never: built without autogroup", "read"},
        {"full", "76f970ce51c8", "v5.8 to v6.3, v6.14", "executed"},
        {"bail_if_same_group", "eff6c8ce8d4d", "v6.4 to v6.13", "patch"},
        {"bail_unless_exiting", "first proposed patch", "never", "patch"}}},
      {"attach_keeps_sum",
       "what-if: attach keeps the task's util_sum",
       "exit/util regression",
       {{"0", "", "v5.8", "executed"}, {"1", "what-if", "never", "executed"}}},
      {"death_removes",
       "what-if: what the removal of a dead task subtracts",
       "exit/util regression",
       {{"average", "", "v5.8", "executed"}, {"exact", "what-if", "never", "executed"}}},
      {"idlest_tiebreak",
       "order of groups with equally many idle CPUs at a fork",
       "update_pick_idlest tie-break (sysbench threads)",
       {{"none", "", "v5.8", "patch"},
        {"nr_running", "what-if", "never", "patch"},
        {"util", "3edecfef0285", "v5.9", "executed"}}},
      {"new_task_util_weight",
       "weight in the initial utilisation of a task",
       "exit/util regression",
       {{"scaled", "", "v5.8", "executed"}, {"unscaled", "72bffbf57c52", "v6.10", "executed"}}},
      {"imbalance_pct_above_llc",
       "imbalance percentage of domains above the LLC",
       "update_pick_idlest tie-break",
       {{"125", "", "v5.8", "patch"}, {"117", "2208cdaa56c9", "v5.10", "executed"}}},
      {"fork_stats_scope",
       "CPUs in a group's statistics at a fork",
       "update_pick_idlest tie-break",
       {{"group", "", "v5.8", "patch"},
        {"affinity", "82d6e01a0699", "v6.19 (debian-6.12.117 too)", "executed"}}},
      {"migrate_se_pelt_lag",
       "a sleeper that leaves an idle CPU is aged to now",
       "",
       {{"0", "", "v5.8", "read"}, {"1", "e2f3e35f1f5a", "v6.0", "read"}}},
      {"busy_factor",
       "how much rarer a busy CPU balances",
       "",
       {{"32", "", "v5.8", "patch"}, {"16", "6e7499135db7", "v5.10", "executed"}}},
      {"prefer_sibling_of",
       "whose SD_PREFER_SIBLING balancing reads",
       "",
       {{"child", "", "v5.8", "executed"},
        {"group", "43726bdedd29", "v6.5 (release: memory)", "executed"}}},
      {"group_flags_follow",
       "group flags follow the child when a level between is removed",
       "",
       {{"0", "", "v5.8", "executed"},
        {"1", "bf2dc42d6beb", "v6.6 (release: memory)", "executed"}}},
      {"sd_cluster",
       "domains of clusters have SD_CLUSTER",
       "",
       {{"0", "", "v5.8", "executed"},
        {"1", "b95303e0aeaf", "v6.7 (release: memory)", "executed"}}},
      {"slice_end_check",
       "what asks for a reschedule when the running entity's time was accounted",
       "EEVDF nr_running (hackbench)",
       {{"cfs_nr_in_update_deadline", "147f3efaa241", "v6.6", "read"},
        {"rq_nr", "85e511df3cec", "v6.12-rc1", "patch"},
        {"cfs_nr_expired_only", "first proposed patch", "never", "patch"},
        {"cfs_nr", "d4ac164bde7a", "v6.12", "executed"},
        {"cfs_nr_or_unprotected", "0b9ca2dcabc3", "v6.17", "read"}}},
      {"run_to_parity",
       "a running entity keeps the CPU until its deadline (or the smallest slice)",
       "",
       {{"0", "", "v6.5", "read"}, {"1", "63304558ba5d", "v6.6", "executed"}}},
      {"run_to_parity_min_slice",
       "protection lasts for the smallest queued slice only",
       "",
       {{"0", "", "v6.6", "executed"}, {"1", "052c3d87c82e", "v6.17", "read"}}},
      {"preempt_short",
       "a shorter slice ends the protection of the running entity",
       "EEVDF nr_running (hackbench)",
       {{"0", "", "v6.6", "read"}, {"1", "85e511df3cec", "v6.12-rc1", "executed"}}},
      {"delay_dequeue",
       "a sleeper stays queued until its lag is used up",
       "EEVDF nr_running (hackbench)",
       {{"0", "", "v6.6", "read"}, {"1", "152e11f6df29", "v6.12-rc1", "executed"}}},
      {"delay_zero",
       "a delayed sleeper leaves without positive lag",
       "",
       {{"0", "", "v6.6", "read"}, {"1", "54a58a787791", "v6.12-rc1", "executed"}}},
      {"place_lag",
       "what-if 0: entities join a queue without their lag",
       "",
       {{"0", "what-if", "never", "read"}, {"1", "", "v6.6", "executed"}}},
      {"place_rel_deadline",
       "a move between queues keeps deadline - vruntime",
       "",
       {{"0", "", "v6.6", "read"}, {"1", "82e9d0456e06", "v6.12-rc1", "executed"}}},
      {"pick_buddy",
       "the pick prefers the buddy that a dequeue left",
       "",
       {{"0", "", "v6.6", "read"}, {"1", "2a77e4be12cb", "v6.14", "executed"}}},
      {"base_slice_700us",
       "base slice of 700 us instead of 750, before scaling by CPUs",
       "",
       {{"0", "", "v6.6", "read"}, {"1", "2ae891b82695", "v6.15", "executed"}}},
      {"tg_load_avg_ratelimit",
       "a group's sum of loads changes at most once per ms and CPU",
       "",
       {{"0", "", "v5.8", "read"}, {"1", "1528c661c24b", "v6.7", "executed"}}},
      {"decayed_checks_contrib",
       "a queue that still counts in its group's sum is still visited",
       "",
       {{"0", "", "v5.8", "read"}, {"1", "ca125231dd29", "v6.19", "read"}}},
      {"delayed_counts_group_entities",
       "a delayed group lowers h_nr_runnable, which its last task did already",
       "",
       {{"0", "", "v5.8", "executed"}, {"1", "76f2f783294d", "v6.13-rc only", "read"}}},
      {"update_empty_group",
       "the weight of an empty group is computed too",
       "",
       {{"0", "66951e4860d3", "v6.13", "executed"}, {"1", "", "v5.8", "executed"}}},
      {"reweight_same_weight",
       "a group's entity is reweighted even to the same weight",
       "",
       {{"0", "", "v6.4", "executed"}, {"1", "", "v5.8", "executed"}}},
      {"reweight_mode",
       "how a queued entity keeps its lag when its weight changes",
       "",
       {{"none", "", "v6.6", "executed"},
        {"eevdf_V", "eab03c23c2a1", "v6.7", "executed"},
        {"place_entity", "6d71a9c61604", "v6.13", "read"}}},
      {"fair_server",
       "what keeps RT tasks from starving fair tasks",
       "",
       {{"none", "what-if: sched_rt_runtime_us=-1", "never", "read"},
        {"rt_throttling", "", "v5.8", "read"},
        {"server", "557a6bfc662c", "v6.12", "read"}}},
      {"dl_timer_no_task",
       "when the fair server stops after the last fair task left",
       "",
       {{"stop_at_dequeue", "", "v6.12", "memory"},
        {"stop_without_flag", "cccb45d7c429", "v6.17-rc1 to -rc7 only", "memory"},
        {"arm_zero_laxity", "4ae8d9aa9f9d", "v6.17", "memory"}}},
      {"yield_mode",
       "what sched_yield does",
       "",
       {{"deadline_only", "147f3efaa241", "v6.6", "read"},
        {"forfeit_if_eligible", "79104becf42b", "v6.19", "read"}}},
      {"zero_update",
       "when the base of a queue's virtual time moves",
       "",
       {{"enqueue_dequeue", "79f3f9bedd14", "v6.19 only", "patch"},
        {"avg_vruntime", "b3d99f43c72b", "v6.6 to v6.18, v7.0", "executed"}}},
      {"util_est_skip_if_waiting",
       "util_est does not fall while the task had to wait",
       "",
       {{"0", "", "v5.8", "read"}, {"1", "50181c0cff31", "v6.8", "read"}}},
      {"newidle_fail",
       "what a newidle pass that pulls nothing does to the domain's cost",
       "newidle cost (schbench)",
       {{"none", "", "v5.8", "patch"},
        {"rfc_v1", "RFC v1", "never", "patch"},
        {"rfc_newidle_only", "what-if: RFC v1 for newidle", "never", "patch"},
        {"add_migration_cost", "reviewer's suggestion", "never", "patch"},
        {"x1.5_cap", "155213a2aed4", "v6.17", "read"},
        {"ni_random", "33cf66d88306", "v6.19 (v6.18.44, debian too)", "executed"},
        {"ni_rate", "9fe89f022c05", "v7.1", "patch"}},
       false,
       false},
      {"newidle_gate",
       "what the average idle time must reach for newidle balancing",
       "newidle cost (schbench)",
       {{"migration_cost", "", "v5.8", "read"},
        {"max_newidle_lb_cost", "c5b0a7eefc70", "v5.16", "executed"}},
       false,
       false},
      {"newidle_decay_wait_1s",
       "the cost of newidle balancing decays a second after its last raise",
       "newidle cost (schbench)",
       {{"0", "", "v5.8", "patch"}, {"1", "e60b56e46b38", "v5.16", "executed"}},
       false,
       false},
      {"newidle_charges_blocked",
       "updating blocked averages is part of the cost of newidle balancing",
       "newidle cost (schbench)",
       {{"0", "", "v5.8", "read"}, {"1", "9e9af819db5d", "v5.16", "executed"}},
       false,
       false},
      {"newidle_stop",
       "what ends newidle balancing below the top level",
       "newidle cost (schbench)",
       {{"nr_running", "", "v5.8", "executed"},
        {"continue_balancing", "c829d6818b60", "v6.10", "executed"}},
       false,
       false},
      {"sibling_imbalance",
       "how many tasks siblings differ by",
       "",
       {{"nr_difference", "", "v5.8", "executed"},
        {"per_core", "7ff1693236f5", "v6.6", "executed"}},
       false,
       false},
      {"should_we_balance_idle_core",
       "above SMT a CPU of an idle core balances first",
       "",
       {{"0", "", "v5.8", "executed"}, {"1", "b1bfeab9b002", "v6.6", "executed"}},
       false,
       false},
      {"smt_balance",
       "groups of busy SMT siblings are a class of their own",
       "",
       {{"0", "", "v5.8", "executed"}, {"1", "fee1759e4f04", "v6.6", "executed"}},
       false,
       false},
      {"fully_busy_tie",
       "which of equal fully_busy groups is the busiest (of misfit ones: the other)",
       "",
       {{"first", "", "v5.8", "executed"},
        {"last", "5fd6d7f43958", "v6.5 (commit, release: memory)", "executed"}},
       false,
       false},
      {"runnable_boosting",
       "waiting counts as utilisation when a source CPU is chosen",
       "",
       {{"0", "", "v5.8", "executed"},
        {"1", "7d0583cf9ec7", "v6.5 (commit, release: memory)", "executed"}},
       false,
       false},
      {"sysctl_sched_migration_cost",
       "tunable, ns: how recently a cache-hot task ran (0: none is hot, -1: all are)",
       "newidle cost (schbench)",
       {{"500000", "", "v5.8", "executed"}},
       true,
       false},
  };
  return kSwitches;
}

/// "a, b, c" from the names of switches or of a switch's values.
template <class Named>
std::string names_of(const std::vector<Named>& items) {
  std::string names;
  for (const Named& item : items) names += (names.empty() ? "" : ", ") + std::string(item.name);
  return names;
}

/// Every switch must be listed here once: its enumerator as a number.
template <class Switches, class F>
void for_each_switch(Switches& k, F&& f) {
  f("exit_move", k.exit_move);
  f("attach_keeps_sum", k.attach_keeps_sum);
  f("death_removes", k.death_removes);
  f("idlest_tiebreak", k.idlest_tiebreak);
  f("new_task_util_weight", k.new_task_util_weight);
  f("imbalance_pct_above_llc", k.imbalance_pct_above_llc);
  f("fork_stats_scope", k.fork_stats_scope);
  f("migrate_se_pelt_lag", k.migrate_se_pelt_lag);
  f("busy_factor", k.busy_factor);
  f("prefer_sibling_of", k.prefer_sibling_of);
  f("group_flags_follow", k.group_flags_follow);
  f("sd_cluster", k.sd_cluster);
  f("slice_end_check", k.slice_end_check);
  f("run_to_parity", k.run_to_parity);
  f("run_to_parity_min_slice", k.run_to_parity_min_slice);
  f("preempt_short", k.preempt_short);
  f("delay_dequeue", k.delay_dequeue);
  f("delay_zero", k.delay_zero);
  f("place_lag", k.place_lag);
  f("place_rel_deadline", k.place_rel_deadline);
  f("pick_buddy", k.pick_buddy);
  f("base_slice_700us", k.base_slice_700us);
  f("tg_load_avg_ratelimit", k.tg_load_avg_ratelimit);
  f("decayed_checks_contrib", k.decayed_checks_contrib);
  f("delayed_counts_group_entities", k.delayed_counts_group_entities);
  f("update_empty_group", k.update_empty_group);
  f("reweight_same_weight", k.reweight_same_weight);
  f("reweight_mode", k.reweight_mode);
  f("fair_server", k.fair_server);
  f("dl_timer_no_task", k.dl_timer_no_task);
  f("yield_mode", k.yield_mode);
  f("zero_update", k.zero_update);
  f("util_est_skip_if_waiting", k.util_est_skip_if_waiting);
  f("newidle_fail", k.newidle_fail);
  f("newidle_gate", k.newidle_gate);
  f("newidle_decay_wait_1s", k.newidle_decay_wait_1s);
  f("newidle_charges_blocked", k.newidle_charges_blocked);
  f("newidle_stop", k.newidle_stop);
  f("sibling_imbalance", k.sibling_imbalance);
  f("should_we_balance_idle_core", k.should_we_balance_idle_core);
  f("smt_balance", k.smt_balance);
  f("fully_busy_tie", k.fully_busy_tie);
  f("runnable_boosting", k.runnable_boosting);
  f("sysctl_sched_migration_cost", k.sysctl_sched_migration_cost);
}

const SwitchInfo& info_of(std::string_view name) {
  for (const SwitchInfo& info : catalogue())
    if (info.name == name) return info;
  throw InputError("kernel switch '" + std::string(name) +
                   "' is unknown; known switches: " + names_of(catalogue()));
}

void set_balance_switches(KernelSwitches& k, VersionKey v) {
  k.newidle_fail = v >= key(7, 1)    ? NewidleFail::kNiRate
                   : v >= key(6, 19) ? NewidleFail::kNiRandom
                   : v >= key(6, 17) ? NewidleFail::kX1_5Cap
                                     : NewidleFail::kNone;
  const bool v5_16 = v >= key(5, 16);
  k.newidle_gate = v5_16 ? NewidleGate::kMaxNewidleLbCost : NewidleGate::kMigrationCost;
  k.newidle_decay_wait_1s = v5_16;
  k.newidle_charges_blocked = v5_16;
  k.newidle_stop = v >= key(6, 10) ? NewidleStop::kContinueBalancing : NewidleStop::kNrRunning;
  k.sibling_imbalance =
      v >= key(6, 6) ? SiblingImbalance::kPerCore : SiblingImbalance::kNrDifference;
  k.should_we_balance_idle_core = v >= key(6, 6);
  k.smt_balance = v >= key(6, 6);
  k.fully_busy_tie = v >= key(6, 5) ? FullyBusyTie::kLast : FullyBusyTie::kFirst;
  k.runnable_boosting = v >= key(6, 5);
}

KernelSwitches switches_at(VersionKey v) {
  KernelSwitches k;
  k.exit_move = v >= key(6, 4) && v < key(6, 14) ? ExitMove::kBailIfSameGroup : ExitMove::kFull;
  k.idlest_tiebreak = v >= key(5, 9) ? IdlestTiebreak::kUtil : IdlestTiebreak::kNone;
  k.new_task_util_weight =
      v >= key(6, 10) ? NewTaskUtilWeight::kUnscaled : NewTaskUtilWeight::kScaled;
  k.imbalance_pct_above_llc =
      v >= key(5, 10) ? ImbalancePctAboveLlc::k117 : ImbalancePctAboveLlc::k125;
  k.fork_stats_scope = v >= key(6, 19) ? ForkStatsScope::kAffinity : ForkStatsScope::kGroup;
  k.migrate_se_pelt_lag = v >= key(6, 0);
  k.busy_factor = v >= key(5, 10) ? BusyFactor::k16 : BusyFactor::k32;
  k.prefer_sibling_of = v >= key(6, 5) ? PreferSiblingOf::kGroup : PreferSiblingOf::kChild;
  k.group_flags_follow = v >= key(6, 6);
  k.sd_cluster = v >= key(6, 7);
  k.slice_end_check = v >= key(6, 17)       ? SliceEndCheck::kCfsNrOrUnprotected
                      : v >= key(6, 12)     ? SliceEndCheck::kCfsNr
                      : v >= key(6, 12) - 1 ? SliceEndCheck::kRqNr
                                            : SliceEndCheck::kCfsNrInUpdateDeadline;
  const bool v6_12 = v >= key(6, 12) - 1;
  k.run_to_parity_min_slice = v >= key(6, 17);
  k.preempt_short = v6_12;
  k.delay_dequeue = v6_12;
  k.delay_zero = v6_12;
  k.place_rel_deadline = v6_12;
  k.pick_buddy = v >= key(6, 14);
  k.base_slice_700us = v >= key(6, 15);
  k.tg_load_avg_ratelimit = v >= key(6, 7);
  k.decayed_checks_contrib = v >= key(6, 19);
  k.update_empty_group = v < key(6, 13);
  k.reweight_same_weight = v < key(6, 4);
  k.reweight_mode = v < key(6, 7)                      ? ReweightMode::kNone
                    : v >= key(6, 13) && v < key(7, 1) ? ReweightMode::kPlace
                                                       : ReweightMode::kMean;
  k.fair_server = v6_12 ? FairServer::kServer : FairServer::kRtThrottling;
  k.dl_timer_no_task =
      v >= key(6, 17) ? DlTimerNoTask::kArmZeroLaxity : DlTimerNoTask::kStopAtDequeue;
  k.yield_mode = v >= key(6, 19) ? YieldMode::kForfeit : YieldMode::kPushDeadline;
  k.zero_update =
      v >= key(6, 19) && v < key(7, 0) ? ZeroUpdate::kEnqueueDequeue : ZeroUpdate::kAvgVruntime;
  k.util_est_skip_if_waiting = v >= key(6, 8);
  set_balance_switches(k, v);
  return k;
}

/// Last minor release of a major one, so that v5.20 and v6.20 are refused.
constexpr int last_minor(int major) { return major == 5 ? 19 : major == 6 ? 19 : 1; }

std::optional<VersionKey> parse_version(std::string_view text) {
  if (!text.starts_with('v')) return std::nullopt;
  int major = 0;
  int minor = 0;
  const char* end = text.data() + text.size();
  auto at = std::from_chars(text.data() + 1, end, major);
  if (at.ec != std::errc{} || at.ptr == end || *at.ptr != '.') return std::nullopt;
  at = std::from_chars(at.ptr + 1, end, minor);
  if (at.ec != std::errc{} || at.ptr != end) return std::nullopt;
  if (text != "v" + std::to_string(major) + "." + std::to_string(minor)) return std::nullopt;
  if (major < 5 || major > 7 || minor < 0 || minor > last_minor(major)) return std::nullopt;
  const VersionKey v = key(major, minor);
  return v < kOldest || v > kNewest ? std::nullopt : std::optional(v);
}

/// The version of a preset.
std::optional<VersionKey> preset_version(std::string_view name) {
  if (name == "v6.12-rc1") return key(6, 12) - 1;
  if (name == "v6.18.44") return key(6, 18, 44);
  if (name == "debian-6.12.117") return key(6, 12, 117);
  return parse_version(name);
}

std::optional<KernelSwitches> preset_switches(std::string_view name) {
  if (name == "v6.18.44" || name == "debian-6.12.117") {
    KernelSwitches k = switches_at(*preset_version(name));
    k.newidle_fail = NewidleFail::kNiRandom;         // 6.12.65, 6.18.5 and later.
    k.exit_move = ExitMove::kFull;                   // The revert was backported to 6.12.y.
    k.fork_stats_scope = ForkStatsScope::kAffinity;  // 82d6e01a0699 is in 6.1.y and 6.12.y.
    k.yield_mode = YieldMode::kForfeit;
    k.base_slice_700us = true;
    k.pick_buddy = true;
    k.update_empty_group = false;
    k.decayed_checks_contrib = true;
    return k;
  }
  if (const auto v = preset_version(name)) return switches_at(*v);
  return std::nullopt;
}

std::vector<std::string> preset_limits(std::string_view name) {
  std::vector<std::string> limits;
  const auto v = parse_version(name);
  if (v && *v < key(6, 6))
    limits.emplace_back("before v6.6 the kernel picked by another algorithm: placement only (L1)");
  if (name == "v6.18.44")
    limits.emplace_back("fork_stats_scope=affinity in 6.18.y is expected, not seen");
  return limits;
}

[[noreturn]] void unknown_kernel(std::string_view name) {
  throw InputError("kernel '" + std::string(name) +
                   "' is unknown; use v5.8 to v7.1, v6.12-rc1, v6.18.44, debian-6.12.117 or host");
}

/// A number of a tunable as a word that stays valid, as the names of values do.
std::string_view word_of(std::int64_t number) {
  static std::mutex guard;
  static std::set<std::string> words;
  const std::scoped_lock lock(guard);
  return *words.insert(std::to_string(number)).first;
}

/// The number of a tunable: -1 to a second.
std::int32_t tunable_number(std::string_view name, std::string_view word) {
  constexpr std::int32_t kMax = 1'000'000'000;
  std::int32_t number = 0;
  const char* end = word.data() + word.size();
  const auto at = std::from_chars(word.data(), end, number);
  if (at.ec != std::errc{} || at.ptr != end || number < -1 || number > kMax)
    throw InputError("kernel switch '" + std::string(name) + "' has no value '" +
                     std::string(word) + "'; use a whole number from -1 to " +
                     std::to_string(kMax));
  return number;
}

}  // namespace

std::span<const SwitchInfo> switch_catalogue() { return catalogue(); }

std::string_view switch_value(const KernelSwitches& switches, std::string_view name) {
  const SwitchInfo& info = info_of(name);
  std::string_view value;
  for_each_switch(switches, [&](std::string_view which, const auto& field) {
    if (which == name)
      value = info.tunable ? word_of(static_cast<std::int64_t>(field))
                           : info.values[static_cast<std::size_t>(field)].name;
  });
  return value;
}

void set_switch(KernelSwitches& switches, std::string_view name, std::string_view value) {
  const SwitchInfo& info = info_of(name);
  const std::int32_t number = info.tunable ? tunable_number(name, value) : 0;
  const auto at = std::find_if(info.values.begin(), info.values.end(),
                               [&](const SwitchValue& v) { return v.name == value; });
  if (at == info.values.end() && !info.tunable)
    throw InputError("kernel switch '" + std::string(name) + "' has no value '" +
                     std::string(value) + "'; its values: " + names_of(info.values));
  const auto index = info.tunable ? number : at - info.values.begin();
  for_each_switch(switches, [&](std::string_view which, auto& field) {
    if (which == name) field = static_cast<std::remove_reference_t<decltype(field)>>(index);
  });
}

std::string preset_for_release(std::string_view release) {
  if (release.starts_with("6.18.")) return "v6.18.44";
  if (release.starts_with("6.12.") && release.find("deb") != std::string_view::npos)
    return "debian-6.12.117";
  int major = 0;
  int minor = 0;
  const char* end = release.data() + release.size();
  const auto at = std::from_chars(release.data(), end, major);
  if (at.ec != std::errc{} || at.ptr == end || *at.ptr != '.' ||
      std::from_chars(at.ptr + 1, end, minor).ec != std::errc{})
    throw InputError("kernel 'host': the release '" + std::string(release) +
                     "' is not of the form X.Y; give --kernel vX.Y");
  if (key(major, minor) < kOldest)
    throw InputError("kernel 'host': release " + std::string(release) +
                     " is older than v5.8; give --kernel vX.Y");
  if (key(major, minor) > kNewest) return "v7.1";
  // 5.19 -> 6.0 and 6.19 -> 7.0 leave no gaps, so the nearest preset not newer has the same number.
  return "v" + std::to_string(major) + "." + std::to_string(std::min(minor, last_minor(major)));
}

KernelChoice parse_kernel(std::string_view text) {
  if (text.find_first_of(" \t\r\n") != std::string_view::npos)
    throw InputError("kernel '" + std::string(text) +
                     "': has a blank in it; use v5.8 to v7.1, without blanks");
  const std::size_t comma = text.find(',');
  std::string preset(text.substr(0, comma));
  if (preset == "host") {
    utsname names{};
    uname(&names);
    preset = preset_for_release(names.release);
  }
  const auto base = preset_switches(preset);
  if (!base) unknown_kernel(preset);
  KernelChoice choice{preset, preset, *base, *preset_version(preset), preset_limits(preset)};
  std::vector<std::string_view> seen;
  std::string_view rest = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  if (comma != std::string_view::npos && rest.empty())
    throw InputError("kernel '" + std::string(text) + "': switch=value expected after the comma");
  while (!rest.empty()) {
    const std::size_t next = rest.find(',');
    const std::string_view item = rest.substr(0, next);
    rest = next == std::string_view::npos ? "" : rest.substr(next + 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || (next != std::string_view::npos && rest.empty()))
      throw InputError("kernel '" + std::string(text) + "': '" + std::string(item) +
                       "' is not switch=value, or nothing follows the last comma");
    const std::string_view name = item.substr(0, equals);
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      throw InputError("kernel '" + std::string(text) + "': switch '" + std::string(name) +
                       "' is given twice; give it once");
    seen.push_back(name);
    set_switch(choice.switches, name, item.substr(equals + 1));
  }
  for (const SwitchInfo& info : catalogue()) {
    const std::string_view value = switch_value(choice.switches, info.name);
    if (value != switch_value(*base, info.name))
      choice.name += "," + std::string(info.name) + "=" + std::string(value);
  }
  return choice;
}

std::vector<std::string> known_presets() {
  std::vector<std::string> names;
  for (int major = 5; major <= 7; ++major)
    for (int minor = 0; minor <= last_minor(major); ++minor) {
      const std::string name = "v" + std::to_string(major) + "." + std::to_string(minor);
      if (name == "v6.12") names.emplace_back("v6.12-rc1");
      if (parse_version(name)) names.push_back(name);
      if (name == "v6.12") names.emplace_back("debian-6.12.117");
      if (name == "v6.18") names.emplace_back("v6.18.44");
    }
  return names;
}

}  // namespace schedcheck
