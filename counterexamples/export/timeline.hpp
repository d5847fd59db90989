// SPDX-License-Identifier: Apache-2.0
/// \file What happens on the CPUs while a schedule runs, as the records a kernel would trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/schedule.hpp"

namespace schedcheck {

/// Derived from the state before and after, so that new kinds of events need nothing here.
enum class ChangeKind : std::uint8_t {
  kEvent,    ///< The event numbered `event` begins.
  kFork,     ///< `task` makes `other`.
  kNew,      ///< `task` is queued on `target` for the first time.
  kExit,     ///< `task` dies.
  kWaking,   ///< `task` is about to be queued on `target`,
  kMigrate,  ///< moves from `other` to `target`,
  kWakeup,   ///< and is queued.
  kSwitch,   ///< From `task` to `other`; kNoTask is the idle task.
};

struct Change {
  ChangeKind kind = ChangeKind::kEvent;
  std::int64_t ns = 0;  ///< Since boot.
  int cpu = 0;          ///< Where it happens,
  int actor = kNoTask;  ///< while this task runs there.
  int task = kNoTask, other = kNoTask, target = 0;
  std::int64_t state = kRunnable;  ///< kSwitch: what `task` is from now on.
  int event = -1;                  ///< kEvent: position in Timeline::events.
};

/// The CPUs after each event and each tick.
struct Sample {
  struct Cpu {
    int curr = kNoTask;
    std::int64_t nr_running = 0, util_avg = 0;
  };
  std::int64_t ns = 0;
  std::vector<Cpu> cpus;
};

struct TimelineEvent {
  std::string label;  ///< "3", or "p3" in the preamble.
  Event event;
  std::int64_t ns = 0;
  bool happened = true;
};

struct Timeline {
  int nr_cpus = 0, nr_tasks = 0;
  std::vector<std::int64_t> weights;  ///< Of each task at its birth.
  std::vector<TimelineEvent> events;
  std::vector<Change> changes;  ///< In order of time.
  std::vector<Sample> samples;
  std::int64_t end_ns = 0;
};

/// describe() with the other arguments.
std::string event_words(const Event& event);

/// Runs preamble and events natively; events that are not enabled do nothing. Throws InputError as
/// make_model and initial_machine do.
Timeline record_timeline(const Schedule& schedule);

/// A stretch of time in which `task` runs on `cpu`.
struct Slice {
  int cpu = 0, task = 0;
  std::int64_t from_ns = 0, to_ns = 0;
};
std::vector<Slice> slices_of(const Timeline& timeline);

}  // namespace schedcheck
