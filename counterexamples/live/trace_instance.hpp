// SPDX-License-Identifier: Apache-2.0
/// \file A tracefs instance with the scheduler's events: global settings of tracing stay as they
/// are.
#pragma once

#include <filesystem>

namespace schedcheck {

class TraceInstance {
 public:
  /// Uses a mounted tracefs; without one mounts it at `mount_point`, a folder that is made, in a
  /// mount namespace of this process only. All tasks are traced: whether a CPU was idle depends on
  /// the others too. Throws NotRunnableHere.
  explicit TraceInstance(const std::filesystem::path& mount_point);
  TraceInstance(const TraceInstance&) = delete;
  TraceInstance& operator=(const TraceInstance&) = delete;
  ~TraceInstance();

  /// Nothing is recorded any more.
  void stop();
  [[nodiscard]] const std::filesystem::path& path() const { return instance_; }

 private:
  std::filesystem::path mounted_;  ///< Empty: was there before.
  std::filesystem::path instance_;
};

}  // namespace schedcheck
