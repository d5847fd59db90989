// SPDX-License-Identifier: Apache-2.0
/// \file Scenarios of kind `eevdf_pick`.
#include "counterexamples/conform/eevdf_pick.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "counterexamples/conform/conform_case.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/operation_player.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "model/kernel_switches.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;

constexpr std::int64_t kMaxTasksOfScenario = 64;
/// ns; longer scenarios would leave the range that virtual times may spread over.
constexpr std::int64_t kMaxScenarioTime = std::int64_t{1} << 36;
constexpr std::int64_t kMaxWord = std::int64_t{1} << 60;

struct Feature {
  const char* name;  ///< Of the scheduler's feature.
  const char* kernel_switch;
};
constexpr std::array kFeatures = {
    Feature{"PREEMPT_SHORT", "preempt_short"}, Feature{"RUN_TO_PARITY", "run_to_parity"},
    Feature{"DELAY_DEQUEUE", "delay_dequeue"}, Feature{"DELAY_ZERO", "delay_zero"},
    Feature{"PLACE_LAG", "place_lag"},         Feature{"PLACE_REL_DEADLINE", "place_rel_deadline"},
};

Model read_model(const JsonReader& scenario) {
  Model model;
  model.kernel = parse_kernel("debian-6.12.117").switches;
  const JsonReader features = scenario.at("features");
  for (const std::string& name : features.keys()) {
    const auto* feature = std::find_if(kFeatures.begin(), kFeatures.end(),
                                       [&](const Feature& known) { return known.name == name; });
    if (feature == kFeatures.end()) features.fail("feature '" + name + "' is unknown");
    set_switch(model.kernel, feature->kernel_switch, features.at(name).flag() ? "1" : "0");
  }
  model.base_slice_ns = scenario.integer("base_slice_ns", 1, kMaxSlice);
  model.lag_tick_ns = scenario.integer("tick_ns", 1, kMaxSlice);
  const auto tasks = scenario.at("tasks").size();
  if (tasks < 1 || tasks > kMaxTasksOfScenario)
    scenario.at("tasks").fail("1 to " + std::to_string(kMaxTasksOfScenario) +
                              " tasks are expected");
  model.max_tasks = static_cast<int>(tasks);
  return model;
}

/// Plays one scenario on one CPU and counts what it compares.
class Scenario {
 public:
  Scenario(const JsonReader& scenario, ConformFile& result)
      : result_(&result),
        name_(scenario.at("name").text()),
        t0_(scenario.integer("t0", 1, kFileTimeMax)),
        player_(read_model(scenario), 1, t0_) {
    for (const JsonReader& task : scenario.at("tasks").elements()) {
      OperationPlayer::NewTask fork;
      if (task.has("nice")) fork.nice = static_cast<int>(task.integer("nice", kMinNice, kMaxNice));
      if (task.has("slice")) fork.slice = task.integer("slice", 1, kMaxSlice);
      const std::string name = task.at("name").text();
      if (std::count(names_.begin(), names_.end(), name) > 0) task.fail("the name is used twice");
      player_.fork(static_cast<int>(names_.size()), 0, fork);
      names_.push_back(name);
    }
  }

  void event(const JsonReader& event) {
    const auto cells = event.elements(4);
    const std::string what = cells[0].text();
    now_ = cells[1].integer(now_, kMaxScenarioTime);
    player_.at(t0_ + now_);
    where_ = name_ + " " + std::to_string(now_) + " ns " + what + ": ";
    if (what.starts_with("wake ")) {
      player_.wake(task(event, what.substr(5)), 0);
      word("flag", cells[2].text(), player_.need_resched(0) ? "resched" : "no resched");
    } else {
      switches(event, what);
      const int curr = player_.curr(0);
      word("picked", cells[2].text(),
           curr == kNoTask ? "" : names_[static_cast<std::size_t>(curr)]);
    }
    if (cells[3].is_null()) return;
    for (const JsonReader& state : cells[3].elements(names_.size())) check_state(state);
  }

 private:
  /// An event after which another task may run.
  void switches(const JsonReader& event, const std::string& what) {
    if (what == "first_pick" || what == "pick") return player_.schedule(0);
    if (what == "sleep_current->pick") {
      if (player_.curr(0) == kNoTask) event.fail("nothing runs that could sleep");
      return player_.block(0);
    }
    if (what != "tick" && what != "tick+resched->pick") event.fail("unknown event '" + what + "'");
    player_.tick(0);
    const bool resched = player_.need_resched(0);
    word("event", what, resched ? "tick+resched->pick" : "tick");
    if (resched) player_.schedule(0);
  }

  void check_state(const JsonReader& state) {
    const auto cells = state.elements(7);
    const int p = task(state, cells[0].text());
    const Task<D>& se = task_of(player_.machine(), p);
    const auto number = [&](std::size_t at, const char* name, std::int64_t model) {
      word(names_[static_cast<std::size_t>(p)] + " " + name,
           std::to_string(cells[at].integer(-kMaxWord, kMaxWord)), std::to_string(model));
    };
    number(1, "vruntime", se.vruntime);
    number(2, "deadline", se.deadline);
    number(3, "vlag", se.vlag);
    number(4, "on_rq", se.on_rq ? 1 : 0);
    number(5, "delayed", se.sched_delayed ? 1 : 0);
    // Only queued entities are eligible or not.
    if (cells[6].is_null() && cells[4].integer(0, 1) == 0) return;
    number(6, "eligible",
           entity_eligible<D>(player_.model(), player_.machine(), {0, p, 0}) ? 1 : 0);
  }

  int task(const JsonReader& at, const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) at.fail("task '" + name + "' is unknown");
    return static_cast<int>(found - names_.begin());
  }

  void word(const std::string& name, const std::string& file, const std::string& model) {
    count_row(*result_, file == model ? ""
                                      : where_ + name + ": " + file + " in the file, " + model +
                                            " in the model");
  }

  ConformFile* result_;
  std::string name_, where_;
  std::int64_t t0_ = 0, now_ = 0;
  std::vector<std::string> names_;
  OperationPlayer player_;
};

}  // namespace

void check_eevdf_pick(const JsonReader& file, ConformFile& result) {
  for (const JsonReader& scenario : file.elements()) {
    Scenario played(scenario, result);
    for (const JsonReader& event : scenario.at("events").elements()) played.event(event);
  }
}

}  // namespace schedcheck
