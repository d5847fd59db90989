// SPDX-License-Identifier: Apache-2.0
/// \file Runs cvc5 on one query at a time.
#include "cli/second_solver.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "model/input_error.hpp"

namespace schedcheck::cli {
namespace {

/// A file that is gone at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/schedcheck-query-XXXXXX";
    const int fd = mkstemp(path_.data());
    if (fd < 0) throw InputError("no temporary file in " + path_ + "; set TMPDIR");
    const bool written = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(fd);
    if (written) return;
    unlink(path_.c_str());
    throw InputError("cannot write " + path_ + "; is the disk full?");
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What a command writes to standard output.
std::string output_of(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("cannot run: " + command);
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe.get());
    if (got == 0) return text;
    text.append(buffer.data(), got);
  }
}

const char* word(Answer answer) {
  if (answer == Answer::kUnknown) return "unknown";
  return answer == Answer::kSatisfiable ? "sat" : "unsat";
}

}  // namespace

QueryLog::QueryLog(bool keep_text, bool cross_check)
    : keep_text_(keep_text), cross_check_(cross_check) {
  if (cross_check && output_of("cvc5 --version 2>/dev/null").find("cvc5") == std::string::npos)
    throw InputError("--cross-check needs cvc5, which is not installed: apt-get install cvc5");
}

void QueryLog::add(const std::string& smt2, Answer answer) {
  if (keep_text_) {
    if (!text_.empty()) text_ += "(reset)\n";
    text_ += std::string("; z3: ") + word(answer) + "\n" + smt2;
  }
  if (!cross_check_) return;
  const TemporaryFile file(smt2);
  const std::string says =
      output_of("cvc5 --lang smt2 --tlimit=10000 '" + file.path() + "' 2>/dev/null");
  const bool sat = says.starts_with("sat");
  if (!sat && !says.starts_with("unsat")) {
    ++result_.undecided;
    return;
  }
  if (answer == Answer::kUnknown || sat == (answer == Answer::kSatisfiable)) {
    ++result_.agree;
    return;
  }
  throw std::logic_error(std::string("z3 says ") + word(answer) + " and cvc5 " +
                         (sat ? "sat" : "unsat") + " to the same query");
}

}  // namespace schedcheck::cli
