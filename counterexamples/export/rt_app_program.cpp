// SPDX-License-Identifier: Apache-2.0
/// \file Writes rt-app workloads: threads that run for a wall time, sleep for a time, change their
/// own mask and, in the newer dialect, fork.
#include "counterexamples/export/rt_app_program.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "counterexamples/decision_log.hpp"
#include "counterexamples/export/timeline.hpp"
#include "counterexamples/export/workload_words.hpp"
#include "model/fair/nice_weight.hpp"
#include "model/input_error.hpp"

namespace schedcheck {
namespace {

using Json = nlohmann::ordered_json;

/// Between two events: threads start one after the other and timers are late.
constexpr std::int64_t kGapUs = 2000;

std::string task_name(int task) { return fmt::format("task{}", task); }

Json cpu_array(CpuMask cpus) {
  Json list = Json::array();
  for (; cpus != 0; cpus &= cpus - 1) list.push_back(std::countr_zero(cpus));
  return list;
}

/// One thread's phases. A new phase begins where the mask changes.
class Thread {
 public:
  Thread(int nice, CpuMask cpus, std::int64_t since_us, bool starts_blocked)
      : blocked(starts_blocked), mask(cpus), nice_(nice), since_(since_us) {
    phases_["p0"] = Json{{"loop", 1}, {"cpus", cpu_array(cpus)}};
  }

  /// It has run (slept, if blocked) since the last event; from now on it does something else.
  void until(std::int64_t us) {
    if (us <= since_) return;
    add(blocked ? "sleep" : "runtime", us - since_);
    timer_wakeups += blocked ? 1 : 0;
    since_ = us;
  }
  void set_mask(CpuMask cpus) {
    mask = cpus;
    phases_[fmt::format("p{}", phases_.size())] = Json{{"loop", 1}, {"cpus", cpu_array(cpus)}};
  }
  void add(const char* event, const Json& value) {
    // Numbered: a key that comes twice in a phase would count once.
    phases_.back()[fmt::format("{}{}", event, events_++)] = value;
  }
  [[nodiscard]] Json json(bool forked) const {
    Json task;
    if (forked) task["instance"] = 0;  // Somebody else starts it.
    task.update(Json{{"priority", nice_}, {"loop", 1}, {"phases", phases_}});
    return task;
  }

  bool blocked, dead = false;
  CpuMask mask;
  int timer_wakeups = 0;
  [[nodiscard]] int nice() const { return nice_; }

 private:
  int nice_, events_ = 0;
  std::int64_t since_;
  Json phases_ = Json::object();
};

class Program {
 public:
  Program(const Schedule& schedule, const RtAppDialect& dialect)
      : dialect_(dialect), plan_(plan_workload(schedule)), all_(make_model(schedule).topology.all) {
    refuse_groups_and_policies(dialect_.name, plan_);
    scale_ = default_scale(plan_);
    for (std::size_t i = 0; i < plan_.tasks.size(); ++i) start(static_cast<int>(i), plan_.tasks[i]);
    for (const PlannedEvent& planned : plan_.events) play(planned);
    const std::int64_t end = std::max(at_ + kGapUs, real_us(plan_.end_ns));
    for (auto& [task, thread] : threads_)
      if (!thread.dead) thread.until(end);
  }

  [[nodiscard]] std::string text(const Schedule& schedule) const {
    Json about = {{"needs_cpus", plan_.nr_cpus},
                  {"kernel", schedule.kernel},
                  {"topology", schedule.topology},
                  {"published_command", published_command(schedule)}};
    if (schedule.finding) about["property"] = schedule.finding->property;
    about["not_expressed"] = not_expressed_;
    Json tasks = Json::object();
    Json wakeups = Json::object();
    int exits = 0;
    for (const auto& [task, thread] : threads_) {
      tasks[task_name(task)] = thread.json(task >= static_cast<int>(plan_.tasks.size()));
      wakeups[task_name(task)] = thread.timer_wakeups;
      ++exits;
    }
    // In a trace: sched_process_fork by parent, sched_waking in a timer interrupt (flag h) and
    // exits.
    about["promises"] = {{"forks", forks_}, {"timer_wakeups", wakeups}, {"exits", exits}};
    const Json global = {{"duration", -1},      {"calibration", 10},
                         {"lock_pages", false}, {"default_policy", "SCHED_OTHER"},
                         {"logdir", "/tmp"},    {"log_basename", "schedcheck"}};
    return Json{{"schedcheck", about}, {"global", global}, {"tasks", tasks}}.dump(1) + "\n";
  }

