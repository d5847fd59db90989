// SPDX-License-Identifier: Apache-2.0
/// \file Values of switches by name, and presets computed from first versions.
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

/// "a, b, c" from the names of switches or of a switch's values.
template <class Items>
std::string names_of(const Items& items) {
  std::string names;
  for (const auto& item : items) names += (names.empty() ? "" : ", ") + std::string(item.name);
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
  for (const SwitchInfo& info : switch_catalogue())
    if (info.name == name) return info;
  throw InputError("kernel switch '" + std::string(name) +
                   "' is unknown; known switches: " + names_of(switch_catalogue()));
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
  for (const SwitchInfo& info : switch_catalogue()) {
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
