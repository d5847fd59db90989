// SPDX-License-Identifier: Apache-2.0
/// \file The driver of a simulation: who runs until when, what follows, and the counts.
#include "properties/workload/simulation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <queue>

#include "model/domain/counting_domain.hpp"
#include "model/input_error.hpp"
#include "model/step.hpp"

namespace schedcheck {
namespace {

using D = CountingDomain;

/// What the driver knows of a thread besides its Task.
struct Thread {
  std::int64_t left_ns = 0;    ///< Of its computation.
  std::int64_t woken_at = -1;  ///< Woken and not yet run; ns.
  int early_wakeups = 0;       ///< Not yet consumed by a block.
  int last_child_cpu = kNoTask;
  bool waits = false;  ///< In kBlock.
};

/// How often durations occurred, in classes of 1/16 of their size, so that memory does not grow.
class Histogram {
 public:
  void add(std::int64_t ns) {
    ++counts_[class_of(ns)];
    ++total_;
  }
  /// The lower end of the class below which `share` of the durations lie; 0 if there are none.
  [[nodiscard]] double quantile(double share) const {
    auto rank = static_cast<std::int64_t>(share * static_cast<double>(total_));
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      rank -= counts_[i];
      if (rank < 0) return static_cast<double>(lower_end(i));
    }
    return 0;
  }

 private:
  static constexpr int kBits = 4;
  static std::size_t class_of(std::int64_t ns) {
    const auto value = static_cast<std::uint64_t>(ns);
    const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - kBits - 1);
    return (static_cast<std::size_t>(shift) << kBits) + (value >> shift);
  }
  static std::uint64_t lower_end(std::size_t i) {
    const std::size_t shift = i >> kBits;
    if (shift <= 1) return i;
    return ((i & ((1U << kBits) - 1)) + (1U << kBits)) << (shift - 1);
  }

  std::array<std::int64_t, (64U << kBits)> counts_{};
  std::int64_t total_ = 0;
};

struct Counts {
  std::int64_t forks = 0, forks_remote = 0, forks_same_cpu = 0, exits = 0, exit_path_ops = 0;
  std::int64_t find_dst_group_cpu_calls = 0, wakeups = 0, migrations = 0, context_switches = 0;
  std::int64_t slice_end_reschedules = 0, idle_ns = 0;
  Histogram latencies_ns;
};

class Simulation {
 public:
  Simulation(const Schedule& base, Workload& workload)
      : workload_(workload), model_(model_for(base, workload)) {
    m_ = empty_machine<D>(model_, 0);
    for (int g = 1; g <= workload.nr_groups(); ++g) create_group<D>(model_, m_, g, kNice0Load);
    threads_.resize(static_cast<std::size_t>(model_.max_tasks));
    running_.assign(static_cast<std::size_t>(model_.topology.nr_cpus), kNoTask);
    for (const StartThread& start : workload.start()) {
      const int p = static_cast<int>(m_.nr_tasks);
      add_initial_task<D>(model_, m_, {.cpu = start.cpu, .group = start.group});
      workload_.begin(p, start.role, kNoTask);
    }
    born_ = static_cast<int>(m_.nr_tasks);
    look_who_runs();
  }

  void run_until(std::int64_t end) {
    while (m_.now < end) {
      act_all();
      pass(std::min(end, next_moment()));
      refresh_idle_cpus();
      wake_sleepers();
    }
  }

  Counts counts;
  std::int64_t events = 0;
  [[nodiscard]] int nr_cpus() const { return model_.topology.nr_cpus; }

 private:
  static Model model_for(const Schedule& base, const Workload& workload) {
    Schedule schedule = base;
    schedule.max_tasks = workload.max_threads() + 1;
    schedule.groups.assign(static_cast<std::size_t>(workload.nr_groups()), Group{});
    if (schedule.max_tasks > kMaxTasks || workload.nr_groups() > kMaxTaskGroups)
      throw InputError("simulate: the workload has " + std::to_string(workload.max_threads()) +
                       " threads in " + std::to_string(workload.nr_groups()) + " groups; at most " +
                       std::to_string(kMaxTasks - 1) + " in " + std::to_string(kMaxTaskGroups) +
                       " fit, use fewer --copies");
    Model model = make_model(schedule);
    model.ledger = false;
    return model;
  }

  Thread& thread(int p) { return threads_[static_cast<std::size_t>(p)]; }

  /// One change of the model: requests to reschedule are served, then the counts follow.
  template <class F>
  void change(F&& f) {
    ++events;
    m_.event = EventGhost<D>{};
    f();
    for (int cpu = 0; cpu < nr_cpus(); ++cpu) serve_resched<D>(model_, m_, cpu);
    counts.slice_end_reschedules += m_.event.slice_end.requests;
    look_who_runs();
  }

