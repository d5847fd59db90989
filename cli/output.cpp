// SPDX-License-Identifier: Apache-2.0
/// \file Files, durations, terminal.
#include "cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <fstream>
#include <iostream>
#include <sstream>

#include "counterexamples/schedule_json.hpp"
#include "model/input_error.hpp"

namespace schedcheck::cli {
namespace {

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
  return std::chrono::milliseconds(static_cast<std::int64_t>(value * factor));
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  if (std::filesystem::is_directory(path))
    throw InputError(path + ": is a directory; give a schedule file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": cannot be read; check the name and the permissions");
  text << file.rdbuf();
  return text.str();
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path temporary = path.string() + fmt::format(".{}.tmp", getpid());
  {
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
      std::error_code ignored;
      std::filesystem::remove(temporary, ignored);
      throw InputError(path.string() +
                       ": cannot be written; check the directory and the permissions");
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) {
    std::filesystem::remove(temporary, error);
    throw InputError(path.string() + ": cannot be replaced; check what is there");
  }
}

Schedule load_schedule(const std::string& path, const std::string& kernel) {
  Schedule schedule = schedule_from_json(read_file(path), path == "-" ? "standard input" : path);
  // A tick costs about as much as an event: this many take seconds, more would look like a hang.
  constexpr std::int64_t kTicksMax = 10'000'000;
  std::int64_t ticks = 0;
  for (const auto* events : {&schedule.preamble, &schedule.events})
    for (const Event& event : *events)
      if (schedule.tick_ns > 0) ticks += (event.duration_ns + event.after_ns) / schedule.tick_ns;
  if (ticks > kTicksMax)
    throw InputError(
        fmt::format("{}: the events span {} ticks, more than {}; shorten them or set "
                    "/tick_ns to 0",
                    path, ticks, kTicksMax));
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
