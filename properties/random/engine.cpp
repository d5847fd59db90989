// SPDX-License-Identifier: Apache-2.0
/// \file Batches of cases over threads, then shrinking of the first failing case of each property.
#include "properties/random/engine.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>

#include "properties/run_schedule.hpp"

namespace schedcheck {
namespace {

constexpr std::uint64_t kBatch = 2048;
constexpr int kShrinkStepsMax = 2000;
/// The first cases start from boot, so that what fails there is shown without a warm start.
constexpr std::uint64_t kBootCases = 4 * kBatch;
/// One case in so many is a spawn scenario, where the setup has them: they are long.
constexpr std::uint64_t kSpawnEvery = 256;

/// The first word, which chooses the start, stays; the minimizer simplifies the start itself.
rc::Seq<Genome> shrink_tail(const Genome& genome) {
  const Genome tail(genome.begin() + 1, genome.end());
  return rc::seq::map(
      rc::seq::concat(rc::shrink::removeChunks(tail),
                      rc::shrink::eachElement(
                          tail, [](std::uint32_t word) { return rc::shrink::integral(word); })),
      [head = genome[0]](Genome shorter) {
        shorter.insert(shorter.begin(), head);
        return shorter;
      });
}

/// A genome of `length` words whose shrinks drop chunks first, then make words smaller.
rc::Gen<Genome> genome_generator(int length, std::optional<std::uint32_t> start, bool groups) {
  return [length, start, groups](const rc::Random& random, int /*size*/) {
    rc::Random source = random;
    Genome genome(static_cast<std::size_t>(length) + 1);
    for (std::size_t i = 0; i < genome.size(); i += 2) {
      const std::uint64_t bits = source.next();
      genome[i] = static_cast<std::uint32_t>(bits);
      if (i + 1 < genome.size()) genome[i + 1] = static_cast<std::uint32_t>(bits >> 32);
    }
    if (start) genome[0] = *start;
    if (groups) genome[0] = (genome[0] & ~0xffU) | kGroupStyle;
    return rc::shrinkable::shrinkRecur(std::move(genome),
                                       [](const Genome& g) { return shrink_tail(g); });
  };
}

/// Whether case `index` has groups: one in so many where other properties are wanted too.
bool has_groups(PropertySet wanted, std::uint64_t index) {
  constexpr std::uint64_t kGroupsEvery = 4;
  const PropertySet grouped = wanted & kGroupProperties;
  if (grouped == 0) return false;
  return grouped == wanted || index % kGroupsEvery == kGroupsEvery - 2;
}

rc::Shrinkable<Genome> make_case(const RandomOptions& options, PropertySet wanted,
                                 std::uint64_t index) {
  // RapidCheck's Random is a keyed block cipher: seed and index give independent streams.
  rc::Random random(options.seed * 0x9e3779b97f4a7c15ULL + index);
  std::optional<std::uint32_t> start;
  if (index < kBootCases) start = 0;
  if (index % kSpawnEvery == kSpawnEvery - 1) start = kSpawnStyle;
  return genome_generator(options.events, start, has_groups(wanted, index))(random, 100);
}

struct Batch {
  std::vector<CaseOutcome> outcomes;
  std::vector<char> finished;  ///< Not vector<bool>: threads write neighbours.

  void reset(std::size_t size) {
    outcomes.assign(size, {});
    finished.assign(size, 0);
  }
  /// Drops what a stop left unfinished and, so that cases have no gap, what lies behind it.
  void keep_finished_prefix() {
    const auto end = std::find(finished.begin(), finished.end(), 0);
    outcomes.resize(static_cast<std::size_t>(end - finished.begin()));
  }
};

/// `wanted` decides what the cases are, `properties` which of them are still to be judged.
void run_batch(const CaseSetup& setup, const RandomOptions& options, PropertySet wanted,
               PropertySet properties, std::uint64_t first, const std::function<bool()>& stop,
               Batch& batch) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(std::max(1, options.jobs)));
  const auto work = [&](std::size_t worker) {
    try {
      Machine<NativeDomain> scratch{};
      for (std::size_t i; (i = next.fetch_add(16)) < batch.outcomes.size();)
        for (std::size_t j = i; j < std::min(i + 16, batch.outcomes.size()); ++j) {
          if (stop()) return;
          batch.outcomes[j] = run_case(setup, make_case(options, wanted, first + j).value(),
                                       properties, scratch, nullptr);
          batch.finished[j] = 1;
        }
    } catch (...) {
      errors[worker] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t t = 1; t < errors.size(); ++t) threads.emplace_back(work, t);
  work(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

/// Walks down RapidCheck's shrink tree while the property still fails, until `stop`.
Schedule shrink_case(const CaseSetup& setup, rc::Shrinkable<Genome> failing, std::size_t property,
                     const std::function<bool()>& stop) {
  const PropertySet only = PropertySet{1} << property;
  Machine<NativeDomain> scratch{};
  const auto fails = [&](const Genome& genome) {
    return run_case(setup, genome, only, scratch, nullptr).violated != 0;
  };
  int steps = 0;
  for (bool progress = true; progress && steps < kShrinkStepsMax && !stop();) {
    progress = false;
    auto shrinks = failing.shrinks();
    for (auto candidate = shrinks.next(); candidate && steps < kShrinkStepsMax && !stop();
         candidate = shrinks.next()) {
      ++steps;
      if (!fails(candidate->value())) continue;
      failing = *candidate;
      progress = true;
      break;
    }
  }
  Schedule schedule;
  run_case(setup, failing.value(), only, scratch, &schedule);
  return schedule;
}

}  // namespace

RandomReport check_random(const CaseSetup& setup, PropertySet properties,
                          const RandomOptions& options,
                          const std::function<bool(std::uint64_t)>& progress) {
  RandomReport report;
  const auto start = std::chrono::steady_clock::now();
  const auto stopped = [&] { return options.stop && options.stop(); };
  const auto over = [&] {
    return stopped() ||
           (options.time.count() > 0 && std::chrono::steady_clock::now() - start >= options.time);
  };
  PropertySet open = properties;
  Batch batch;
  while (report.cases < options.cases && open != 0 && !report.truncated) {
    if (over() || (progress && !progress(report.cases))) {
      report.truncated = true;
      break;
    }
    const std::size_t size = std::min(kBatch, options.cases - report.cases);
    batch.reset(size);
    run_batch(setup, options, properties, open, report.cases, over, batch);
    batch.keep_finished_prefix();
    report.truncated = batch.outcomes.size() < size;
    PropertySet failed = 0;
    for (std::size_t i = 0; i < batch.outcomes.size(); ++i) {
      report.skipped += batch.outcomes[i].skipped;
      for (std::size_t p = 0; p < kPropertyCount; ++p) {
        const PropertySet bit = PropertySet{1} << p;
        PropertyOutcome& outcome = report.properties[p];
        if ((open & bit) == 0 || (failed & bit) != 0) continue;
        ++outcome.cases;
        outcome.relevant += batch.outcomes[i].relevant[p];
        if ((batch.outcomes[i].violated & bit) == 0) continue;
        failed |= bit;
        outcome.violated = true;
        outcome.failing_case = report.cases + i;
      }
    }
    open &= ~failed;
    report.cases += batch.outcomes.size();
  }
  for (std::size_t p = 0; p < kPropertyCount; ++p) {
    PropertyOutcome& outcome = report.properties[p];
    if (outcome.violated)
      outcome.failing =
          shrink_case(setup, make_case(options, properties, outcome.failing_case), p, stopped);
  }
  return report;
}

}  // namespace schedcheck
