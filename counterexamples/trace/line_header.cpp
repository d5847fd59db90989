// SPDX-License-Identifier: Apache-2.0
/// \file Headers are found from what cannot be part of a command name: a number in brackets or a
/// time, with a task number in front of it. The name itself may hold anything.
#include "counterexamples/trace/line_header.hpp"

#include "counterexamples/trace/trace_text.hpp"

namespace schedcheck {
namespace {

using namespace trace_text;  // NOLINT(google-build-using-namespace): the readers of a line.

/// "12.345678:", "12.345678901:", "4711:" of a clock without a unit, "4213us:". Only the first two
/// and the last have a known unit; `time_ns` stays unknown for the other.
bool read_time(std::string_view token, std::int64_t& time_ns) {
  std::int64_t seconds = 0;
  if (token.size() < 2 || !is_digit(token.front()) || token.back() != ':') return false;
  token.remove_suffix(1);
  if (!take_number(token, seconds)) return false;
  time_ns = kUnknownNumber;
  if (token.empty()) return true;
  if (take(token, "us")) {
    time_ns = seconds * 1000;
    return token.size() <= 1 && seconds < INT64_MAX / 1000;
  }
  if (!take(token, ".") || token.empty() || token.size() > 9) return false;
  std::int64_t fraction = 0;
  std::size_t digits = token.size();
  if (!take_number(token, fraction) || !token.empty() || fraction < 0) return false;
  for (; digits < 9; ++digits) fraction *= 10;
  if (seconds > 9'000'000'000) return false;  // More would not fit: 285 years.
  time_ns = seconds * 1'000'000'000 + fraction;
  return true;
}

/// The task number at the end of what stands in front of a CPU or a time. False: there is none.
bool read_task(std::string_view before, TraceEvent& event) {
  before = trim(before);
  if (before.ends_with(')')) {
    // The thread group: "(  260)" or "(-----)".
    const std::size_t open = before.rfind('(');
    if (open == std::string_view::npos) return false;
    before = trim(before.substr(0, open));
  }
  event.has_task = !before.empty();
  if (!event.has_task) return true;
  if (!take_last_number(before, event.current)) return false;
  if (before.ends_with('/')) {
    int process = 0;
    before.remove_suffix(1);
    return take_last_number(before, process);
  }
  // "comm-12" of ftrace, "comm 12" of perf; " -1" is perf's way to say unknown.
  if (before.empty() || before == "-" || before.ends_with(" -")) event.current = kUnknownNumber;
  return before.empty() || before.ends_with('-') || is_space(before.back());
}

/// The event's name, perhaps with its system and modifiers: sched:sched_switch/freq=9/u:
bool read_name(std::string_view rest, LineHeader& header, bool& has_system) {
  std::string_view token = take_token(rest);
  if (token.empty()) return false;
  const std::string_view whole = token;
  std::size_t end = token.find(':');
  has_system = end != std::string_view::npos && end + 1 < token.size() && token[end + 1] != ':';
  if (has_system) {
    token.remove_prefix(end + 1);
    end = token.find_first_of("/:");
  }
  header.name = token.substr(0, end);
  header.body = trim(rest);
  if (!has_system && whole.find(':') == std::string_view::npos && !whole.starts_with("PERF_RECORD"))
    header.name = "";  // A function of a tracer, a mark: an event without fields.
  return true;
}

/// Flags, time, period and difference, then the name. `event.time_ns` stays unknown without a time.
bool read_after_cpu(std::string_view rest, TraceEvent& event, LineHeader& header) {
  std::string_view look = rest;
  std::string_view token = take_token(look);
  bool anchored = read_time(token, event.time_ns);
  if (!anchored) {
    std::string_view flags = token;
    const bool ends_header = flags.ends_with(':');  // No time: "dN.1.:".
    if (ends_header) flags.remove_suffix(1);
    const bool are_flags = flags.size() >= 3 && flags.size() <= 8 &&
                           flags.find_first_of(":=_/") == std::string_view::npos;
    std::string_view next = look;
    if (are_flags && ends_header) {
      anchored = true;
    } else if (are_flags && read_time(take_token(next), event.time_ns)) {
      anchored = true;
      look = next;
    }
    if (!anchored) look = rest;
  }
  for (std::string_view next = look; anchored; look = next) {
    token = take_token(next);
    const bool skip = token.starts_with("(+") || token.starts_with("(-") ||
                      (!token.empty() && token.find_first_not_of("0123456789") == token.npos);
    if (!skip) break;
  }
  bool has_system = false;
  return read_name(look, header, has_system) && (anchored || (has_system && event.has_task));
}

}  // namespace

bool read_bracket_header(std::string_view line, TraceEvent& event, LineHeader& header) {
  bool found = false;
  for (std::size_t open = line.find('['); open != std::string_view::npos;
       open = line.find('[', open + 1)) {
    std::string_view rest = line.substr(open + 1);
    TraceEvent trial = event;
    LineHeader its;
    if (rest.empty() || !is_digit(rest.front()) || !take_number(rest, trial.cpu) ||
        !take(rest, "]") || trial.cpu >= kMaxTraceCpus || !read_task(line.substr(0, open), trial) ||
        !read_after_cpu(rest, trial, its) || (found && !trial.has_task))
      continue;
    event = trial;
    header = its;
    found = true;
    // Without a task in front it may still be a command name that looks like a header.
    if (trial.has_task) break;
  }
  return found;
}

bool read_plain_header(std::string_view line, TraceEvent& event, LineHeader& header) {
  std::string_view rest = line;
  std::size_t previous = 0;  // Where the token in front of the one looked at begins.
  for (std::size_t tokens = 0; !rest.empty(); ++tokens) {
    std::string_view look = rest;
    const std::string_view token = take_token(look);
    if (token.empty()) break;
    const auto at = static_cast<std::size_t>(token.data() - line.data());
    bool has_system = false;
    if (tokens >= 2 && read_time(token, event.time_ns) && read_name(look, header, has_system)) {
      if (has_system && read_task(line.substr(0, at), event)) return true;
      // "0dN.2." with "comm-pid" in front of it.
      std::string_view cpu = line.substr(previous, at - previous);
      const std::string_view task = trim(line.substr(0, previous));
      if (take_number(cpu, event.cpu) && event.cpu >= 0 && event.cpu < kMaxTraceCpus &&
          trim(cpu).size() >= 3 && task.find('-') != std::string_view::npos &&
          read_task(task, event))
        return true;
      event.cpu = kUnknownNumber;
    }
    previous = at;
    rest = look;
  }
  return false;
}

}  // namespace schedcheck
