// SPDX-License-Identifier: Apache-2.0
/// \file fork, exec, wait; a signal that came is passed on.
#include "counterexamples/live/child_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace schedcheck {
namespace {

constexpr std::array<int, 3> kHeld = {SIGINT, SIGTERM, SIGHUP};
constexpr int kPatienceMs = 5000;  ///< A child that does not end after SIGTERM is killed.

volatile std::sig_atomic_t signal_arrived = 0;

extern "C" void note_signal(int number) { signal_arrived = number; }

[[noreturn]] void become(std::vector<std::string> command, const char* output) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  (void)setpgid(0, 0);
  // Killed without a chance to clean up, we still take the program along.
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (const int number : kHeld) (void)std::signal(number, SIG_DFL);
  const int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (file >= 0 && nothing >= 0 && dup2(nothing, 0) == 0 && dup2(file, 1) == 1 &&
      dup2(file, 2) == 2)
    (void)execvp(words.front(), words.data());
  _exit(kNotStarted);
}

}  // namespace

HeldSignals::HeldSignals() {
  signal_arrived = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  for (std::size_t i = 0; i < kHeld.size(); ++i) (void)sigaction(kHeld[i], &action, &before_[i]);
}

HeldSignals::~HeldSignals() {
  for (std::size_t i = 0; i < kHeld.size(); ++i) (void)sigaction(kHeld[i], &before_[i], nullptr);
}

bool HeldSignals::arrived() const { return signal_arrived != 0; }

int run_child(const std::vector<std::string>& command, const std::filesystem::path& output) {
  if (signal_arrived != 0) return 128 + signal_arrived;
  const pid_t child = fork();
  if (child == 0) become(command, output.c_str());
  if (child < 0) return kNotStarted;
  (void)setpgid(child, child);
  int status = 0;
  int waited_ms = 0;
  bool told = false;
  // Polled: a signal that came between the check and a blocking wait would be slept over.
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (signal_arrived != 0 && !told) told = kill(child, SIGTERM) == 0;
    if (told && (waited_ms += 10) > kPatienceMs) (void)kill(-child, SIGKILL);
    usleep(10'000);
  }
  (void)kill(-child, SIGKILL);  // What it may have left.
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace schedcheck
