// SPDX-License-Identifier: Apache-2.0
/// \file Replay and the two numbers of the exit trade-off.
#include "counterexamples/replay.hpp"

#include <fmt/format.h>

#include "counterexamples/schedule_cost.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

using N = NativeDomain;

/// Judges like PropertyObserver and also keeps the last fork's decision.
struct RecordingObserver {
  PropertyObserver properties;
  std::optional<ForkRecord>* fork;

  template <ValueDomain D>
  void before_event(const Model& model, Machine<D>& m, const Event& event) const {
    properties.before_event(model, m, event);
  }
  template <ValueDomain D>
  void on_fork(const Model& model, Machine<D>& m, int parent, int child, int cpu,
               int chosen) const {
    *fork = record_fork(model, m, parent, child, cpu, chosen);
    properties.on_fork(model, m, parent, child, cpu, chosen);
  }
  template <ValueDomain D>
  void after_event(const Model& model, Machine<D>& m, const Event& event) const {
    properties.after_event(model, m, event);
  }
};

CpuSnapshot snapshot(const Machine<N>& m, int cpu) {
  const Rq<N>& rq = cpu_rq(m, cpu);
  CpuSnapshot s;
  s.curr = static_cast<int>(rq.curr);
  s.nr_running = rq.nr_running;
  s.util_avg = rq.cfs.avg.util_avg;
  s.util_sum = rq.cfs.avg.util_sum;
  s.runnable_avg = rq.cfs.avg.runnable_avg;
  s.load_avg = rq.cfs.avg.load_avg;
  s.clamp_sum = rq.ghost.clamp;
  s.pending_avg = rq.cfs.removed.util_avg;
  s.busy_sum = rq.ghost.busy_sum;
  s.divider = pelt_divider<N>(rq.cfs.avg);
  for (int p = 0; p < m.nr_tasks; ++p) {
    const std::int64_t balance =
        m.ledger.accounts[static_cast<std::size_t>(cpu)][static_cast<std::size_t>(p)].balance;
    (task_of(m, p).state == kDead ? s.dead_sum : s.live_sum) += balance;
  }
  return s;
}

}  // namespace

Replay replay(const Schedule& schedule, PropertySet properties, ReplayDetail detail,
              const std::function<void(const ReplayStep&)>& on_step) {
  PropertySet seen = 0;
  Replay result;
  result.model = make_model(schedule);
  result.model.max_tasks = task_numbers(schedule);
  Machine<N> m = start_machine(result.model, schedule);
  std::vector<Numbers> numbers(kPropertyCount);
  std::optional<ForkRecord> fork;
  const RecordingObserver observer{{properties, &numbers}, &fork};
  for (std::size_t i = 0; i < schedule.events.size(); ++i) {
    ReplayStep step_record;
    step_record.number = static_cast<int>(i) + 1;
    step_record.event = schedule.events[i];
    fork.reset();
    step_record.happened = step<N>(result.model, m, schedule.events[i], observer);
    step_record.now_ns = m.now - kBootTime;
    step_record.fork = fork;
    bool key = i + 1 == schedule.events.size() || !step_record.happened;
    for (std::size_t p = 0; p < kPropertyCount; ++p) {
      if (!m.judged[p].violated) continue;
      step_record.violations.push_back({p, step_record.number, numbers[p]});
      key = key || (seen >> p & 1) == 0;
      seen |= PropertySet{1} << p;
    }
    const bool shown = key || detail == ReplayDetail::kEveryStep;
    for (int cpu = 0; shown && cpu < result.model.topology.nr_cpus; ++cpu)
      step_record.cpus.push_back(snapshot(m, cpu));
    for (const Violation& v : step_record.violations) result.violations.push_back(v);
    if (on_step) {
      on_step(step_record);
      if (!key) step_record.cpus = std::vector<CpuSnapshot>();
    }
    const bool happened = step_record.happened;
    result.steps.push_back(std::move(step_record));
    if (!happened) {
      result.not_enabled = static_cast<int>(i) + 1;
      break;
    }
  }
  return result;
}

void require_enabled(const Replay& replay, const Schedule& schedule, const std::string& source) {
  if (!replay.not_enabled) return;
  const auto index = static_cast<std::size_t>(*replay.not_enabled) - 1;
  throw InputError(fmt::format(
      "{}: /events/{}: '{}' is not enabled there (fork, exit and block need a running task, wake a "
      "blocked one; fork needs a free task number below max_tasks {}); see replay --trace",
      source, index, describe(schedule.events[index]), schedule.max_tasks));
}

void require_finding(const Replay& replay, const Schedule& schedule, const std::string& source) {
  if (!schedule.finding) return;
  const Finding& claimed = *schedule.finding;
  const auto mistake = [&](std::string_view place, const std::string& what) {
    return InputError(
        fmt::format("{}: /finding/{}: {}; drop the finding or mend it", source, place, what));
  };
  const Violation* shown = nullptr;
  for (const Violation& v : replay.violations) {
    if (property_catalogue()[v.property].name != claimed.property) continue;
    if (shown == nullptr || v.event == claimed.event) shown = &v;
  }
  if (shown == nullptr) throw mistake("property", claimed.property + " is not violated here");
  if (shown->event != claimed.event)
    throw mistake("event", fmt::format("a replay violates {} at event {}, not {}", claimed.property,
                                       shown->event, claimed.event));
  for (const auto& [name, value] : claimed.numbers) {
    const auto number = shown->numbers.find(name);
    if (number == shown->numbers.end() || number->second != value)
      throw mistake("numbers", fmt::format("a replay does not show {} = {}", name, value));
  }
}

std::optional<TradeOff> trade_off(const Schedule& schedule) {
  const Replay run = replay(schedule, 0);
  if (run.steps.empty()) return std::nullopt;
  const auto& cpus = run.steps.back().cpus;
  std::size_t worst = 0;
  for (std::size_t cpu = 1; cpu < cpus.size(); ++cpu)
    if (cpus[cpu].dead_sum > cpus[worst].dead_sum) worst = cpu;
  const CpuSnapshot& at = cpus[worst];
  TradeOff result;
  result.cpu = static_cast<int>(worst);
  const std::int64_t busy = at.busy_sum / at.divider;
  result.busy_percent = busy * 100 / kCapacity;
  result.util = at.util_sum / at.divider;
  result.dead = at.dead_sum / at.divider;
  if (result.dead == 0) return std::nullopt;
  result.live = result.util - result.dead;
  Schedule moved = schedule;
  const KernelChoice kernel = parse_kernel(schedule.kernel);
  // The preset with its other overrides, but with the move.
  std::string name = kernel.preset;
  for (const SwitchInfo& info : switch_catalogue()) {
    const std::string_view value = info.name == "exit_move"
                                       ? std::string_view("full")
                                       : switch_value(kernel.switches, info.name);
    name += fmt::format(",{}={}", info.name, value);
  }
  moved.kernel = name;
  const Replay with_move = replay(moved, 0);
  if (with_move.not_enabled) return result;
  const CpuSnapshot& there = with_move.steps.back().cpus[worst];
  result.util_with_move = there.util_sum / there.divider;
  const std::int64_t forgotten = there.busy_sum / there.divider - *result.util_with_move;
  if (forgotten > 0) result.forgotten = forgotten;
  return result;
}

}  // namespace schedcheck
