// SPDX-License-Identifier: Apache-2.0
/// \file Standard streams, durations, terminal, Ctrl-C.
#include "cli/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "counterexamples/read_text_file.hpp"
#include "counterexamples/schedule_json.hpp"
#include "counterexamples/topology_json.hpp"
#include "model/input_error.hpp"

namespace schedcheck::cli {
namespace {

[[noreturn]] void fail_stream(std::string_view name) {
  throw InputError(
      fmt::format("{} cannot be written ({}); check the disk, the pipe or the "
                  "redirection",
                  name, std::generic_category().message(errno)));
}

/// A reader that closes its pipe has seen enough: the work goes on for the exit status, the rest of
/// the text goes nowhere.
void check_written(bool written, std::FILE* stream) {
  static bool out_gone = false;
  static bool err_gone = false;
  bool& gone = stream == stdout ? out_gone : err_gone;
  if (written || gone) return;
  gone = errno == EPIPE;
  if (!gone) fail_stream(stream == stdout ? "standard output" : "standard error");
}

void write_to(std::FILE* stream, std::string_view text) {
  const bool all = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  check_written(all && std::ferror(stream) == 0, stream);
}

volatile std::sig_atomic_t interrupt_count = 0;

extern "C" void note_interrupt(int signal_number) {
  interrupt_count = interrupt_count + 1;
  // A second Ctrl-C does not wait for the current batch.
  if (interrupt_count > 1) {
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
  }
}

}  // namespace

std::chrono::milliseconds parse_duration(const std::string& text, std::string_view option) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto at = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  const std::string_view unit(at.ptr, static_cast<std::size_t>(end - at.ptr));
  const double factor = unit == "ms"                  ? 1
                        : unit.empty() || unit == "s" ? 1000
                        : unit == "m"                 ? 60'000
                                                      : 0;
  constexpr double kDay = 86'400'000;
  if (at.ec != std::errc{} || factor == 0 || !(value >= 0) || value * factor > kDay)
    throw InputError(fmt::format(
        "{} '{}': expected a duration such as 60s, 500ms or 2m, at most 24 hours", option, text));
  // Rounded up: 0 would mean no limit.
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(value * factor)));
}

void put(std::string_view text) { write_to(stdout, text); }
void put_note(std::string_view text) { write_to(stderr, text); }

void flush_output() {
  put("");
  put_note("");
  check_written(std::fflush(stdout) == 0, stdout);
}

void reserve_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);  // Writing says so too (EPIPE).
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // In the wrong direction, so that every use still fails with EBADF. The lowest free number is
    // taken, which is this one.
    (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

Schedule empty_schedule(const std::string& kernel, const std::string& topology,
                        std::int64_t tick_ns, int tasks) {
  Schedule schedule;
  schedule.topology = canonical_spec(load_topology(topology));
  schedule.kernel = parse_kernel(kernel).name;
  schedule.tick_ns = tick_ns;
  schedule.max_tasks = tasks;
  return schedule;
}

std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

std::string as_file_name(std::string text) {
  // A machine without a shorthand is a list of numbers, longer than file systems take.
  if (const std::size_t map = text.find("map:"); map != std::string::npos) {
    const std::size_t dot = text.rfind('.');
    const std::size_t end = dot == std::string::npos || dot < map ? text.size() : dot;
    std::uint32_t hash = 2166136261;  // FNV-1a
    for (std::size_t i = map; i < end; ++i)
      hash = (hash ^ static_cast<unsigned char>(text[i])) * 16777619;
    text = fmt::format("{}map-{:08x}{}", text.substr(0, map), hash, text.substr(end));
  }
  for (char& c : text)
    if (c == ':' || c == ',' || c == '=' || c == '/') c = '_';
  return text;
}

Schedule load_schedule(const std::string& path, const std::string& kernel) {
  Schedule schedule =
      schedule_from_json(read_text_file(path), path == "-" ? "standard input" : path);
  if (!kernel.empty()) schedule.kernel = parse_kernel(kernel).name;
  return schedule;
}

bool interrupted() { return interrupt_count > 0; }
void catch_interrupts() { std::signal(SIGINT, note_interrupt); }

std::string paint(std::string_view text, std::string_view colour) {
  if (isatty(STDOUT_FILENO) == 0) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", colour, text);
}

}  // namespace schedcheck::cli
