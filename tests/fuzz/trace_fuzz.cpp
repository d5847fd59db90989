// SPDX-License-Identifier: Apache-2.0
/// \file
/// libFuzzer target: any text is a trace with a report whose counts agree, or refused in one line.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "counterexamples/trace/check_trace.hpp"
#include "model/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace schedcheck;  // NOLINT(google-build-using-namespace): the function is C's.
  static const int kFile = memfd_create("trace", MFD_CLOEXEC);
  static const std::string kPath = "/proc/self/fd/" + std::to_string(kFile);
  if (ftruncate(kFile, 0) != 0 || pwrite(kFile, data, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  try {
    const TraceReport report = check_trace(kPath, TraceOptions{});
    std::uint64_t events = 0;
    for (const auto& [name, count] : report.events) events += count;
    if (events != report.sched_events || events > report.lines) std::abort();
    for (const TraceFinding& finding : report.findings())
      if (finding.line == 0 || finding.line > report.lines) std::abort();
  } catch (const InputError& refusal) {
    if (std::string_view(refusal.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
