// SPDX-License-Identifier: Apache-2.0
/// \file Kind `newidle`: what passes cost under each rule of `newidle_fail`.
#include "counterexamples/conform/balance_kinds.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "model/balance/sched_balance_newidle.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;

/// What the file calls a rule, and the kernel that has it.
constexpr std::array<std::pair<const char*, const char*>, 5> kRules = {
    {{"v5.16", "v5.16"},
     {"rfc_v1", "v5.16,newidle_fail=rfc_v1"},
     {"peterz_suggestion", "v5.16,newidle_fail=add_migration_cost"},
     {"v6.17", "v6.17"},
     {"v6.19", "v6.19"}}};

KernelSwitches rule_of(const JsonReader& value) {
  const std::string text = value.text();
  for (const auto& [name, kernel] : kRules)
    if (text == name) return parse_kernel(kernel).switches;
  value.fail("v5.16, rfc_v1, peterz_suggestion, v6.17 or v6.19 is expected");
}

/// One pass whose dice, if any, said yes.
void pass(const KernelSwitches& kernel, const CostClock<D>& clock, NewidleCost<D>& sd,
          std::int64_t measured, bool pulled, bool no_busiest) {
  if (no_busiest) note_no_busiest<D>(kernel, clock, sd, true);
  account_newidle_pass<D>(kernel, clock, sd, measured, 1, pulled);
}

void check_events(const JsonReader& file, ConformFile& result, int hz) {
  std::array<NewidleCost<D>, kRules.size()> cost;
  for (NewidleCost<D>& sd : cost) sd.last_decay = 100'000;
  const auto events = file.at("events").elements();
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto cells = events[i].elements(3);
    const std::int64_t measured = cells[0].integer(0, kFileSumMax);
    const bool no_busiest = cells[1].is_text();
    const bool pulled = !no_busiest && cells[1].flag();
    const CostClock<D> clock{cells[2].integer(0, kFileSumMax), hz};
    RowCheck difference;
    for (std::size_t rule = 0; rule < kRules.size(); ++rule) {
      const auto& [name, kernel] = kRules[rule];
      pass(parse_kernel(kernel).switches, clock, cost[rule], measured, pulled, no_busiest);
      const auto expected = file.at("costs").at(name).at(i).elements(2);
      difference.prefix("events[" + std::to_string(i) + "] " + name + ": ");
      difference.same("max_newidle_lb_cost", expected[0].integer(0, kTimeMax),
                      cost[rule].max_newidle_lb_cost);
      difference.same("last_decay", expected[1].integer(0, kTimeMax), cost[rule].last_decay);
    }
    count_row(result, difference.first());
  }
}

/// Passes without a busiest group at one moment, from one start.
void check_failures(const JsonReader& table, const std::string& name, std::int64_t start,
                    std::int64_t measured, ConformFile& result) {
  const KernelSwitches kernel = rule_of(table.at("version"));
  NewidleCost<D> sd;
  sd.max_newidle_lb_cost = start;
  RowCheck difference(name + " " + table.at("version").text() + ": ");
  for (const JsonReader& cost : table.at("costs").elements()) {
    pass(kernel, {0}, sd, measured, false, true);
    difference.same("max_newidle_lb_cost", cost.integer(0, kTimeMax), sd.max_newidle_lb_cost);
  }
  count_row(result, difference.first());
}

/// Periodic passes that decay the cost: [jiffies, cost, decayed].
void check_decay(const JsonReader& table, const std::string& name, int hz, ConformFile& result) {
  NewidleCost<D> sd;
  sd.max_newidle_lb_cost = 500'200;
  RowCheck difference(name + ": ");
  const KernelSwitches kernel = parse_kernel("v5.16").switches;
  for (const JsonReader& row : table.elements()) {
    const auto cells = row.elements(3);
    const CostClock<D> clock{cells[0].integer(0, kFileSumMax), hz};
    const bool decayed = update_newidle_cost<D>(kernel, clock, sd, 0, true);
    difference.same("max_newidle_lb_cost", cells[1].integer(0, kTimeMax), sd.max_newidle_lb_cost);
    difference.same("decayed", cells[2].flag() ? 1 : 0, decayed ? 1 : 0);
  }
  count_row(result, difference.first());
}

void check_avg_idle(const JsonReader& table, ConformFile& result) {
  NewidleRq<D> rq;
  rq.max_idle_balance_cost = table.integer("max_idle_balance_cost", 0, kFileSumMax);
  rq.avg_idle = table.integer("start", 0, kFileSumMax);
  RowCheck difference("avg_idle: ");
  for (const JsonReader& row : table.at("samples").elements()) {
    const auto cells = row.elements(2);
    update_avg_idle<D>(rq, cells[0].integer(0, kFileSumMax));
    difference.same("avg_idle", cells[1].integer(0, kTimeMax), rq.avg_idle);
  }
  count_row(result, difference.first());
}

}  // namespace

void check_newidle(const JsonReader& file, ConformFile& result) {
  const int hz = static_cast<int>(file.integer("HZ", 1, 10'000));
  check_events(file, result, hz);
  if (file.has("repeated_failure"))
    for (const JsonReader& table : file.at("repeated_failure").elements())
      check_failures(table, "repeated_failure", table.integer("start_cost", 0, kFileSumMax),
                     table.integer("measured", 0, kFileSumMax), result);
  constexpr std::int64_t kMeasuredFromZero = 1500;  // Not in the file.
  if (file.has("zero_start"))
    for (const JsonReader& table : file.at("zero_start").elements())
      check_failures(table, "zero_start", 0, kMeasuredFromZero, result);
  for (const char* name :
       {"periodic_decay_every_1000_jiffies", "periodic_decay_every_1001_jiffies"})
    if (file.has(name)) check_decay(file.at(name), name, hz, result);
  if (file.has("avg_idle")) check_avg_idle(file.at("avg_idle"), result);
  if (file.has("ratio"))
    skip_rows(result, static_cast<std::int64_t>(file.at("ratio").size()),
              "ratio: which passes succeeded is not in the file");
}

}  // namespace schedcheck
