// SPDX-License-Identifier: Apache-2.0
/// \file Sentences about two kernels.
#include "cli/pair_text.hpp"

#include <fmt/format.h>

namespace schedcheck::cli {
namespace {

/// What dead tasks have left in the averages that were read.
std::string dead_text(const PlacementDecision& d) {
  std::string text;
  for (std::size_t cpu = 0; cpu < d.cpus.size(); ++cpu) {
    const HeldForDead& held = d.cpus[cpu];
    if (held.pending == 0 && held.left_sum == 0) continue;
    text += fmt::format(
        "      CPU {}: of util {}, {} still to be removed for dead tasks, {:.1f} left by them\n",
        cpu, held.util_avg, held.pending,
        static_cast<double>(held.left_sum) / static_cast<double>(held.divider));
  }
  return text;
}

std::string side_text(const PlacementDecision& d, const std::string& kernel) {
  std::string text = fmt::format("  {}: task {} goes to CPU {} ({})\n", kernel, d.task,
                                 d.chosen_cpu, d.chosen_cpu == d.this_cpu ? "local" : "remote");
  if (!d.fork)
    return text + fmt::format("    previous CPU {}, idle CPUs {}\n", d.this_cpu, mask_text(d.idle));
  for (const LevelRecord& level : d.fork->levels) {
    text += fmt::format("    {} domain of CPU {} ({} %)\n", level.domain, level.cpu,
                        level.imbalance_pct);
    for (const GroupRecord& g : level.groups)
      text += fmt::format("      {:<6}{:<8} {:<10} util {:>4} (spare up to {}) nr {} idle {}{}\n",
                          g.local ? "local" : "", mask_text(g.cpus), g.type, g.util,
                          spare_up_to(g.cpus, level.imbalance_pct), g.nr_running, g.idle_cpus,
                          g.allowed ? "" : " not allowed");
    text +=
        fmt::format("      {}{}\n", level.reason,
                    level.picked_cpu >= 0 ? fmt::format("; CPU {} of it", level.picked_cpu) : "");
  }
  return text + dead_text(d);
}

}  // namespace

std::string switch_differences(const std::string& kernel_a, const std::string& kernel_b) {
  const KernelSwitches a = parse_kernel(kernel_a).switches;
  const KernelSwitches b = parse_kernel(kernel_b).switches;
  std::string text;
  for (const SwitchInfo& info : switch_catalogue()) {
    const std::string_view of_a = switch_value(a, info.name);
    const std::string_view of_b = switch_value(b, info.name);
    if (of_a != of_b) text += fmt::format("  {}: {} -> {}\n", info.name, of_a, of_b);
  }
  return text;
}

std::string decision_name(const Divergence& d, const Schedule& schedule) {
  const Event& event = schedule.events[static_cast<std::size_t>(d.event) - 1];
  return d.is_fork ? fmt::format("fork of task {} by task {} on CPU {}", d.a.task, event.task,
                                 d.a.this_cpu)
                   : fmt::format("wakeup of task {}", d.a.task);
}

std::string divergence_text(const Divergence& d, const Schedule& schedule,
                            const std::string& kernel_a, const std::string& kernel_b) {
  return fmt::format("first diverging decision: event {}, {}\n{}{}", d.event,
                     decision_name(d, schedule), side_text(d.a, kernel_a),
                     side_text(d.b, kernel_b));
}

}  // namespace schedcheck::cli
