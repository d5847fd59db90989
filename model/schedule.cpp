// SPDX-License-Identifier: Apache-2.0
/// \file From a schedule's words to a model and its initial state.
#include "model/schedule.hpp"

#include <algorithm>
#include <bit>

#include "model/input_error.hpp"

namespace schedcheck {

void configure(Model& model, const Schedule& schedule) {
  model.tick_ns = schedule.tick_ns;
  model.max_tasks = schedule.max_tasks;
  model.eevdf = !schedule.round_robin;
  model.base_slice_ns = model.normalized_base_slice_ns() *
                        std::bit_width(static_cast<unsigned>(std::min(model.topology.nr_cpus, 8)));
  model.lag_tick_ns = schedule.tick_ns > 0 ? schedule.tick_ns : 4'000'000;
}

Model make_model(const Schedule& schedule) {
  Model model;
  const KernelChoice kernel = parse_kernel(schedule.kernel);
  model.topology = build_sched_domains(parse_topology(schedule.topology), kernel.switches);
  model.kernel = kernel.switches;
  configure(model, schedule);
  return model;
}

Machine<NativeDomain> initial_machine(const Model& model, const Schedule& schedule,
                                      int judgements) {
  if (static_cast<int>(schedule.tasks.size()) > model.max_tasks)
    throw InputError("schedule: " + std::to_string(schedule.tasks.size()) +
                     " initial tasks but max_tasks is " + std::to_string(model.max_tasks) +
                     "; raise max_tasks");
  Machine<NativeDomain> m = empty_machine<NativeDomain>(model, judgements);
  for (std::size_t i = 0; i < schedule.tasks.size(); ++i) {
    const InitialTask& init = schedule.tasks[i];
    if (init.cpu < 0 || init.cpu >= model.topology.nr_cpus || (init.cpus >> init.cpu & 1) == 0)
      throw InputError("schedule: initial task " + std::to_string(i) + " starts on CPU " +
                       std::to_string(init.cpu) + ", which the topology or its affinity lacks");
    add_initial_task<NativeDomain>(model, m, init);
  }
  return m;
}

std::string describe(const Event& event) {
  std::string text(event_name(event.kind));
  switch (event.kind) {
    case EventKind::kRun:
      return text + " " + std::to_string(event.duration_ns) + " ns";
    case EventKind::kUpdateBlocked:
      return text + " CPU " + std::to_string(event.cpu);
    default:
      return text + " task " + std::to_string(event.task);
  }
}

}  // namespace schedcheck
