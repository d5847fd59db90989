// SPDX-License-Identifier: Apache-2.0
/// \file The spawn loop of kind `exit_path`.
#include "counterexamples/conform/exit_spawn_loop.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <span>

#include "counterexamples/conform/exit_path_groups.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"

namespace schedcheck {
namespace {

constexpr std::int64_t kFullyBusyUtil = 876;  ///< imbalance_pct 117, one CPU.
constexpr int kForksMax = 4000;

SpawnLoopTimes read_times(const JsonReader& loop) {
  const auto units = [&](const char* name) { return loop.integer(name, 0, 1'000'000); };
  return {units("parent_run_before_fork"), units("parent_run_after_fork"),
          units("child_run_before_exit_move"), units("child_run_after_move")};
}

/// Event of the loop at once after `after` units.
Event loop_event(EventKind kind, int task, std::int64_t duration_units = 0, int wakes = -1) {
  Event e;
  e.kind = kind;
  e.task = task;
  e.duration_ns = duration_units * kNsPerUnit;
  e.wakes = wakes;
  return e;
}

/// util_avg of the queue as each fork sees it.
std::vector<std::int64_t> play_loop(const SpawnLoopTimes& times, ExitMove exit_move, int forks) {
  Model model = exit_path_model(exit_move, forks + 1);
  model.ledger = false;
  auto m = empty_machine<NativeDomain>(model, 0);
  add_initial_task<NativeDomain>(model, m, InitialTask{});
  const auto play = [&](const Event& e) { step<NativeDomain>(model, m, e); };
  std::vector<std::int64_t> seen;
  for (int child = 1; child <= forks; ++child) {
    play(loop_event(EventKind::kRun, 0, times.before_fork));
    seen.push_back(m.rq[0].cfs.avg.util_avg);
    play(loop_event(EventKind::kFork, 0));
    play(loop_event(EventKind::kRun, 0, times.after_fork));
    play(loop_event(EventKind::kBlock, 0));
    play(loop_event(EventKind::kRun, 0, times.before_move));
    play(loop_event(EventKind::kExit, child, times.after_move, 0));
  }
  return seen;
}

std::int64_t fork_number(const JsonReader& samples, const std::string& key) {
  std::int64_t n = -1;
  const auto [rest, error] = std::from_chars(key.data(), key.data() + key.size(), n);
  if (error != std::errc{} || rest != key.data() + key.size() || n < 0 || n >= kForksMax)
    samples.fail("fork numbers below " + std::to_string(kForksMax) + " are expected, not '" + key +
                 "'");
  return n;
}

std::string worded(const std::string& row, const std::string& file, const std::string& model) {
  return row + ": " + file + " in the file, " + model + " in the model";
}

void check_samples(const std::string& row, const JsonReader& samples,
                   const std::vector<std::int64_t>& seen, ConformFile& result) {
  for (const std::string& key : samples.keys()) {
    const std::int64_t file = samples.integer(key, 0, kFileResultMax);
    const std::int64_t model = seen[static_cast<std::size_t>(fork_number(samples, key))];
    count_row(result, file == model ? ""
                                    : worded(std::string(row).append("/samples/").append(key),
                                             std::to_string(file), std::to_string(model)));
  }
}

void check_first(const std::string& row, const JsonReader& first,
                 const std::vector<std::int64_t>& seen, ConformFile& result) {
  const auto at =
      std::find_if(seen.begin(), seen.end(), [](auto util) { return util >= kFullyBusyUtil; });
  const std::string model = at == seen.end() ? "never" : std::to_string(at - seen.begin());
  const std::string file =
      first.is_null() ? "never" : std::to_string(first.integer(0, kFileResultMax));
  count_row(result, file == model ? "" : worded(row + "/first_fork_with_util_ge_876", file, model));
}

/// The file rounds to two decimals.
void check_mean(const std::string& row, const JsonReader& mean,
                const std::vector<std::int64_t>& seen, ConformFile& result) {
  const auto last = std::span(seen).last(std::min<std::size_t>(seen.size(), 100));
  const double model =
      static_cast<double>(std::accumulate(last.begin(), last.end(), std::int64_t{0})) /
      static_cast<double>(last.size());
  const bool same = std::abs(mean.number() - model) <= 0.005 + 1e-9;
  count_row(result, same ? ""
                         : worded(row + "/mean_last_100", std::to_string(mean.number()),
                                  std::to_string(model)));
}

}  // namespace

void check_spawn_loop(const std::string& name, const JsonReader& loop, ConformFile& result) {
  const SpawnLoopTimes times = read_times(loop);
  const JsonReader results = loop.at("root_util_avg_at_each_fork");
  for (const std::string& key : results.keys()) {
    const JsonReader expected = results.at(key);
    const JsonReader samples = expected.at("samples");
    const std::string row = std::string(name).append("/").append(key);
    if (!key.starts_with("depth") || !(key.ends_with("_move0") || key.ends_with("_move1")))
      expected.fail("a name like depth0_move1 is expected");
    const int depth = exit_path_depth(key, expected);
    const ExitMove exit_move = exit_moves(key.ends_with("1"))[0];
    std::int64_t last = 0;
    for (const std::string& sample : samples.keys())
      last = std::max(last, fork_number(samples, sample));
    const int forks = static_cast<int>(last) + 1;
    const auto seen = depth > 0 ? play_spawn_loop_in_groups(times, exit_move, depth, forks)
                                : play_loop(times, exit_move, forks);
    check_samples(row, samples, seen, result);
    check_first(row, expected.at("first_fork_with_util_ge_876"), seen, result);
    check_mean(row, expected.at("mean_last_100"), seen, result);
  }
}

}  // namespace schedcheck