  void look_who_runs() {
    for (int cpu = 0; cpu < nr_cpus(); ++cpu) {
      const int curr = static_cast<int>(cpu_rq(m_, cpu).curr);
      int& before = running_[static_cast<std::size_t>(cpu)];
      if (curr == before) continue;
      before = curr;
      ++counts.context_switches;
      if (curr == kNoTask || thread(curr).woken_at < 0) continue;
      counts.latencies_ns.add(m_.now - thread(curr).woken_at);
      thread(curr).woken_at = -1;
    }
  }

  /// When something happens besides what the classes' timers do.
  [[nodiscard]] std::int64_t next_moment() {
    std::int64_t moment = kTimeMax;
    if (model_.tick_ns > 0)
      moment = kBootTime + ((m_.now - kBootTime) / model_.tick_ns + 1) * model_.tick_ns;
    for (const int p : running_)
      if (p != kNoTask) moment = std::min(moment, m_.now + thread(p).left_ns);
    if (!sleepers_.empty()) moment = std::min(moment, sleepers_.top().first);
    return moment;
  }

  void pass(std::int64_t moment) {
    const std::int64_t ns = moment - m_.now;
    if (ns <= 0) return;
    for (const int p : running_) {
      if (p == kNoTask)
        counts.idle_ns += ns;
      else
        thread(p).left_ns -= ns;
    }
    change([&] { pass_time<D>(model_, m_, IntOf<D>(ns)); });
  }

  /// A busy CPU's tick has the averages of idle ones refreshed every 32 ms (nohz.next_blocked).
  void refresh_idle_cpus() {
    constexpr std::int64_t kLoadAvgPeriodNs = 32'000'000;
    if (m_.now < next_refresh_) return;
    next_refresh_ = m_.now + kLoadAvgPeriodNs;
    for (int cpu = 0; cpu < nr_cpus(); ++cpu) {
      if (cpu_rq(m_, cpu).curr != kNoTask) continue;
      change([&] {
        update_rq_clock(m_, cpu);
        update_blocked_averages<D>(model_, m_, cpu);
      });
    }
  }

  void wake_sleepers() {
    while (!sleepers_.empty() && sleepers_.top().first <= m_.now) {
      const int p = sleepers_.top().second;
      sleepers_.pop();
      wake(p);
    }
  }

  /// Every running thread whose computation is over takes its next steps.
  void act_all() {
    for (bool again = true; again;) {
      again = false;
      acting_ = running_;  // What one does may put others on or off their CPUs.
      for (const int p : acting_) {
        if (p == kNoTask || thread(p).left_ns > 0 || cpu_rq(m_, cpu_of(p)).curr != p) continue;
        act(p);
        again = true;
      }
    }
  }

  [[nodiscard]] int cpu_of(int p) const { return static_cast<int>(task_of(m_, p).cpu); }

  void act(int p) {
    const Action action = workload_.next(p);
    switch (action.kind) {
      case ActionKind::kCompute:
        thread(p).left_ns = action.ns;
        return;
      case ActionKind::kFork:
        return fork(p, action.role);
      case ActionKind::kExitStep:
        return count_exit_path([&] {
          update_rq_clock(m_, cpu_of(p));
          exit_step<D>(model_, m_, cpu_of(p), p);
        });
      case ActionKind::kExit:
        return exit(p, action.other);
      case ActionKind::kBlock:
        if (thread(p).early_wakeups > 0) {
          --thread(p).early_wakeups;
          return;
        }
        thread(p).waits = true;
        return change([&] { block_event<D>(model_, m_, p, cpu_of(p)); });
      case ActionKind::kSleep:
        sleepers_.emplace(m_.now + action.ns, p);
        return change([&] { block_event<D>(model_, m_, p, cpu_of(p)); });
      case ActionKind::kWake:
        return signal(action.other);
    }
  }

  void fork(int parent, int role) {
    // A number of a dead thread is used again: the model gives out nr_tasks next.
    const int child = free_.empty() ? born_++ : free_.back();
    if (!free_.empty()) free_.pop_back();
    threads_[static_cast<std::size_t>(child)] = Thread{};
    workload_.begin(child, role, parent);
    const int cpu = cpu_of(parent);
    const WorkCounts before = D::counts;
    m_.nr_tasks = child;
    change([&] { fork_event<D>(model_, m_, parent, cpu, NoObserver{}); });
    m_.nr_tasks = born_;
    constexpr auto kScans = static_cast<std::size_t>(Work::kIdlestCpu);
    counts.find_dst_group_cpu_calls += D::counts[kScans] - before[kScans];
    const int chosen = cpu_of(child);
    ++counts.forks;
    counts.forks_remote += chosen != cpu ? 1 : 0;
    counts.forks_same_cpu += chosen == thread(parent).last_child_cpu ? 1 : 0;
    thread(parent).last_child_cpu = chosen;
  }

