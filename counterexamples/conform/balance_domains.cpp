// SPDX-License-Identifier: Apache-2.0
/// \file Kind `balance_domains`.
#include "counterexamples/conform/balance_domains.hpp"

#include <array>
#include <utility>

#include "counterexamples/conform/conform_case.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "model/balance/sched_balance_domains.hpp"

namespace schedcheck {
namespace {

using State = BalanceState<NativeDomain>;

std::array<std::pair<const char*, std::int64_t*>, 3> domain_fields(State& sd) {
  return {{{"max_newidle_lb_cost", &sd.cost.max_newidle_lb_cost},
           {"last_decay", &sd.cost.last_decay},
           {"last_balance", &sd.last_balance}}};
}

std::int64_t number(const JsonReader& object, const char* key) {
  return object.integer(key, 0, kFileResultMax);
}

State read_state(const JsonReader& domain) {
  State sd{};
  for (const auto& [name, field] : domain_fields(sd)) *field = number(domain, name);
  sd.balance_interval = number(domain, "balance_interval_ms");
  sd.busy_factor = static_cast<int>(domain.integer("busy_factor", 1, 1000));
  sd.serialize = domain.at("serialize").flag();
  return sd;
}

/// A CPU is busy unless idle or occupied by SCHED_IDLE tasks alone.
bool is_busy(bool idle, std::int64_t nr_running, std::int64_t nr_idle_policy) {
  return !idle && !(nr_running > 0 && nr_running == nr_idle_policy);
}

struct Pass {
  std::vector<State> domains;
  std::int64_t next_balance = 0, max_idle_balance_cost = 0;
  std::vector<std::int64_t> balanced_levels;
};

Pass run(const JsonReader& row) {
  const JsonReader rq = row.at("rq");
  const BalanceClock<NativeDomain> clock{.jiffies = number(row, "jiffies"),
                                         .hz = static_cast<int>(row.integer("hz", 1, 10'000)),
                                         .max_load_balance_interval = static_cast<int>(row.integer(
                                             "max_load_balance_interval", 1, 1'000'000))};
  Pass pass;
  const auto list = row.at("domains").elements();
  for (const JsonReader& domain : list) pass.domains.push_back(read_state(domain));
  pass.next_balance = number(rq, "next_balance");
  pass.max_idle_balance_cost = number(rq, "max_idle_balance_cost");
  const std::int64_t idle_policy = number(rq, "h_nr_idle_policy");
  const bool curr_is_idle = rq.at("curr_is_idle").flag();
  const bool starts_idle = row.at("idle_type").text() == "idle";
  const auto balance = [&](std::size_t level) -> Balanced<NativeDomain> {
    pass.balanced_levels.push_back(static_cast<std::int64_t>(level));
    const JsonReader stub = list[level].at("balance");
    const std::int64_t nr = number(stub, "nr_running_after");
    const bool idle = curr_is_idle && nr == 0 && !stub.at("ttwu_pending_after").flag();
    return {number(stub, "moved") != 0, stub.at("continue_balancing").flag(),
            is_busy(idle, nr, idle_policy)};
  };
  sched_balance_domains<NativeDomain>(KernelSwitches{}, clock, pass.domains,
                                      is_busy(starts_idle, number(rq, "nr_running"), idle_policy),
                                      row.at("serialize_lock_taken").flag(), pass.next_balance,
                                      pass.max_idle_balance_cost, balance);
  return pass;
}

std::string pass_difference(const JsonReader& expected, Pass pass) {
  std::string first;
  const auto compare = [&](const std::string& field, std::int64_t file, std::int64_t model) {
    if (file != model && first.empty())
      first = field + ": " + std::to_string(file) + " in the file, " + std::to_string(model) +
              " in the model";
  };
  const auto domains = expected.at("domains").elements();
  compare("number of domains", static_cast<std::int64_t>(domains.size()),
          static_cast<std::int64_t>(pass.domains.size()));
  for (std::size_t i = 0; first.empty() && i < domains.size(); ++i)
    for (const auto& [name, field] : domain_fields(pass.domains[i]))
      compare("domains/" + std::to_string(i) + "/" + name, number(domains[i], name), *field);
  compare("next_balance", number(expected, "next_balance"), pass.next_balance);
  compare("max_idle_balance_cost", number(expected, "max_idle_balance_cost"),
          pass.max_idle_balance_cost);
  const auto levels = expected.at("balanced_levels").elements();
  compare("number of balanced_levels", static_cast<std::int64_t>(levels.size()),
          static_cast<std::int64_t>(pass.balanced_levels.size()));
  for (std::size_t i = 0; first.empty() && i < levels.size(); ++i)
    compare("balanced_levels/" + std::to_string(i), levels[i].integer(0, kFileResultMax),
            pass.balanced_levels[i]);
  return first;
}

}  // namespace

void check_balance_domains(const JsonReader& file, ConformFile& result) {
  std::size_t index = 0;
  for (const JsonReader& row : file.elements()) {
    const std::string name = "row " + std::to_string(index++) + " '" + row.at("name").text() + "'";
    const std::string difference = pass_difference(row.at("result"), run(row));
    count_row(result, difference.empty() ? "" : name + ": " + difference);
  }
}

}  // namespace schedcheck
