// SPDX-License-Identifier: Apache-2.0
/// \file Keys of a decision: those of replay --json, and the threshold of each group's class.
#include "cli/decision_json.hpp"

namespace schedcheck::cli {

using Json = nlohmann::ordered_json;

Json level_json(const LevelRecord& level) {
  Json groups = Json::array();
  for (const GroupRecord& g : level.groups)
    groups.push_back({{"cpus", mask_text(g.cpus)},
                      {"type", g.type},
                      {"util", g.util},
                      {"runnable", g.runnable},
                      {"load", g.load},
                      {"nr_running", g.nr_running},
                      {"idle_cpus", g.idle_cpus},
                      {"avg_load", g.avg_load},
                      {"spare_up_to_util", spare_up_to(g.cpus, level.imbalance_pct)},
                      {"local", g.local},
                      {"allowed", g.allowed}});
  return {
      {"domain", level.domain}, {"cpu", level.cpu},       {"imbalance_pct", level.imbalance_pct},
      {"groups", groups},       {"chosen", level.chosen}, {"picked_cpu", level.picked_cpu},
      {"reason", level.reason}};
}

Json decision_json(const PlacementDecision& decision, const std::string& kernel) {
  Json out = {{"kernel", kernel},
              {"task", decision.task},
              {"this_cpu", decision.this_cpu},
              {"chosen_cpu", decision.chosen_cpu},
              {"local", decision.chosen_cpu == decision.this_cpu}};
  if (!decision.fork) {
    out["idle_cpus"] = mask_text(decision.idle);
    return out;
  }
  Json levels = Json::array();
  for (const LevelRecord& level : decision.fork->levels) levels.push_back(level_json(level));
  out["levels"] = levels;
  Json cpus = Json::array();
  for (const HeldForDead& held : decision.cpus)
    cpus.push_back({{"util_avg", held.util_avg},
                    {"dead_pending", held.pending},
                    {"dead_left_sum", held.left_sum},
                    {"divider", held.divider}});
  out["cpus"] = cpus;
  return out;
}

}  // namespace schedcheck::cli
