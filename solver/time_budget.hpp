// SPDX-License-Identifier: Apache-2.0
/// \file A time limit, counted from its making. It only truncates: what runs is decided otherwise.
#pragma once

#include <algorithm>
#include <chrono>

namespace schedcheck {

class TimeBudget {
 public:
  /// 0: no limit.
  explicit TimeBudget(std::chrono::milliseconds limit) : limit_(limit) {}

  [[nodiscard]] bool limited() const { return limit_.count() > 0; }
  [[nodiscard]] bool spent() const { return limited() && used() >= limit_; }
  [[nodiscard]] std::chrono::duration<double> used() const { return Clock::now() - start_; }
  /// For a part of the work, at least 1 ms; 0 without a limit.
  [[nodiscard]] std::chrono::milliseconds left() const {
    if (!limited()) return limit_;
    return std::max(std::chrono::milliseconds{1},
                    limit_ - std::chrono::duration_cast<std::chrono::milliseconds>(used()));
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::milliseconds limit_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace schedcheck