 private:
  [[nodiscard]] std::int64_t real_us(std::int64_t ns) const {
    return kGapUs + static_cast<std::int64_t>(static_cast<double>(ns) * scale_ / 1000);
  }
  [[noreturn]] void refuse(const PlannedEvent& planned, std::string_view why) const {
    refuse_event(dialect_.name, planned.label, planned.event, why, dialect_.instead);
  }
  Thread& thread(int task) { return threads_.at(task); }

  void start(int number, const InitialTask& task) {
    const auto nice = nice_of_weight(task.weight);
    if (!nice || task.util_avg >= 0)
      throw InputError(fmt::format(
          "export --to {}: task {} cannot be expressed: {}; use --to c", dialect_.name, number,
          nice ? "it starts with an average (util_avg)" : "its weight is that of no nice value"));
    // It begins on its CPU and is let go after a gap.
    Thread& thread =
        threads_.try_emplace(number, *nice, CpuMask{1} << task.cpu, 0, false).first->second;
    if ((task.cpus & all_) != thread.mask) {
      thread.until(kGapUs);
      thread.set_mask(task.cpus & all_);
    }
    thread.until(kGapUs);
    thread.blocked = task.blocked;
    ++forks_["rt-app"];
  }

  void play(const PlannedEvent& planned) {
    const Event& e = planned.event;
    if (!planned.enabled) {
      not_expressed_.push_back(fmt::format("event {}: {} is not enabled in the model, left out",
                                           planned.label, event_words(e)));
      return;
    }
    if (e.kind == EventKind::kRun) return;
    if (e.kind == EventKind::kUpdateBlocked) {
      not_expressed_.push_back(
          fmt::format("event {}: {}, left to the kernel", planned.label, event_words(e)));
      return;
    }
    at_ = std::max(at_ + kGapUs, real_us(planned.at_ns));
    act(planned, thread(e.task));
  }

  /// A new kind of event is a case here.
  void act(const PlannedEvent& planned, Thread& task) {
    const Event& e = planned.event;
    switch (e.kind) {
      case EventKind::kFork:
        return fork(planned, task);
      case EventKind::kBlock:
        task.until(at_);
        task.blocked = true;
        return;
      case EventKind::kWake:
        return wake(planned.label, task);
      case EventKind::kExit:
        task.until(at_);
        task.dead = true;
        if (e.duration_ns > 0)
          not_expressed_.push_back(
              fmt::format("event {}: the time between exit step and death", planned.label));
        if (e.wakes >= 0 && threads_.contains(e.wakes) && thread(e.wakes).blocked)
          wake(planned.label, thread(e.wakes));
        return;
      case EventKind::kSetAffinity:
        if (!planned.current)
          refuse(planned, "the task does not run, and a thread can only change its own mask");
        task.until(at_);
        return task.set_mask(e.cpus & all_);
      default:
        refuse(planned, "the format has no such event");
    }
  }
  void wake(const std::string& label, Thread& task) {
    task.until(at_);
    task.blocked = false;
    not_expressed_.push_back(fmt::format("event {}: the waker is a timer", label));
  }
  void fork(const PlannedEvent& planned, Thread& parent) {
    if (!dialect_.can_fork)
      refuse(planned, "rt-app 1.0 starts all threads at once and ignores fork without a message");
    parent.until(at_);
    parent.add("fork", task_name(planned.child));
    ++forks_[task_name(planned.event.task)];
    threads_.try_emplace(planned.child, parent.nice(), parent.mask, at_, false);
  }

  RtAppDialect dialect_;
  WorkloadPlan plan_;
  CpuMask all_;
  double scale_ = 1;
  std::int64_t at_ = 0;
  std::map<int, Thread> threads_;
  std::map<std::string, int> forks_;
  std::vector<std::string> not_expressed_ = {
      "exact times: events are 2 ms apart at least, timers and starts are late",
      "ticks, averages and clocks at the start", "topology: CPU i is CPU i of the machine"};
};

}  // namespace

std::string rt_app_program(const Schedule& schedule, const RtAppDialect& dialect) {
  return Program(schedule, dialect).text(schedule);
}

}  // namespace schedcheck
