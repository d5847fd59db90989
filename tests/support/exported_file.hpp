// SPDX-License-Identifier: Apache-2.0
/// \file What the tests of exporters share: the found schedules, a folder per test, real tools.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "counterexamples/export/export.hpp"
#include "counterexamples/schedule_json.hpp"
#include "tests/support/refusal.hpp"

namespace schedcheck {

struct Result {
  int status = -1;
  std::string output;
};

inline Result shell(const std::string& command) {
  Result result;
  FILE* pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> part{};
  while (const std::size_t n = fread(part.data(), 1, part.size(), pipe))
    result.output.append(part.data(), n);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

inline bool have(const std::string& program) { return shell("command -v " + program).status == 0; }

inline Event event(EventKind kind, int task) {
  Event e;
  e.kind = kind;
  e.task = task;
  return e;
}

inline Event run(std::int64_t ns) {
  Event e;
  e.duration_ns = ns;
  return e;
}

/// The schedules of counterexamples/found/, in order of their names.
/// Kept counterexamples, by file name: those where tasks take turns (limit L1), or the others.
inline std::vector<Schedule> found_schedules(bool round_robin = true) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(SCHEDCHECK_SOURCE_DIR "/counterexamples/found"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Schedule> found;
  for (const auto& file : files) {
    std::ifstream in(file);
    Schedule schedule =
        schedule_from_json(std::string(std::istreambuf_iterator<char>(in), {}), file.string());
    if (schedule.round_robin == round_robin) found.push_back(std::move(schedule));
  }
  return found;
}

/// A task that sleeps, is woken, runs on and dies; nobody forks.
inline Schedule sleeper() {
  Schedule s;
  s.topology = "smp:2";
  s.tasks = {InitialTask{.cpu = 0},
             InitialTask{.cpu = 1, .weight = 335, .cpus = 2, .blocked = true}};
  Event affinity = event(EventKind::kSetAffinity, 0);
  affinity.cpus = 1;
  Event exit = event(EventKind::kExit, 0);
  exit.wakes = 1;
  s.events = {run(1'000'000),
              affinity,
              event(EventKind::kBlock, 0),
              run(2'000'000),
              event(EventKind::kWake, 1),
              run(5'000'000),
              event(EventKind::kWake, 0),
              event(EventKind::kBlock, 1),
              run(500'000),
              exit,
              run(1'000'000)};
  return s;
}

/// The message of the InputError that an export ends with, or "accepted".
inline std::string refusal(const Schedule& schedule, const std::string& format) {
  return refusal_of([&] { export_schedule(schedule, format); });
}

/// A folder of its own for each test.
class ExportedFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "export_test.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    dir = name;
  }
  void TearDown() override { std::filesystem::remove_all(dir); }

  std::string write(const std::string& name, const std::string& text) {
    return std::ofstream(dir / name) << text, dir / name;
  }

  std::filesystem::path dir;
};

}  // namespace schedcheck
