// SPDX-License-Identifier: Apache-2.0
/// \file The random engine: RapidCheck generates and shrinks genomes, the model judges them.
/// The number of cases decides what runs; the result does not depend on the number of jobs.
#pragma once

#include <chrono>
#include <functional>

#include "properties/random/genome.hpp"

namespace schedcheck {

struct RandomOptions {
  std::uint64_t cases = 100'000;
  std::uint64_t seed = 1;
  int events = 50;  ///< Elements of a genome.
  int jobs = 1;
  std::chrono::milliseconds time{0};  ///< 0: none. Only truncates; the report says so.
  std::function<bool()> stop = {};    ///< Asked before every case, from every thread; true stops.
};

struct PropertyOutcome {
  std::uint64_t cases = 0;     ///< Cases judged until the first violation, or all.
  std::uint64_t relevant = 0;  ///< Events with a true antecedent in them.
  bool violated = false;
  std::uint64_t failing_case = 0;
  Schedule failing;  ///< After RapidCheck's shrinking; only when violated.
};

struct RandomReport {
  std::array<PropertyOutcome, kPropertyCount> properties;
  std::uint64_t cases = 0;
  std::uint64_t skipped = 0;  ///< Elements for which nothing was enabled.
  bool truncated = false;     ///< The time limit, `stop` or `progress` ended the run.
};

/// `progress(done)` is called between batches; returning false stops as a time limit would.
RandomReport check_random(const CaseSetup& setup, PropertySet properties,
                          const RandomOptions& options,
                          const std::function<bool(std::uint64_t)>& progress = {});

}  // namespace schedcheck