  template <class F>
  void count_exit_path(F&& f) {
    const WorkCounts before = D::counts;
    change(f);
    for (const Work work : {Work::kQueueUpdate, Work::kTaskUpdate, Work::kAttach, Work::kDetach}) {
      const auto i = static_cast<std::size_t>(work);
      counts.exit_path_ops += D::counts[i] - before[i];
    }
  }

  void exit(int p, int wakes) {
    ++counts.exits;
    free_.push_back(p);
    const bool sleeps = wakes >= 0 && thread(wakes).waits;
    if (wakes >= 0 && !sleeps) ++thread(wakes).early_wakeups;
    const auto dies = [&] {
      count_exit_path([&] { die<D>(model_, m_, p, cpu_of(p), sleeps ? wakes : -1); });
    };
    if (sleeps) return wake_by(wakes, dies);
    dies();
  }

  void signal(int p) {
    if (thread(p).waits) return wake(p);
    ++thread(p).early_wakeups;
  }

  /// `f` wakes p.
  template <class F>
  void wake_by(int p, F&& f) {
    thread(p).waits = false;
    thread(p).woken_at = m_.now;
    ++counts.wakeups;
    const int from = cpu_of(p);
    f();
    counts.migrations += cpu_of(p) != from ? 1 : 0;
  }

  void wake(int p) {
    wake_by(p, [&] { change([&] { try_to_wake_up<D>(model_, m_, p); }); });
  }

  using Sleeper = std::pair<std::int64_t, int>;

  Workload& workload_;
  Model model_;
  Machine<D> m_;
  std::vector<Thread> threads_;
  std::vector<int> running_;  ///< By CPU.
  std::vector<int> acting_;   ///< Of act_all, kept for its memory.
  std::vector<int> free_;     ///< Numbers of dead threads.
  std::int64_t next_refresh_ = kBootTime;
  int born_ = 0;  ///< Numbers given out so far.
  std::priority_queue<Sleeper, std::vector<Sleeper>, std::greater<>> sleepers_;
};

double percent(std::int64_t part, double whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / whole : 0;
}

Metrics metrics_of(const Counts& counts, double cpu_ns) {
  const auto number = [](std::int64_t n) { return static_cast<double>(n); };
  return {{"forks", number(counts.forks)},
          {"forks_remote_pct", percent(counts.forks_remote, number(counts.forks))},
          {"forks_same_cpu_as_previous", number(counts.forks_same_cpu)},
          {"exits", number(counts.exits)},
          {"exit_path_ops", number(counts.exit_path_ops)},
          {"find_dst_group_cpu_calls", number(counts.find_dst_group_cpu_calls)},
          {"idle_pct", percent(counts.idle_ns, cpu_ns)},
          {"wakeups", number(counts.wakeups)},
          {"migrations", number(counts.migrations)},
          {"context_switches", number(counts.context_switches)},
          {"slice_end_reschedules", number(counts.slice_end_reschedules)},
          {"wakeup_latency_p50_ns", counts.latencies_ns.quantile(0.5)},
          {"wakeup_latency_p99_ns", counts.latencies_ns.quantile(0.99)}};
}

}  // namespace

SimulationResult simulate(const Schedule& base, Workload& workload,
                          const SimulationOptions& options, const std::function<bool()>& stop) {
  workload.seed(options.seed);
  Simulation simulation(base, workload);
  constexpr std::int64_t kChunkNs = 10'000'000;
  std::int64_t now = kBootTime;
  const auto run_for = [&](double seconds) {
    const std::int64_t start = now;
    const std::int64_t end = now + static_cast<std::int64_t>(seconds * 1e9);
    while (now < end && !(stop && stop())) {
      now = std::min(end, now + kChunkNs);
      simulation.run_until(now);
    }
    return static_cast<double>(now - start) / 1e9;
  };
  run_for(options.warm_up_seconds);
  simulation.counts = Counts{};
  const double seconds = run_for(options.seconds);
  return {metrics_of(simulation.counts, seconds * 1e9 * simulation.nr_cpus()), simulation.events,
          seconds};
}

}  // namespace schedcheck
