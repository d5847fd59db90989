// SPDX-License-Identifier: Apache-2.0
/// \file The stream: blocks of a file, lines, events, and a window that sorts them.
#include "counterexamples/trace/read_trace.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "counterexamples/trace/event_body.hpp"
#include "counterexamples/trace/line_header.hpp"
#include "counterexamples/trace/other_lines.hpp"
#include "counterexamples/trace/trace_text.hpp"
#include "model/input_error.hpp"

namespace schedcheck {
namespace {

constexpr std::size_t kMaxLine = std::size_t{64} << 10;
constexpr std::size_t kMaxNames = 256;

/// perf prints the records of one CPU in blocks that overlap a little; text of several buffers is
/// merged. Events are held until this many later ones were read.
class Window {
 public:
  explicit Window(const TraceSink& sink) : sink_(sink) {}

  void add(TraceEvent event, const TraceContext& context) {
    latest_ = std::max(latest_, event.time_ns);
    // What has no time stays behind what was read before it.
    const std::int64_t key = event.time_ns >= 0 ? event.time_ns : latest_;
    if (held_.size() == kHeld) pop(context);
    std::size_t at = held_.size();
    while (at > 0 && held_[at - 1].key > key) --at;
    held_.insert(held_.begin() + static_cast<std::ptrdiff_t>(at), Held{key, event});
  }
  void finish(const TraceContext& context) {
    for (const Held& held : held_) sink_(held.event, context);
  }

 private:
  static constexpr std::size_t kHeld = 128;
  struct Held {
    std::int64_t key = 0;
    TraceEvent event;
  };
  /// Half at a time: one move of the rest serves many events.
  void pop(const TraceContext& context) {
    const auto half = held_.begin() + kHeld / 2;
    std::for_each(held_.begin(), half, [&](const Held& h) { sink_(h.event, context); });
    held_.erase(held_.begin(), half);
  }

  const TraceSink& sink_;
  std::vector<Held> held_;
  std::int64_t latest_ = kUnknownNumber;
};

class Reader {
 public:
  Reader(TraceReport& report, const TraceSink& sink) : report_(report), window_(sink) {}

  void line(std::string_view text) {
    ++report_.lines;
    if (text.ends_with('\r')) text.remove_suffix(1);
    TraceEvent event;
    LineHeader header;
    event.line = report_.lines;
    if (!trace_text::trim(text).starts_with('#') &&
        (read_bracket_header(text, event, header) || read_plain_header(text, event, header))) {
      read_event(event, header);
    } else if (const auto note = lost_note(text)) {
      lost(event, note->cpu, note->count);
    } else if (!explained_line(text, header_)) {
      unparsed(text);
    }
    context_.cpus = header_.cpus;
  }
  void too_long() {
    ++report_.lines;
    report_.unparsed.add(report_.lines);
  }
  void finish(const std::string& name) {
    window_.finish(context_);
    report_.overwritten = header_.overwritten;
    if (report_.sched_events > 0) return;
    if (!dump_.empty())
      throw InputError(name + ": not a trace but " + std::string(dump_) +
                       "; trace check reads ftrace, trace-cmd report and perf script text");
    throw InputError(name + ": no scheduler event in " + std::to_string(report_.lines) +
                     " lines; give ftrace, trace-cmd report or perf script text with sched events");
  }

 private:
  void read_event(TraceEvent& event, const LineHeader& header) {
    if (header.name.starts_with("PERF_RECORD_LOST")) {
      const int count = trace_text::number_after_last(header.body, "lost ").value_or(0);
      lost(event, event.cpu, count > 0 ? static_cast<std::uint64_t>(count) : 0);
      return;
    }
    read_body(header.name, header.body, event);
    if (event.kind == TraceKind::kOther || !count(header.name)) {
      ++report_.other_events;
      if (dump_.empty() && report_.sched_events == 0 && header.name == "reweight_entity")
        dump_ = dump_of_line("reweight_entity:");
      return;
    }
    if (!event.complete || !event.has_task) ++report_.incomplete;
    if (!event.complete) report_.gaps.add({event.line, "an event with parts missing"});
    // With `perf script -F pid` the number in front is the process.
    if (event.kind == TraceKind::kSwitch && event.from >= 0 && event.current >= 0 &&
        event.from != event.current)
      context_.current_told = false;
    window_.add(event, context_);
  }

