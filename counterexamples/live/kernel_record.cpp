// SPDX-License-Identifier: Apache-2.0
/// \file Marks by lines, tasks by names and forks, then the events between the marks.
#include "counterexamples/live/kernel_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <unordered_map>

#include "counterexamples/live/decisions.hpp"
#include "counterexamples/trace/line_header.hpp"
#include "counterexamples/trace/read_trace.hpp"
#include "counterexamples/trace/trace_text.hpp"
#include "model/input_error.hpp"

namespace schedcheck {
namespace {

using trace_text::take;
using trace_text::take_number;

struct Marks {
  std::map<std::uint64_t, int> event_at;  ///< By line: position in Timeline::events.
  std::map<int, int> actors;              ///< By process number: the task whose event it marked.
  std::vector<int> cpus;                  ///< Model CPU i is cpus[i].
};

class MarkReader {
 public:
  MarkReader(const std::string& path, const Timeline& timeline) : path_(path), line_(timeline) {}

  Marks read() {
    std::ifstream file(path_);
    std::string text;
    for (std::uint64_t line = 1; std::getline(file, text); ++line) {
      // The name of the event is checked first: most lines have no mark.
      if (text.find("tracing_mark_write: schedcheck ") == std::string::npos) continue;
      TraceEvent event;
      LineHeader header;
      if (!read_bracket_header(text, event, header)) continue;
      std::string_view body = trace_text::trim(header.body);
      if (header.name != "tracing_mark_write" || !take(body, "schedcheck ")) continue;
      if (take(body, "cpus")) cpus(body);
      if (take(body, "event ")) event_mark(body, line, event.current);
    }
    if (marks_.event_at.empty() && !line_.events.empty())
      throw InputError(path_ +
                       ": no mark of a schedule's event; give a trace that was recorded by "
                       "schedcheck run or by a program of export --to c with --marks");
    return std::move(marks_);
  }

 private:
  void cpus(std::string_view body) {
    marks_.cpus.clear();
    for (int cpu = 0; body = trace_text::trim(body), take_number(body, cpu);)
      marks_.cpus.push_back(cpu);
  }

  void event_mark(std::string_view body, std::uint64_t line, int actor) {
    const std::size_t colon = body.find(": ");
    const std::string_view label = body.substr(0, colon);
    std::string_view what = colon == body.npos ? "" : body.substr(colon + 2);
    what = trace_text::take_token(what);
    const auto at = std::find_if(line_.events.begin(), line_.events.end(),
                                 [&](const TimelineEvent& e) { return e.label == label; });
    if (at == line_.events.end() || event_name(at->event.kind) != what)
      throw InputError(fmt::format(
          "{}: line {}: the trace is of another schedule: event {} is {}", path_, line,
          label.substr(0, 16),
          at == line_.events.end() ? "not in this one" : describe(at->event) + " here"));
    marks_.event_at[line] = static_cast<int>(at - line_.events.begin());
    if (has_task(at->event.kind) && !driver_does(at->event.kind) && at->happened)
      marks_.actors.emplace(actor, at->event.task);
  }

  const std::string& path_;
  const Timeline& line_;
  Marks marks_;
};

class RecordReader {
 public:
  RecordReader(const Timeline& timeline, Marks marks) : line_(timeline), marks_(std::move(marks)) {
    record_.marked.assign(line_.events.size(), false);
    for (const auto& [line, event] : marks_.event_at)
      record_.marked[static_cast<std::size_t>(event)] = true;
    if (marks_.cpus.empty())
      for (int cpu = 0; cpu < line_.nr_cpus; ++cpu) marks_.cpus.push_back(cpu);
    record_.spare_cpus = std::max(0, static_cast<int>(marks_.cpus.size()) - line_.nr_cpus);
    running_.resize(static_cast<std::size_t>(line_.nr_cpus));
    // Children are known from their fork on.
    for (const auto& [pid, task] : marks_.actors)
      if (task < first_child()) tasks_.emplace(pid, task);
  }

  void event(const TraceEvent& e) {
    if (e.kind == TraceKind::kLost) {
      ++record_.lost;
      return;
    }
    KernelEvent k;
    k.kind = e.kind;
    k.leaves = e.leaves;
    k.line = e.line;
    k.ns = e.time_ns;
    const auto after = marks_.event_at.upper_bound(e.line);
    if (after != marks_.event_at.begin()) k.mark = std::prev(after)->second;
    if (e.kind == TraceKind::kFork) child(e, k.mark);
    name(e);
    k.cpu = model_cpu(e.cpu);
    k.task = task_of(e.task);
    k.from = task_of(e.from);
    k.target = model_cpu(e.target);
    if (k.task >= 0 || k.from >= 0) record_.own_lines.push_back(k.line);
    if (k.kind == TraceKind::kWakeup || k.kind == TraceKind::kWakeupNew) k.cpus = cpus(k.ns);
    if (k.kind == TraceKind::kSwitch) switched(e, k);
    // Switches of others matter too: they tell who came between two tasks.
    if (k.task >= 0 || k.from >= 0 || (k.kind == TraceKind::kSwitch && k.cpu >= 0))
      record_.events.push_back(std::move(k));
  }

