// SPDX-License-Identifier: Apache-2.0
/// \file The words that ftrace, trace-cmd and perf print between events.
#include "counterexamples/trace/other_lines.hpp"

#include <array>
#include <utility>

#include "counterexamples/trace/trace_event.hpp"
#include "counterexamples/trace/trace_text.hpp"

namespace schedcheck {
namespace {

using namespace trace_text;  // NOLINT(google-build-using-namespace): the readers of a line.

void read_comment(std::string_view line, TraceHeader& header) {
  if (const std::size_t at = line.find("entries-in-buffer/entries-written:"); at != line.npos) {
    std::string_view rest = trim(line.substr(at + 34));
    std::uint64_t kept = 0;
    std::uint64_t written = 0;
    if (take_number(rest, kept) && take(rest, "/") && take_number(rest, written) && written > kept)
      header.overwritten = written - kept;
  }
  auto cpus = number_after_last(line, "#P:");
  if (!cpus && line.find("nrcpus online") != line.npos) cpus = number_after_last(line, ": ");
  if (cpus && *cpus > 0 && *cpus <= kMaxTraceCpus) header.cpus = *cpus;
}

/// `ffffffff81b0a1b3 schedule ([kernel.kallsyms])`, indented.
bool is_call_chain(std::string_view line) {
  if (line.empty() || !is_space(line.front())) return false;
  const std::string_view address = take_token(line);
  return address.find_first_not_of("0123456789abcdefABCDEF") == address.npos &&
         (address.size() >= 8 || trim(line).ends_with(')'));
}

bool is_banner(std::string_view text, TraceHeader& header) {
  int number = 0;
  if (take(text, "cpus=")) {
    if (take_number(text, number) && number > 0 && number <= kMaxTraceCpus) header.cpus = number;
    return true;
  }
  if (text.starts_with("CPU ") && text.ends_with(" is empty")) return true;
  if (text.starts_with("Processed ") && text.find(" events") != text.npos) return true;
  for (const std::string_view word :
       {"version = ", "Check IO/CPU overload", "trace-cmd:", "Buffer: ", "Warning:", "=> ",
        "<stack trace", "[unknown] (", "No data", "Misc"})
    if (text.starts_with(word)) return true;
  return false;
}

}  // namespace

std::optional<LostNote> lost_note(std::string_view line) {
  LostNote note;
  std::string_view text = trim(line);
  if (text == "..." || text == "[...]") return note;
  if (take(text, "CPU:") && (!take_number(text, note.cpu) || note.cpu < 0)) return std::nullopt;
  text = trim(text);
  if (!take(text, "[")) return std::nullopt;
  if (take(text, "LOST ")) {
    if (take_number(text, note.count) && text.starts_with(" EVENTS]")) return note;
    return std::nullopt;
  }
  if (take_number(text, note.count)) text = trim(text);
  return text.starts_with("EVENTS DROPPED]") ? std::optional(note) : std::nullopt;
}

bool explained_line(std::string_view line, TraceHeader& header) {
  const std::string_view text = trim(line);
  if (text.empty()) return true;
  if (text.front() == '#') {
    read_comment(text, header);
    return true;
  }
  return is_call_chain(line) || is_banner(text, header);
}

std::string_view dump_of_line(std::string_view line) {
  constexpr auto kSigns = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"Sched Debug Version", "a sched/debug dump"},
      {"cfs_rq[", "a sched/debug dump"},
      {"attaching sched-domain", "a kernel log of sched domains"},
      {"DEBUG DUMP", "a sched_ext debug dump"},
      {"triggered exit kind", "a sched_ext debug dump"},
      {"timestamp 4", "a /proc/schedstat dump"},
      {"domain0 ", "a /proc/schedstat dump"},
      {"Max delay ms", "output of `perf sched latency`"},
      {"sch delay", "output of `perf sched timehist`"},
      {" secs ", "output of `perf sched map`"},
      {"validate_cfs_rq:", "a dump of an EEVDF tree"},
      {"__print_se:", "a dump of an EEVDF tree"},
      {"reweight_entity:", "trace_printk output of reweight_entity()"},
      {"PERFILE2", "a perf.data file; give the output of `perf script`"},
      {"\"traceEvents\"", "Chrome trace JSON"},
  });
  for (const auto& [sign, name] : kSigns)
    if (line.find(sign) != line.npos) return name;
  return {};
}

}  // namespace schedcheck
