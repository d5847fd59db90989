// SPDX-License-Identifier: Apache-2.0
/// \file One event of a recorded trace, whatever tool printed it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace schedcheck {

enum class TraceKind : std::uint8_t {
  kSwitch,
  kWakeup,
  kWakeupNew,
  kMigrate,
  kFork,
  kExit,
  kOtherSched,  ///< A sched_* event that no monitor needs.
  kOther,       ///< A well-formed line of another event.
  kLost,        ///< Events are missing from here: lost, dropped or left out.
};

/// What a switch says about the task that leaves.
enum class TraceLeaves : std::uint8_t { kUnknown, kRunnable, kSleeps, kDead };

inline constexpr int kUnknownNumber = -1;
inline constexpr int kUnknownPrio = -1000;
inline constexpr int kMaxTraceCpus = 8192;  ///< The largest NR_CPUS of the architectures.

struct TraceEvent {
  std::uint64_t line = 0;
  std::int64_t time_ns = kUnknownNumber;
  std::uint64_t lost = 0;  ///< kLost: how many; 0: not told.
  TraceKind kind = TraceKind::kOther;
  TraceLeaves leaves = TraceLeaves::kUnknown;
  bool complete = true;          ///< Every field that its kind has was found.
  bool has_task = true;          ///< Something stands in front of the CPU or the time.
  int cpu = kUnknownNumber;      ///< The CPU that recorded it.
  int current = kUnknownNumber;  ///< The task in front of the line: the current one of the CPU.
  int task = kUnknownNumber;     ///< Woken, new, moved, exiting task; the next one of a switch.
  int prio = kUnknownPrio;       ///< Of `task`: below 100 realtime, 100..139 fair.
  int target = kUnknownNumber;   ///< The CPU that `task` is put on.
  int from = kUnknownNumber;     ///< The previous task of a switch, the parent of a fork.
  int from_prio = kUnknownPrio;
  std::array<char, 16> comm{};  ///< Of `task`, cut like the kernel cuts it.

  std::string_view name() const { return comm.data(); }
  void set_name(std::string_view text) {
    text = text.substr(0, comm.size() - 1);
    *std::copy(text.begin(), text.end(), comm.begin()) = '\0';
  }
};

}  // namespace schedcheck
