// SPDX-License-Identifier: Apache-2.0
/// \file Compile, trace, run, collect; everything made here is removed by destructors.
#include "counterexamples/live/live_run.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "counterexamples/export/export.hpp"
#include "counterexamples/live/child_process.hpp"
#include "counterexamples/live/trace_instance.hpp"

namespace schedcheck {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = fs::temp_directory_path() / "schedcheck-run.XXXXXX";
    if (mkdtemp(name.data()) == nullptr)
      throw NotRunnableHere("run: no folder can be made in " + fs::temp_directory_path().string());
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

void require_cpus(int needed) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  const int have = CPU_COUNT(&allowed);
  if (have < needed)
    throw NotRunnableHere(
        fmt::format("run: the schedule needs {} CPUs and this process may use {}; run it on a "
                    "larger machine, or with --trace on a trace recorded there",
                    needed, have));
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void compile(const TemporaryFolder& folder, const std::string& source) {
  std::ofstream(folder / "run.c") << source;
  const int status =
      run_child({"gcc", "-O2", "-o", folder / "run", folder / "run.c"}, folder / "gcc.txt");
  if (status == kNotStarted)
    throw NotRunnableHere("run: gcc is not installed; the workload has to be compiled");
  if (status != 0)
    throw NotRunnableHere("run: gcc failed: " + text_of(folder / "gcc.txt").substr(0, 300));
}

}  // namespace

LiveResult run_live(const Schedule& schedule) {
  const std::string source = export_c(schedule);
  require_cpus(make_model(schedule).topology.nr_cpus);
  if (geteuid() != 0)
    throw NotRunnableHere("run: tracing and realtime policies need root; start it as root");
  const HeldSignals signals;
  LiveResult result;
  const TemporaryFolder folder;
  compile(folder, source);
  {
    TraceInstance instance(folder / "tracefs");
    const int status = run_child({folder / "run", "--marks", instance.path() / "trace_marker"},
                                 folder / "report.txt");
    instance.stop();
    result.report = text_of(folder / "report.txt");
    result.trace = text_of(instance.path() / "trace");
    if (signals.arrived()) throw Interrupted("run: interrupted; nothing is left behind");
    if (status != 0)
      throw NotRunnableHere(fmt::format("run: the workload ended with status {}: {}", status,
                                        result.report.substr(0, 300)));
  }
  utsname system{};
  uname(&system);
  result.kernel = std::string(std::begin(system.release));
  return result;
}

}  // namespace schedcheck
