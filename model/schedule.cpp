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
  model.group_parent = {0};
  for (const Group& group : schedule.groups) model.group_parent.push_back(group.parent);
  model.max_sessions = schedule.max_sessions;
  model.group_parent.resize(model.group_parent.size() +
                            static_cast<std::size_t>(schedule.max_sessions));
  model.sched_autogroup_enabled = schedule.sched_autogroup_enabled;
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

Machine<NativeDomain> machine_with_groups(const Model& model, const std::vector<Group>& groups,
                                          int judgements) {
  Machine<NativeDomain> m = empty_machine<NativeDomain>(model, judgements);
  for (std::size_t i = 0; i < groups.size(); ++i)
    create_group<NativeDomain>(model, m, static_cast<int>(i) + 1, groups[i].weight * 1024);
  return m;
}

Machine<NativeDomain> initial_machine(const Model& model, const Schedule& schedule,
                                      int judgements) {
  if (static_cast<int>(schedule.tasks.size()) > model.max_tasks)
    throw InputError("schedule: " + std::to_string(schedule.tasks.size()) +
                     " initial tasks but max_tasks is " + std::to_string(model.max_tasks) +
                     "; raise max_tasks");
  Machine<NativeDomain> m = machine_with_groups(model, schedule.groups, judgements);
  for (std::size_t i = 0; i < schedule.tasks.size(); ++i) {
    const InitialTask& init = schedule.tasks[i];
    if (init.cpu < 0 || init.cpu >= model.topology.nr_cpus || (init.cpus >> init.cpu & 1) == 0)
      throw InputError("schedule: initial task " + std::to_string(i) + " starts on CPU " +
                       std::to_string(init.cpu) + ", which the topology or its affinity lacks");
    add_initial_task<NativeDomain>(model, m, init);
  }
  return m;
}

std::string policy_name(std::int64_t policy) {
  if (policy == 0) return "fair";
  const bool turns = policy > kRoundRobinPolicy;
  return (turns ? "rr " : "fifo ") + std::to_string(policy % kRoundRobinPolicy);
}

std::string describe(const Event& event) {
  std::string text(event_name(event.kind));
  switch (event.kind) {
    case EventKind::kRun:
      return text + " " + std::to_string(event.duration_ns) + " ns";
    case EventKind::kUpdateBlocked:
      return text + " CPU " + std::to_string(event.cpu);
    case EventKind::kSetWeight:
      return text + " " + std::to_string(event.amount) + " of group " + std::to_string(event.group);
    case EventKind::kSetNice:
      return text + " " + std::to_string(event.amount) + " of task " + std::to_string(event.task);
    case EventKind::kSetPolicy:
      return text + " " + policy_name(event.amount) + " of task " + std::to_string(event.task);
    case EventKind::kMoveGroup:
      return text + " task " + std::to_string(event.task) + " to group " +
             std::to_string(event.group);
    default:
      return text + " task " + std::to_string(event.task);
  }
}

}  // namespace schedcheck