  void lost(TraceEvent event, int cpu, std::uint64_t count) {
    event.kind = TraceKind::kLost;
    event.cpu = cpu < kMaxTraceCpus ? cpu : kUnknownNumber;
    event.lost = count;
    report_.lost += count;
    report_.gaps.add(
        {event.line, (count > 0 ? std::to_string(count) : std::string("an unknown number of")) +
                         " events lost" + (cpu >= 0 ? " on CPU " + std::to_string(cpu) : "")});
    window_.add(event, context_);
  }

  /// False: too many names for a trace of this kernel; counted as another event.
  bool count(std::string_view name) {
    auto at = std::find_if(report_.events.begin(), report_.events.end(),
                           [&](const auto& entry) { return entry.first == name; });
    if (at == report_.events.end()) {
      if (report_.events.size() == kMaxNames) return false;
      at = report_.events.insert(at, {std::string(name.substr(0, 64)), 0});
    }
    ++at->second;
    ++report_.sched_events;
    return true;
  }

  void unparsed(std::string_view text) {
    report_.unparsed.add(report_.lines);
    if (dump_.empty() && report_.sched_events == 0) dump_ = dump_of_line(text);
  }

  TraceReport& report_;
  Window window_;
  TraceHeader header_;
  TraceContext context_;
  std::string_view dump_;
};

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) (void)std::fclose(file);
  }
};

/// Gives whole lines to `reader`; of a line that is longer than kMaxLine only the fact.
void read_lines(std::FILE* file, const std::string& name, Reader& reader) {
  std::vector<char> buffer(std::size_t{256} << 10);
  std::size_t kept = 0;
  bool skip = false;  // Inside a line that is too long.
  while (const std::size_t got = std::fread(&buffer[kept], 1, buffer.size() - kept, file)) {
    if (std::memchr(&buffer[kept], '\0', got) != nullptr)
      throw InputError(name +
                       ": binary data, not the text of a trace; give the output of "
                       "trace-cmd report or perf script");
    std::string_view rest(buffer.data(), kept + got);
    for (std::size_t end = rest.find('\n', 0); end != rest.npos; end = rest.find('\n')) {
      if (skip || end > kMaxLine)
        reader.too_long();
      else
        reader.line(rest.substr(0, end));
      skip = false;
      rest.remove_prefix(end + 1);
    }
    if (rest.size() > kMaxLine) {
      skip = true;
      rest = {};
    }
    kept = rest.size();
    if (kept > 0) std::memmove(buffer.data(), rest.data(), kept);
  }
  if (skip) reader.too_long();
  if (kept > 0 && !skip) reader.line(std::string_view(buffer.data(), kept));
}

}  // namespace

void read_trace(const std::string& path, TraceReport& report, const TraceSink& sink) {
  const std::string name = path == "-" ? "standard input" : path;
  const auto fail = [&] {
    throw InputError(name + ": cannot be read (" + std::generic_category().message(errno) +
                     "); check the name and the permissions");
  };
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored))
    throw InputError(name + ": is a directory; give a file");
  const std::unique_ptr<std::FILE, Close> file(path == "-" ? stdin
                                                           : std::fopen(path.c_str(), "rbe"));
  if (!file) fail();
  Reader reader(report, sink);
  read_lines(file.get(), name, reader);
  if (std::ferror(file.get()) != 0) fail();
  reader.finish(name);
}

}  // namespace schedcheck