  KernelRecord take() {
    std::vector<bool> mask(kMaxTraceCpus);
    for (int cpu = 0; cpu < kMaxTraceCpus; ++cpu)
      mask[static_cast<std::size_t>(cpu)] = model_cpu(cpu) >= 0;
    for (const auto& [pid, task] : tasks_) record_.affinity.emplace(pid, mask);
    return std::move(record_);
  }

 private:
  struct Running {
    int task = kForeignTask;
    std::string name;
    std::int64_t since_ns = kUnknownNumber;
  };

  int model_cpu(int cpu) const {
    const auto end =
        marks_.cpus.begin() + std::min<std::ptrdiff_t>(line_.nr_cpus, std::ssize(marks_.cpus));
    const auto at = std::find(marks_.cpus.begin(), end, cpu);
    return at == end ? kUnknownNumber : static_cast<int>(at - marks_.cpus.begin());
  }

  int task_of(int pid) const {
    if (pid == 0) return kNoTask;
    const auto at = tasks_.find(pid);
    return at == tasks_.end() ? kForeignTask : at->second;
  }

  /// The child of the fork event whose mark came last, if its task forks.
  void child(const TraceEvent& e, int mark) {
    const int parent = task_of(e.from);
    if (parent < 0 || mark < 0) return;
    const TimelineEvent& at = line_.events[static_cast<std::size_t>(mark)];
    if (at.event.kind != EventKind::kFork || at.event.task != parent) return;
    int number = first_child();
    for (int i = 0; i < mark; ++i) {
      const TimelineEvent& before = line_.events[static_cast<std::size_t>(i)];
      if (before.happened && before.event.kind == EventKind::kFork) ++number;
    }
    tasks_.emplace(e.task, number);
  }

  int first_child() const {
    int forks = 0;
    for (const TimelineEvent& e : line_.events)
      forks += e.happened && e.event.kind == EventKind::kFork ? 1 : 0;
    return line_.nr_tasks - forks;
  }

  /// Initial tasks that nothing but the driver's events are about: they name themselves before the
  /// first event. Children have their parent's name first, but are known by then.
  void name(const TraceEvent& e) {
    if (e.task <= 0 || tasks_.count(e.task) > 0) return;
    std::string_view comm = e.name();
    int number = 0;
    if (!trace_text::take(comm, "sctask-") && !trace_text::take(comm, "task")) return;
    if (take_number(comm, number) && comm.empty() && number >= 0 && number < first_child())
      tasks_.emplace(e.task, number);
  }

  void switched(const TraceEvent& e, const KernelEvent& k) {
    if (k.from >= 0 && k.task == kForeignTask && k.mark >= 0) ++record_.foreign;
    if (k.cpu < 0) return;
    running_[static_cast<std::size_t>(k.cpu)] = {k.task, std::string(e.name()), k.ns};
  }

  std::string cpus(std::int64_t now) const {
    std::string text;
    for (std::size_t cpu = 0; cpu < running_.size(); ++cpu) {
      const Running& r = running_[cpu];
      const std::string who = r.task >= 0         ? fmt::format("runs task {}", r.task)
                              : r.task == kNoTask ? "idle"
                              : r.name.empty()    ? "not seen"
                                                  : "runs " + r.name;
      text += fmt::format("{}CPU {} {}", cpu > 0 ? ", " : "", cpu, who);
      if (r.since_ns >= 0 && now >= r.since_ns)
        text += fmt::format(" for {:.1f} us", static_cast<double>(now - r.since_ns) / 1e3);
    }
    return text;
  }

  const Timeline& line_;
  Marks marks_;
  KernelRecord record_;
  std::unordered_map<int, int> tasks_;  ///< By process number.
  std::vector<Running> running_;
};

}  // namespace

KernelRecord read_kernel_record(const std::string& path, const Timeline& timeline) {
  TraceReport report;
  // The trace first: it says what is wrong with a file that is none.
  std::vector<TraceEvent> events;
  read_trace(path, report, [&](const TraceEvent& e, const TraceContext&) { events.push_back(e); });
  RecordReader reader(timeline, MarkReader(path, timeline).read());
  for (const TraceEvent& event : events) reader.event(event);
  return reader.take();
}

}  // namespace schedcheck
