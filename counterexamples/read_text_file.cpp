// SPDX-License-Identifier: Apache-2.0
/// \file Reading with a limit, through stdio: pipes and terminals too.
#include "counterexamples/read_text_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) (void)std::fclose(file);
  }
};

[[noreturn]] void fail(const std::string& name) {
  throw InputError(name + ": cannot be read (" + std::generic_category().message(errno) +
                   "); check the name and the permissions");
}

}  // namespace

std::string read_text_file(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored))
    throw InputError(name + ": is a directory; give a file");
  const std::unique_ptr<std::FILE, Close> file(path == "-" ? stdin
                                                           : std::fopen(path.c_str(), "rbe"));
  if (!file) fail(name);
  std::string text;
  std::array<char, 65536> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), file.get())) {
    text.append(part.data(), n);
    if (text.size() > kMaxInputBytes)
      throw InputError(name + ": longer than " + std::to_string(kMaxInputBytes >> 20) +
                       " MiB; give a schedule or a record, not a stream");
  }
  if (std::ferror(file.get()) != 0) fail(name);
  return text;
}

}  // namespace schedcheck
