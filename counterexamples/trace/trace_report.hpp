// SPDX-License-Identifier: Apache-2.0
/// \file What a check of a trace found. Lists are bounded: a trace may have any length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace schedcheck {

/// The first entries and how many there were in all.
template <class T>
struct FirstOf {
  static constexpr std::size_t kKept = 1000;
  std::vector<T> first;
  std::uint64_t total = 0;
  void add(T item) {
    ++total;
    if (first.size() < kKept) first.push_back(std::move(item));
  }
};

struct TraceFinding {
  const char* property = "";
  std::uint64_t line = 0;
  bool certain = false;  ///< False: the trace allows it, but does not show all that it takes.
  std::string text;
};

/// Where the trace does not tell what happened.
struct TraceGap {
  std::uint64_t line = 0;
  std::string text;
};

struct TraceReport {
  std::vector<std::pair<std::string, std::uint64_t>> events;  ///< sched_* events by name.
  std::uint64_t sched_events = 0;
  std::uint64_t other_events = 0;
  std::uint64_t incomplete = 0;  ///< Scheduler events with parts cut off.
  std::uint64_t lines = 0;
  std::uint64_t lost = 0;         ///< As far as the notes tell a number.
  std::uint64_t overwritten = 0;  ///< Older than what the buffer kept.
  FirstOf<std::uint64_t> unparsed;
  FirstOf<TraceFinding> certain;
  FirstOf<TraceFinding> possible;
  FirstOf<TraceGap> gaps;

  void add(TraceFinding finding) {
    auto& list = finding.certain ? certain : possible;
    list.add(std::move(finding));
  }
  /// Both kinds by line.
  std::vector<TraceFinding> findings() const {
    std::vector<TraceFinding> all = certain.first;
    all.insert(all.end(), possible.first.begin(), possible.first.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
    return all;
  }
};

}  // namespace schedcheck
