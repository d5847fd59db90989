// SPDX-License-Identifier: Apache-2.0
/// \file Export format `perfetto`: Chrome trace-event JSON, for ui.perfetto.dev and
/// chrome://tracing.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "counterexamples/export/export.hpp"
#include "counterexamples/export/timeline.hpp"
#include "counterexamples/export/workload_words.hpp"

namespace schedcheck {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kPid = 1;

double us(std::int64_t ns) { return static_cast<double>(ns) / 1000; }
std::string task_name(int task) { return fmt::format("task {}", task); }

/// One JSON object per line.
class TraceEvents {
 public:
  explicit TraceEvents(const Timeline& timeline) : t_(timeline), events_tid_(timeline.nr_cpus) {
    name("process_name", 0, "schedcheck model");
    for (int cpu = 0; cpu < t_.nr_cpus; ++cpu) name("thread_name", cpu, fmt::format("CPU {}", cpu));
    name("thread_name", events_tid_, "events of the schedule");
  }

  void add_slices() {
    for (const Slice& s : slices_of(t_))
      add("X", s.cpu, s.from_ns, task_name(s.task), {{"dur", us(s.to_ns - s.from_ns)}});
  }
  /// A slice per event; at one moment they follow each other by a nanosecond, so that they nest.
  void add_events() {
    std::int64_t free_ns = 0;
    for (std::size_t i = 0; i < t_.events.size(); ++i) {
      const TimelineEvent& e = t_.events[i];
      const std::int64_t begin = std::max(free_ns, e.ns);
      const std::int64_t end = std::max(begin + 1, e.ns + (e.happened ? e.event.duration_ns : 0));
      free_ns = end;
      add("X", events_tid_, begin, fmt::format("{} {}", e.label, event_name(e.event.kind)),
          {{"dur", us(end - begin)},
           {"args", {{"event", event_words(e.event)}, {"enabled", e.happened}}}});
      event_ns_.push_back(begin);
    }
  }
  void add_counters() {
    for (const Sample& sample : t_.samples) {
      for (std::size_t cpu = 0; cpu < sample.cpus.size(); ++cpu) {
        counter(sample.ns, fmt::format("CPU {} util_avg", cpu), sample.cpus[cpu].util_avg);
        counter(sample.ns, fmt::format("CPU {} nr_running", cpu), sample.cpus[cpu].nr_running);
      }
    }
  }
  /// From who forks, wakes or moves a task to where the task runs next. An arrow needs a slice at
  /// both ends: what nobody on a CPU does starts at the event's slice.
  void add_arrows() {
    std::map<int, Arrow> waiting;
    int event = -1;
    for (const Change& c : t_.changes) {
      if (c.kind == ChangeKind::kEvent) event = c.event;
      const char* what = arrow_name(c.kind);
      if (what != nullptr && event >= 0)
        waiting[c.task] = {what, c.actor >= 0 ? c.cpu : events_tid_,
                           c.actor >= 0 ? c.ns : event_ns_[static_cast<std::size_t>(event)]};
      if (c.kind != ChangeKind::kSwitch || !waiting.contains(c.other)) continue;
      const Arrow arrow = waiting[c.other];
      waiting.erase(c.other);
      add("s", arrow.tid, arrow.ns, arrow.what, {{"id", ++arrows_}, {"cat", "sched"}});
      add("f", c.cpu, c.ns, arrow.what, {{"id", arrows_}, {"cat", "sched"}, {"bp", "e"}});
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Arrow {
    const char* what;
    int tid;
    std::int64_t ns;
  };
  static const char* arrow_name(ChangeKind kind) {
    return kind == ChangeKind::kNew       ? "fork"
           : kind == ChangeKind::kWakeup  ? "wake"
           : kind == ChangeKind::kMigrate ? "migrate"
                                          : nullptr;
  }
  void put(const Json& object) {
    text_ += (text_.empty() ? "  " : ",\n  ") +
             object.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  void name(const char* what, int tid, const std::string& value) {
    put({{"ph", "M"}, {"pid", kPid}, {"tid", tid}, {"name", what}, {"args", {{"name", value}}}});
  }
  void add(const char* phase, int tid, std::int64_t ns, const std::string& name, const Json& more) {
    Json object = {{"ph", phase}, {"pid", kPid}, {"tid", tid}, {"ts", us(ns)}, {"name", name}};
    object.update(more);
    put(object);
  }
  void counter(std::int64_t ns, const std::string& name, std::int64_t value) {
    const auto last = counters_.find(name);
    if (last != counters_.end() && last->second == value) return;
    counters_[name] = value;
    put({{"ph", "C"}, {"pid", kPid}, {"ts", us(ns)}, {"name", name}, {"args", {{"value", value}}}});
  }

  const Timeline& t_;
  int events_tid_;
  std::vector<std::int64_t> event_ns_;
  std::map<std::string, std::int64_t> counters_;
  int arrows_ = 0;
  std::string text_;
};

}  // namespace

std::string export_perfetto(const Schedule& schedule) {
  const Timeline timeline = record_timeline(schedule);
  TraceEvents trace(timeline);
  trace.add_slices();
  trace.add_events();
  trace.add_counters();
  trace.add_arrows();
  Json about = {{"kernel", schedule.kernel},
                {"topology", schedule.topology},
                {"published_command", published_command(schedule)}};
  if (schedule.finding) about["property"] = schedule.finding->property;
  return fmt::format(
      "{{\"displayTimeUnit\":\"ns\",\n\"otherData\":{},\n\"traceEvents\":[\n{}\n]}}\n",
      about.dump(), trace.text());
}

}  // namespace schedcheck
