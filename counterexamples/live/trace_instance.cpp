// SPDX-License-Identifier: Apache-2.0
/// \file Makes and removes instances/schedcheck-PID.
#include "counterexamples/live/trace_instance.hpp"

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "counterexamples/live/live_run.hpp"

namespace schedcheck {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> kUsualPlaces = {"/sys/kernel/tracing",
                                                     "/sys/kernel/debug/tracing"};
constexpr std::array<const char*, 6> kEvents = {"sched_switch",       "sched_wakeup",
                                                "sched_wakeup_new",   "sched_migrate_task",
                                                "sched_process_fork", "sched_process_exit"};

bool put(const fs::path& path, const char* text) {
  std::ofstream file(path);
  return static_cast<bool>(file << text << std::flush);
}

/// Visible to this process and its children only, and gone with the last of them.
bool mount_privately(const fs::path& at) {
  std::error_code error;
  return fs::create_directory(at, error) && unshare(CLONE_NEWNS) == 0 &&
         mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tracefs", at.c_str(), "tracefs", 0, nullptr) == 0;
}

}  // namespace

TraceInstance::TraceInstance(const fs::path& mount_point) {
  fs::path base;
  std::error_code error;
  for (const char* place : kUsualPlaces)
    if (base.empty() && fs::is_directory(fs::path(place) / "instances", error)) base = place;
  if (base.empty()) {
    if (!mount_privately(mount_point))
      throw NotRunnableHere(std::string("run: tracefs is not mounted and cannot be (") +
                            std::generic_category().message(errno) +
                            "); mount -t tracefs tracefs /sys/kernel/tracing");
    base = mounted_ = mount_point;
  }
  const fs::path made = base / "instances" / ("schedcheck-" + std::to_string(getpid()));
  if (!fs::create_directory(made, error)) {
    if (!mounted_.empty()) (void)umount2(mounted_.c_str(), MNT_DETACH);
    throw NotRunnableHere("run: no tracefs instance can be made: " + made.string() + ": " +
                          error.message());
  }
  instance_ = made;
  // One clock for all CPUs: the local one orders their events only nearly.
  (void)put(instance_ / "trace_clock", "mono");
  (void)put(instance_ / "buffer_size_kb", "8192");
  for (const char* event : kEvents) (void)put(instance_ / "events/sched" / event / "enable", "1");
}

void TraceInstance::stop() { (void)put(instance_ / "tracing_on", "0"); }

TraceInstance::~TraceInstance() {
  stop();
  // A reader of the instance may still be closing: the kernel then says busy.
  for (int tries = 0; rmdir(instance_.c_str()) != 0 && errno == EBUSY && tries < 100; ++tries)
    usleep(10'000);
  if (!mounted_.empty()) (void)umount2(mounted_.c_str(), MNT_DETACH);
}

}  // namespace schedcheck
