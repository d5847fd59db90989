// SPDX-License-Identifier: Apache-2.0
/// \file Native speed: mixed events at 4 CPUs and 16 tasks without the ledger and without
/// observers, the same with everything judged, and whole random cases of 50 elements.
#include <benchmark/benchmark.h>

#include "properties/catalogue.hpp"
#include "properties/random/engine.hpp"

namespace schedcheck {
namespace {

/// Schedules of the random engine, so that the mix is the one that checks run.
std::vector<Schedule> mixed_schedules(const CaseSetup& setup, std::uint32_t start = 0) {
  std::vector<Schedule> schedules;
  Machine<NativeDomain> scratch{};
  std::uint32_t word = 1;
  for (int i = 0; i < 200; ++i) {
    Genome genome(51);
    for (std::uint32_t& w : genome) w = word = word * 1664525U + 1013904223U;
    for (std::uint32_t& w : genome) w ^= w >> 15;
    genome[0] = start == kGroupStyle ? (genome[0] & ~0xffU) | start : start;
    Schedule schedule;
    run_case(setup, genome, 0, scratch, &schedule);
    schedules.push_back(std::move(schedule));
  }
  return schedules;
}

CaseSetup four_cpus() {
  Schedule base;
  base.topology = "smp:4";
  base.kernel = "v6.12";
  base.max_tasks = 16;
  return make_setup(base, false);
}

template <class Observer>
void run_events(const Model& model, Machine<NativeDomain>& m, const Schedule& schedule,
                const Observer& observer) {
  for (const Event& event : schedule.events) step<NativeDomain>(model, m, event, observer);
}

void report_events(benchmark::State& state, std::int64_t events) {
  state.SetItemsProcessed(events);
  state.counters["ns_per_event"] = benchmark::Counter(
      static_cast<double>(events) / 1e9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void mixed_events(benchmark::State& state) {
  CaseSetup setup = four_cpus();
  setup.model.ledger = state.range(0) != 0;
  setup.model.tick_ns = state.range(2);
  setup.model.eevdf = state.range(3) != 0;
  const bool judged = state.range(1) != 0;
  const std::vector<Schedule> schedules = mixed_schedules(setup);
  const auto boot = [&] {
    auto m = empty_machine<NativeDomain>(setup.model, judged ? PropertyObserver::kJudgements : 0);
    add_initial_task<NativeDomain>(setup.model, m, InitialTask{});
    return m;
  }();
  std::int64_t events = 0;
  Machine<NativeDomain> m = boot;
  for (auto _ : state) {
    for (const Schedule& schedule : schedules) {
      m = boot;
      if (judged) {
        run_events(setup.model, m, schedule, PropertyObserver{});
      } else {
        run_events(setup.model, m, schedule, NoObserver{});
      }
      events += static_cast<std::int64_t>(schedule.events.size());
    }
    benchmark::DoNotOptimize(m.now);
  }
  report_events(state, events);
}
BENCHMARK(mixed_events)
    ->ArgNames({"ledger", "properties", "tick_ns", "eevdf"})
    ->Args({0, 0, 0, 0})
    ->Args({0, 0, 0, 1})
    ->Args({0, 0, 4'000'000, 1})
    ->Args({1, 0, 4'000'000, 1})
    ->Args({1, 1, 4'000'000, 1});

/// The same with task groups, nice values, RT tasks: cases of the group style.
void grouped_events(benchmark::State& state) {
  CaseSetup setup = four_cpus();
  setup.group_model.ledger = false;
  setup.group_model.tick_ns = 0;
  const std::vector<Schedule> schedules = mixed_schedules(setup, kGroupStyle);
  std::int64_t events = 0;
  Machine<NativeDomain> m{};
  std::vector<Machine<NativeDomain>> boots;
  for (const Schedule& schedule : schedules)
    boots.push_back(initial_machine(setup.group_model, schedule, 0));
  for (auto _ : state) {
    for (std::size_t i = 0; i < schedules.size(); ++i) {
      m = boots[i];
      run_events(setup.group_model, m, schedules[i], NoObserver{});
      events += static_cast<std::int64_t>(schedules[i].events.size());
    }
    benchmark::DoNotOptimize(m.now);
  }
  report_events(state, events);
}
BENCHMARK(grouped_events);

void random_cases(benchmark::State& state) {
  const CaseSetup setup = four_cpus();
  RandomOptions options;
  options.cases = 8192;
  const PropertySet wanted = state.range(0) != 0
                                 ? kEveryProperty & ~documented_failures(setup.model)
                                 : PropertySet{1} << property_index("fork-burst-spreads");
  for (auto _ : state) benchmark::DoNotOptimize(check_random(setup, wanted, options).cases);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(options.cases));
}
BENCHMARK(random_cases)->ArgName("all_properties")->Arg(0)->Arg(1);

}  // namespace
}  // namespace schedcheck

BENCHMARK_MAIN();
