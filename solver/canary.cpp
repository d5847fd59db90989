// SPDX-License-Identifier: Apache-2.0
/// \file The table of faults.
#include "solver/canary.hpp"

#include <array>
#include <string_view>

#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

/// A switch with its faulty value, or a mutant.
struct Row {
  std::string_view property;
  std::string_view switch_name, value;
  Mutant mutant = Mutant::kNone;
};

constexpr auto kRows = std::to_array<Row>({
    {"exit-leaves-no-utilization", "exit_move", "bail_if_same_group"},
    {"no-ghost-busy", "exit_move", "bail_if_same_group"},
    {"exit-move-sum-exact", "attach_keeps_sum", "1"},
    {"ledger-balances", "", "", Mutant::kDetachBooksNothing},
    {"fork-lands-on-idle", "", "", Mutant::kFewerIdleCpusWin},
    {"fork-picks-idle-group", "", "", Mutant::kFewerIdleCpusWin},
    {"fork-stays-local-when-equally-idle", "", "", Mutant::kEqualIdleGoesRemote},
    {"fork-tie-least-util", "idlest_tiebreak", "none"},
    {"fork-burst-spreads", "idlest_tiebreak", "none"},
    {"fork-work-conserving", "", "", Mutant::kFewerIdleCpusWin},
    {"affinity-respected", "", "", Mutant::kAffinityIgnored},
    {"spare-within-affinity", "", "", Mutant::kAffinityIgnored},
    {"sum-average-floor", "", "", Mutant::kDetachForgetsClamp},
    {"pelt-bounds", "", "", Mutant::kContributionTwice},
});

}  // namespace

std::optional<Canary> canary_for(std::size_t property, const KernelSwitches& kernel) {
  for (const Row& row : kRows) {
    if (row.property != property_catalogue()[property].name) continue;
    if (row.mutant != Mutant::kNone) return Canary{describe(row.mutant), kernel, row.mutant};
    Canary canary{std::string(row.switch_name) + "=" + std::string(row.value), kernel};
    // The other ways to remove a dead task's time would hide the fault.
    if (row.switch_name == "exit_move") canary.kernel.death_removes = DeathRemoves::kAverage;
    if (row.switch_name == "attach_keeps_sum") canary.kernel.exit_move = ExitMove::kFull;
    set_switch(canary.kernel, row.switch_name, row.value);
    return canary;
  }
  return std::nullopt;
}

PropertySet judged_symbolically() {
  PropertySet set = kEveryProperty & ~kGroupProperties;
  for (const char* name : {"pelt-split-additive", "spawn-stays-local"})
    set &= ~(PropertySet{1} << property_index(name));
  return set;
}

bool needs_balances(std::size_t property) {
  const std::string_view name = property_catalogue()[property].name;
  return name == "ledger-balances" || name == "no-ghost-busy";
}

bool needs_averages(std::size_t property) {
  const std::string_view name = property_catalogue()[property].name;
  return name == "exit-move-sum-exact" || name == "sum-average-floor" || name == "pelt-bounds";
}

// The exit step updates task and queue before it moves the task.
bool decided_by_position(std::size_t property) {
  return property_catalogue()[property].name == "exit-move-sum-exact";
}

}  // namespace schedcheck
