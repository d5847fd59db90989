// SPDX-License-Identifier: Apache-2.0
/// \file Decoding a genome while the model runs: only enabled events come out.
#include "properties/random/genome.hpp"

#include <algorithm>
#include <span>

#include "properties/random/spawn_scenario.hpp"

namespace schedcheck {
namespace {

using Word = std::uint32_t;

/// Durations around what matters: a unit, the first points of an average (46718 / 1024 = 45.6
/// units), window boundaries, half-lives. Small indices are small numbers, for shrinking.
constexpr auto kPlainUnits =
    std::to_array<std::int64_t>({1, 10, 46, 47, 100, 500, 976, 1000, 1024, 2048});
constexpr auto kLongWindows = std::to_array<std::int64_t>({4, 8, 16, 32, 33, 64, 100, 300});
constexpr auto kOddNs = std::to_array<std::int64_t>({1, 1023, 1025, 999'999});
/// Start averages: nothing, thresholds of the classes (876 at 117 %), full.
constexpr auto kStartUtil = std::to_array<std::int64_t>(
    {-1, 0, 1, 511, 700, 819, 820, 874, 875, 876, 877, 930, 1023, 1024});

/// Kinds by weight, in the order in which shrinking prefers them.
enum class Gene : std::uint8_t {
  kRun,
  kFork,
  kBlock,
  kExit,
  kWake,
  kUpdate,
  kBurst,
  kSpawn,
  kAffinity,
  kYield,
  kNice,
  kMove,
  kWeight,
  kSession,
  kPolicy,
  kLong
};
struct Weight {
  Gene gene;
  unsigned share;  ///< Of 256.
};
constexpr auto kWeights = std::to_array<Weight>({{Gene::kRun, 62},
                                                 {Gene::kFork, 54},
                                                 {Gene::kBlock, 40},
                                                 {Gene::kExit, 30},
                                                 {Gene::kWake, 38},
                                                 {Gene::kUpdate, 12},
                                                 {Gene::kBurst, 10},
                                                 {Gene::kSpawn, 4},
                                                 {Gene::kAffinity, 6}});

constexpr auto kGroupWeights = std::to_array<Weight>({{Gene::kRun, 66},
                                                      {Gene::kFork, 36},
                                                      {Gene::kBlock, 40},
                                                      {Gene::kExit, 16},
                                                      {Gene::kWake, 36},
                                                      {Gene::kUpdate, 6},
                                                      {Gene::kYield, 10},
                                                      {Gene::kNice, 10},
                                                      {Gene::kMove, 20},
                                                      {Gene::kWeight, 4},
                                                      {Gene::kSession, 3},
                                                      {Gene::kPolicy, 5},
                                                      {Gene::kLong, 1},
                                                      {Gene::kAffinity, 3}});
/// Policies: fair most often, so that an RT task does not keep its CPU for ever.
constexpr auto kPolicies = std::to_array<std::int64_t>({0, 1, 0, 50, 0, 101, 0, 150});
constexpr auto kGroupShares = std::to_array<std::int64_t>({1024, 2, 512, 3072, 10240, kMaxShares});
constexpr auto kNices = std::to_array<std::int64_t>({0, 1, -1, 5, -5, 19, -20});

Gene gene_of(Word word, std::span<const Weight> weights) {
  unsigned at = word & 0xffU;
  for (const Weight& w : weights) {
    if (at < w.share) return w.gene;
    at -= w.share;
  }
  return Gene::kRun;
}

template <std::size_t kN>
std::int64_t pick(const std::array<std::int64_t, kN>& table, Word word) {
  return table[word % kN];
}

std::int64_t duration_of(Word amount, std::int64_t now, std::int64_t tick_ns) {
  const Word way = amount >> 5;
  if (way <= 3) return pick(kPlainUnits, amount) * kNsPerUnit;
  if (way == 4) return pick(kLongWindows, amount) * kWindowNs;
  if (way == 5) return pick(kOddNs, amount);
  if (way == 6) {
    // Just before, at and just after the next window boundary.
    const std::int64_t to_boundary = kWindowNs - now % kWindowNs;
    return std::max<std::int64_t>(
        1, to_boundary + (static_cast<std::int64_t>(amount % 3) - 1) * kNsPerUnit);
  }
  return tick_ns > 0 ? tick_ns * (1 + static_cast<std::int64_t>(amount % 3)) : kWindowNs;
}

class Decoder {
 public:
  Decoder(const CaseSetup& setup, PropertySet properties, Machine<NativeDomain>& m, Schedule* out)
      : setup_(setup), model_(&setup.model), observer_{properties, nullptr}, m_(m), out_(out) {}

  CaseOutcome run(const Genome& genome) {
    const Word start = genome.empty() ? 0 : genome[0];
    if (setup_.spawn_scenario && start == kSpawnStyle) {
      model_ = &setup_.scenario_model;
      spawn_scenario(
          *model_, genome, [this](const Event& e) { return emit(e); },
          [this](const std::vector<InitialTask>& tasks) { begin(tasks); });
      return outcome_;
    }
    if ((start & 0xffU) == kGroupStyle) {
      model_ = &setup_.group_model;
      base_ = &setup_.group_base;
      weights_ = kGroupWeights;
      observer_.enabled &= kGroupProperties;
      begin(grouped_tasks(start >> 8));
    } else {
      begin(start_tasks(start));
    }
    for (std::size_t i = 1; i < genome.size() && !done(); ++i)
      if (!decode(genome[i])) break;
    return outcome_;
  }

 private:
  std::vector<InitialTask> start_tasks(Word word) const {
    std::vector<InitialTask> tasks(1);
    if (word % 4 == 3) tasks[0].util_avg = pick(kStartUtil, word >> 8);
    if (word % 16 >= 12) {
      // A busy machine: one task on every CPU, or on all but one.
      const int busy = model_->topology.nr_cpus - static_cast<int>(word >> 7 & 1);
      for (int cpu = 1; cpu < busy && cpu + 1 < model_->max_tasks; ++cpu) {
        InitialTask task;
        task.cpu = cpu;
        task.util_avg = pick(kStartUtil, (word >> 16) + static_cast<Word>(cpu) * 5);
        tasks.push_back(task);
      }
    }
    return tasks;
  }

  /// One task, or two or three in groups of their own, on the first CPUs.
  [[nodiscard]] std::vector<InitialTask> grouped_tasks(Word word) const {
    std::vector<InitialTask> tasks(1);
    const int more = std::min(static_cast<int>(word % 4), model_->max_tasks - 2);
    for (int i = 0; i < more; ++i) {
      InitialTask task;
      task.cpu = static_cast<int>(word >> (8 + i) & 1) % model_->topology.nr_cpus;
      task.group = static_cast<int>(word >> (2 + 2 * i) & 3) % model_->nr_cgroups();
      task.weight = weight_of_nice(static_cast<int>(pick(kNices, word >> (12 + 3 * i) & 7)));
      tasks.push_back(task);
    }
    return tasks;
  }

  void begin(const std::vector<InitialTask>& tasks) {
    m_ = machine_with_groups(*model_, base_->groups, PropertyObserver::kJudgements);
    for (const InitialTask& task : tasks) add_initial_task<NativeDomain>(*model_, m_, task);
    start_spawn_monitor(m_);
    if (out_ != nullptr) {
      *out_ = *base_;
      out_->round_robin = !model_->eevdf;
      out_->max_tasks = model_->max_tasks;
      out_->tasks = tasks;
      out_->events.clear();
    }
  }

  bool done() const {
    return (outcome_.violated & observer_.enabled) == observer_.enabled && observer_.enabled != 0;
  }

  /// Runs one event; false if it was not enabled (then it is not part of the schedule).
  bool emit(const Event& event) {
    if (!enabled<NativeDomain>(*model_, m_, event)) {
      ++outcome_.skipped;
      return false;
    }
    step<NativeDomain>(*model_, m_, event, observer_);
    if (out_ != nullptr) out_->events.push_back(event);
    for (std::size_t p = 0; p < kPropertyCount; ++p) {
      outcome_.relevant[p] += m_.judged[p].relevant ? 1 : 0;
      if (m_.judged[p].violated) outcome_.violated |= PropertySet{1} << p;
    }
    return true;
  }

  /// The k-th current task, counting busy CPUs upwards; kNoTask on an empty machine.
  int current(Word k) const {
    int busy = 0;
    for (const auto& rq : m_.rq) busy += rq.curr != kNoTask ? 1 : 0;
    if (busy == 0) return kNoTask;
    int left = static_cast<int>(k % static_cast<Word>(busy));
    for (const auto& rq : m_.rq)
      if (rq.curr != kNoTask && left-- == 0) return static_cast<int>(rq.curr);
    return kNoTask;
  }

  int sleeper(Word k) const {
    int blocked = 0;
    for (int p = 0; p < m_.nr_tasks; ++p) blocked += task_of(m_, p).state == kBlocked ? 1 : 0;
    if (blocked == 0) return kNoTask;
    int left = static_cast<int>(k % static_cast<Word>(blocked));
    for (int p = 0; p < m_.nr_tasks; ++p)
      if (task_of(m_, p).state == kBlocked && left-- == 0) return p;
    return kNoTask;
  }

  /// Somebody alive, running or not; kNoTask if nobody is.
  [[nodiscard]] int any_task(Word k) const {
    for (int i = 0; i < m_.nr_tasks; ++i) {
      const int p = (static_cast<int>(k) + i) % static_cast<int>(m_.nr_tasks);
      if (task_of(m_, p).state != kDead) return p;
    }
    return kNoTask;
  }

  /// False: everybody is dead.
  bool decode(Word word) {
    const Word subject = word >> 8 & 0xffU;
    const Word amount = word >> 16 & 0xffU;
    const int nr_cpus = model_->topology.nr_cpus;
    Event event;
    switch (gene_of(word, weights_)) {
      case Gene::kRun:
        event.duration_ns = duration_of(amount, m_.now, model_->tick_ns);
        break;
      case Gene::kFork:
        event = {.kind = EventKind::kFork, .task = current(subject)};
        break;
      case Gene::kBlock:
        event = {.kind = EventKind::kBlock, .task = current(subject)};
        break;
      case Gene::kExit:
        event = {.kind = EventKind::kExit, .task = current(subject)};
        if ((word >> 24 & 1) != 0) event.duration_ns = pick(kPlainUnits, amount) * kNsPerUnit;
        if ((word >> 24 & 2) != 0) event.wakes = sleeper(word >> 26);
        break;
      case Gene::kWake:
        event = {.kind = EventKind::kWake, .task = sleeper(subject)};
        break;
      case Gene::kUpdate:
        event = {.kind = EventKind::kUpdateBlocked, .cpu = static_cast<int>(subject) % nr_cpus};
        break;
      case Gene::kAffinity:
        event = {.kind = EventKind::kSetAffinity,
                 .task = current(subject),
                 .cpus = 1 + (word >> 16) % 255U};
        break;
      case Gene::kYield:
        event = {.kind = EventKind::kYield, .task = current(subject)};
        break;
      case Gene::kNice:
        event = {
            .kind = EventKind::kSetNice, .task = any_task(subject), .amount = pick(kNices, amount)};
        break;
      case Gene::kMove:
        event = {.kind = EventKind::kMoveGroup,
                 .task = any_task(subject),
                 .group = static_cast<int>(amount) % model_->nr_cgroups()};
        break;
      case Gene::kWeight:
        event = {.kind = EventKind::kSetWeight,
                 .group = 1 + static_cast<int>(subject) % (model_->nr_cgroups() - 1),
                 .amount = pick(kGroupShares, amount)};
        break;
      case Gene::kPolicy:
        event = {.kind = EventKind::kSetPolicy,
                 .task = any_task(subject),
                 .amount = pick(kPolicies, amount)};
        break;
      case Gene::kLong:
        // Periods of the fair server and of RT throttling.
        event.duration_ns = kServerPeriodNs + (amount % 4) * kServerPeriodNs / 2;
        break;
      case Gene::kSession:
        event = {.kind = EventKind::kSetsid, .task = current(subject)};
        break;
      case Gene::kBurst:
        burst(word);
        return true;
      case Gene::kSpawn:
        spawn_loops(word);
        return true;
    }
    if (has_task(event.kind) && event.task == kNoTask) {
      // Nobody runs (or sleeps): the other kind of event goes on, if there is anybody at all.
      event = {.kind = EventKind::kWake, .task = sleeper(subject)};
      if (event.task == kNoTask && current(0) == kNoTask) return false;
    }
    emit(event);
    return true;
  }

  /// Children that block as soon as they run.
  void burst(Word word) {
    const int parent = current(word >> 8 & 0xffU);
    for (Word k = 0; k < 1 + (word >> 16 & 7U); ++k) {
      if (!emit({.kind = EventKind::kFork, .task = parent})) return;
      const int child = static_cast<int>(m_.nr_tasks) - 1;
      if (cpu_rq(m_, static_cast<int>(task_of(m_, child).cpu)).curr == child)
        emit({.kind = EventKind::kBlock, .task = child});
    }
  }

  /// Up to 64 loops of: run, fork, run, block, child runs and exits, the parent wakes.
  void spawn_loops(Word word) {
    const int parent = current(word >> 8 & 0xffU);
    const std::int64_t child_units = pick(kPlainUnits, word >> 16);
    for (Word k = 0; k < 1 + (word >> 24 & 63U); ++k) {
      emit({.kind = EventKind::kRun, .duration_ns = 50 * kNsPerUnit});
      if (!emit({.kind = EventKind::kFork, .task = parent})) return;
      const int child = static_cast<int>(m_.nr_tasks) - 1;
      emit({.kind = EventKind::kBlock, .task = parent});
      emit({.kind = EventKind::kRun, .duration_ns = child_units * kNsPerUnit});
      if (!emit({.kind = EventKind::kExit,
                 .task = child,
                 .wakes = parent,
                 .duration_ns = 20 * kNsPerUnit}))
        return;
    }
  }

  const CaseSetup& setup_;
  const Model* model_;
  const Schedule* base_ = &setup_.base;
  std::span<const Weight> weights_ = kWeights;
  PropertyObserver observer_;
  Machine<NativeDomain>& m_;
  Schedule* out_;
  CaseOutcome outcome_;
};

}  // namespace

CaseSetup make_setup(const Schedule& base, bool spawn_scenario) {
  CaseSetup setup{make_model(base), base, spawn_scenario, {}, base, {}};
  setup.group_base.groups = {{}, {}, {.parent = 1}};
  setup.group_base.max_sessions = 2;
  setup.group_model = setup.model;
  configure(setup.group_model, setup.group_base);
  if (spawn_scenario) {
    setup.scenario_model = setup.model;
    // The loops say who runs; a child that preempts its parent would be another scenario.
    setup.scenario_model.eevdf = false;
    setup.scenario_model.max_tasks =
        std::min(kMaxTasks, spawn_scenario_tasks(setup.model.topology.nr_cpus));
  }
  return setup;
}

CaseOutcome run_case(const CaseSetup& setup, const Genome& genome, PropertySet properties,
                     Machine<NativeDomain>& m, Schedule* schedule) {
  return Decoder(setup, properties, m, schedule).run(genome);
}

}  // namespace schedcheck
