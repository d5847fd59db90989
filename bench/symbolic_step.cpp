// SPDX-License-Identifier: Apache-2.0
/// \file How long it takes to build one whole symbolic step: any event from any state, four tasks.
#include "solver/symbolic_step.hpp"

#include <benchmark/benchmark.h>

#include <unordered_set>
#include <vector>

#include "model/schedule.hpp"

namespace schedcheck {
namespace {

/// The nodes of the formula's graph.
std::size_t count_nodes(const std::vector<Z3_ast>& roots) {
  Z3_context context = Z3Session::current().context();
  std::unordered_set<Z3_ast> seen;
  std::vector<Z3_ast> open = roots;
  while (!open.empty()) {
    Z3_ast term = open.back();
    open.pop_back();
    if (!seen.insert(term).second || !Z3_is_app(context, term)) continue;
    Z3_app app = Z3_to_app(context, term);
    for (unsigned i = 0; i < Z3_get_app_num_args(context, app); ++i)
      open.push_back(Z3_get_app_arg(context, app, i));
  }
  return seen.size();
}

/// Arguments: CPUs, tasks, ns between ticks, theory.
void build_symbolic_step(benchmark::State& state) {
  Schedule schedule;
  schedule.round_robin = true;
  schedule.topology = "smp:" + std::to_string(state.range(0));
  schedule.max_tasks = static_cast<int>(state.range(1));
  schedule.tick_ns = state.range(2);
  Model model = make_model(schedule);
  model.ledger = false;
  const auto theory = static_cast<Theory>(state.range(3));
  std::uint64_t runs = 0;
  std::size_t nodes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    {
      Z3Session session(theory);
      const StateUniverse universe;
      SymbolicMachine m = free_machine(model, universe, "s.");
      const SymbolicEvent event = free_event(model, universe, 4, "e.");
      session.region_runs = 0;
      state.ResumeTiming();
      const Z3Bool enabled = symbolic_step(model, m, event);
      state.PauseTiming();
      runs = session.region_runs;
      if (nodes == 0) {
        std::vector<Z3_ast> roots = {enabled.term()};
        for_each_leaf(m, [&](auto& leaf) { roots.push_back(leaf.term()); });
        nodes = count_nodes(roots);
        state.counters["obligations"] = static_cast<double>(session.obligations().size());
      }
    }
    state.ResumeTiming();
  }
  state.counters["region_runs"] = static_cast<double>(runs);
  state.counters["nodes"] = static_cast<double>(nodes);
}

BENCHMARK(build_symbolic_step)
    ->ArgNames({"cpus", "tasks", "tick_ns", "integers"})
    ->ArgsProduct({{4}, {4}, {0, 4'194'304, 1'048'576}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace schedcheck

BENCHMARK_MAIN();
