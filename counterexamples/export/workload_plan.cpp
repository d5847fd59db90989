// SPDX-License-Identifier: Apache-2.0
/// \file Replays a schedule to learn where the model puts the children.
#include "counterexamples/export/workload_plan.hpp"

#include <algorithm>
#include <cmath>

namespace schedcheck {
namespace {

constexpr double kFeasibleNs = 10'000;
constexpr double kLongestNs = 10e9;

/// Notes the child of a fork.
struct ForkObserver : NoObserver {
  PlannedEvent* planned;

  explicit ForkObserver(PlannedEvent& p) : planned(&p) {}
  template <ValueDomain D>
  void on_fork(const Model& /*model*/, Machine<D>& /*m*/, int /*parent*/, int child,
               int /*this_cpu*/, int chosen) const {
    planned->child = child;
    planned->child_cpu = chosen;
  }
};

void note_shortest(WorkloadPlan& plan, std::int64_t ns) {
  if (ns > 0 && (plan.shortest_ns == 0 || ns < plan.shortest_ns)) plan.shortest_ns = ns;
}

void plan_events(WorkloadPlan& plan, const Model& model, Machine<NativeDomain>& m,
                 const std::vector<Event>& events, const std::string& prefix) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.after_ns > 0) pass_time<NativeDomain>(model, m, event.after_ns);
    note_shortest(plan, event.after_ns);
    PlannedEvent planned;
    planned.label = prefix + std::to_string(i + 1);
    planned.event = event;
    planned.at_ns = m.now - kBootTime;
    planned.enabled = enabled<NativeDomain>(model, m, event);
    planned.current = std::any_of(m.rq.begin(), m.rq.end(),
                                  [&](const auto& rq) { return rq.curr == event.task; });
    if (planned.enabled) {
      if (event.kind == EventKind::kRun) note_shortest(plan, event.duration_ns);
      Event now = event;
      now.after_ns = 0;  // It has passed.
      step<NativeDomain>(model, m, now, ForkObserver(planned));
    }
    plan.events.push_back(planned);
  }
}

}  // namespace

WorkloadPlan plan_workload(const Schedule& schedule) {
  Model model = make_model(schedule);
  model.ledger = false;
  Machine<NativeDomain> m = initial_machine(model, schedule, ForkObserver::kJudgements);
  WorkloadPlan plan;
  plan.nr_cpus = model.topology.nr_cpus;
  plan.tasks = schedule.tasks;
  plan_events(plan, model, m, schedule.preamble, "p");
  plan_events(plan, model, m, schedule.events, "");
  plan.end_ns = m.now - kBootTime;
  return plan;
}

double default_scale(const WorkloadPlan& plan) {
  double scale = 1;
  if (plan.shortest_ns > 0)
    scale = std::max(scale, std::ceil(kFeasibleNs / static_cast<double>(plan.shortest_ns)));
  const auto end_ns = static_cast<double>(plan.end_ns);
  return scale * end_ns > kLongestNs ? kLongestNs / end_ns : scale;
}

}  // namespace schedcheck
