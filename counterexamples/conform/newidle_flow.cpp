// SPDX-License-Identifier: Apache-2.0
/// \file Kind `newidle_flow`.
#include "counterexamples/conform/balance_kinds.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "model/balance/sched_balance_newidle.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;
using State = BalanceState<D>;

constexpr std::int64_t kUpdateBlocked = -1;  ///< In `calls`: not a level.

std::int64_t number(const JsonReader& object, const char* key) {
  return object.integer(key, 0, kFileSumMax);
}

std::array<std::pair<const char*, std::int64_t*>, 5> domain_fields(NewidleCost<D>& cost) {
  return {{{"max_newidle_lb_cost", &cost.max_newidle_lb_cost},
           {"last_decay", &cost.last_decay},
           {"newidle_call", &cost.newidle_call},
           {"newidle_success", &cost.newidle_success},
           {"newidle_ratio", &cost.newidle_ratio}}};
}

/// The world of a row: time passes as it says, balancing does what it says.
struct RowWorld {
  explicit RowWorld(const JsonReader& r) : row(r), levels(r.at("domains").elements()) {}

  const JsonReader row;
  const std::vector<JsonReader> levels;
  std::int64_t clock = 0;
  std::vector<std::int64_t> calls;
  std::size_t dice_used = 0;

  [[nodiscard]] std::int64_t clock_ns() const { return clock; }
  void update_blocked() {
    calls.push_back(kUpdateBlocked);
    clock += number(row, "update_blocked_cost");
  }
  std::int64_t dice() {
    const JsonReader list = row.at("dice");
    if (dice_used >= list.size()) list.fail("more numbers are needed");
    return list.at(dice_used++).integer(0, kFileSumMax);
  }
  NewidlePass<D> balance(std::size_t level, NewidleRq<D>& rq) {
    calls.push_back(static_cast<std::int64_t>(level));
    const JsonReader stub = levels[level].at("balance");
    clock += number(stub, "duration");
    rq.nr_running = number(stub, "nr_running_after");
    rq.h_nr_queued = number(stub, "h_nr_after");
    rq.ttwu_pending = stub.at("ttwu_pending_after").flag();
    return {static_cast<int>(stub.integer("pulled", 0, kMaxTasks)),
            stub.at("continue_balancing").flag()};
  }
};

struct Walk {
  NewidleRq<D> rq;
  std::vector<State> domains;
  std::vector<std::int64_t> calls;
  std::int64_t ret = 0, dice_used = 0;
  bool nohz = false;
};

Walk run(const JsonReader& row, const KernelSwitches& kernel) {
  Walk walk;
  const JsonReader rq = row.at("rq");
  walk.rq.clock = number(rq, "clock");
  walk.rq.avg_idle = number(rq, "avg_idle");
  walk.rq.max_idle_balance_cost = number(rq, "max_idle_balance_cost");
  walk.rq.next_balance = number(rq, "next_balance");
  walk.rq.ttwu_pending = rq.at("ttwu_pending").flag();
  walk.rq.cpu_active = rq.at("cpu_active").flag();
  walk.rq.rd_overloaded = rq.at("root_domain_overloaded").flag();
  const bool refused = walk.rq.ttwu_pending || !walk.rq.cpu_active;
  for (const JsonReader& domain : row.at("domains").elements()) {
    State sd{};
    for (const auto& [name, field] : domain_fields(sd.cost)) *field = number(domain, name);
    sd.balance_interval = number(domain, "balance_interval_ms");
    sd.last_balance = number(domain, "last_balance");
    sd.balance_newidle = domain.at("balance_newidle").flag();
    walk.domains.push_back(sd);
  }
  const BalanceClock<D> clock{.jiffies = number(row, "jiffies"),
                              .hz = static_cast<int>(row.integer("hz", 1, 10'000)),
                              .max_load_balance_interval = static_cast<int>(
                                  row.integer("max_load_balance_interval", 1, 1'000'000))};
  RowWorld world(row);
  walk.ret = sched_balance_newidle<D>(kernel, clock, walk.rq, walk.domains, world);
  walk.nohz = walk.ret == 0 && !refused;
  walk.calls = world.calls;
  walk.dice_used = static_cast<std::int64_t>(world.dice_used);
  return walk;
}

void compare_walk(const JsonReader& expected, Walk walk, RowCheck& difference) {
  difference.same("ret", expected.integer("ret", -1, kMaxTasks), walk.ret);
  const auto domains = expected.at("domains").elements(walk.domains.size());
  for (std::size_t i = 0; i < domains.size(); ++i)
    for (const auto& [name, field] : domain_fields(walk.domains[i].cost))
      difference.same("domains/" + std::to_string(i) + "/" + name, number(domains[i], name),
                      *field);
  difference.same(expected, "idle_stamp", 0, walk.rq.idle_stamp);
  difference.same(expected, "max_idle_balance_cost", 0, walk.rq.max_idle_balance_cost);
  difference.same(expected, "next_balance", 0, walk.rq.next_balance);
  difference.same(expected, "dice_used", 0, walk.dice_used);
  difference.same("nohz_newidle", expected.at("nohz_newidle").flag() ? 1 : 0, walk.nohz ? 1 : 0);
  const auto calls = expected.at("calls").elements();
  difference.same("number of calls", static_cast<std::int64_t>(calls.size()),
                  static_cast<std::int64_t>(walk.calls.size()));
  for (std::size_t i = 0; i < std::min(calls.size(), walk.calls.size()); ++i)
    difference.same("calls/" + std::to_string(i),
                    calls[i].is_text() ? kUpdateBlocked : calls[i].integer(0, kMaxCpus),
                    walk.calls[i]);
}

}  // namespace

void check_newidle_flow(const JsonReader& file, ConformFile& result) {
  check_executed(file, result, run, compare_walk);
}

}  // namespace schedcheck
