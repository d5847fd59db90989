// SPDX-License-Identifier: Apache-2.0
/// \file Output files: all or nothing, and only regular ones.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "cli/output.hpp"
#include "model/input_error.hpp"

namespace schedcheck::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, std::string_view what) {
  throw InputError(fmt::format("{}: {}", path.string(), what));
}

[[noreturn]] void fail_errno(const fs::path& path, int error) {
  fail(path,
       fmt::format("cannot be written ({}); check the directory, the disk and the permissions",
                   std::generic_category().message(error)));
}

/// Where a link that leads to no file yet points to: the file is made there, as a shell would.
fs::path follow_dangling(const fs::path& path) {
  constexpr int kLinksMax = 40;  // As the kernel.
  fs::path target = path;
  std::error_code error;
  for (int i = 0; i < kLinksMax; ++i) {
    if (fs::symlink_status(target, error).type() != fs::file_type::symlink) return target;
    const fs::path link = fs::read_symlink(target, error);
    if (error) fail_errno(path, error.value());
    target = link.is_absolute() ? link : target.parent_path() / link;
  }
  fail(path, "too many links; give the file itself");
}

/// The regular file that `path` leads to, or will lead to.
fs::path regular_target(const fs::path& path) {
  if (path.empty()) throw InputError("output file '': the name is empty; give a file name");
  std::error_code error;
  switch (fs::status(path, error).type()) {
    case fs::file_type::not_found:
      return follow_dangling(path);
    case fs::file_type::regular:
      break;
    case fs::file_type::directory:
      fail(path, "is a directory; give a file name");
    case fs::file_type::none:
      fail_errno(path, error.value());
    default:
      fail(path,
           "is not a regular file and would be replaced; give a file name, or use standard output");
  }
  if (access(path.c_str(), W_OK) != 0) fail_errno(path, errno);
  fs::path target = fs::canonical(path, error);
  if (error) fail_errno(path, error.value());
  return target;
}

/// The mode of the file that is replaced, or what a new file gets from the umask.
mode_t mode_of(const fs::path& target, bool executable) {
  struct stat there {};
  mode_t mode = 0;
  if (stat(target.c_str(), &there) == 0) {
    mode = there.st_mode & 0777;
  } else {
    const mode_t mask = umask(0);
    umask(mask);
    mode = 0666 & ~mask;
  }
  return executable ? mode | S_IXUSR : mode;
}

/// Yields 0 or the error.
int write_all(int fd, std::string_view text, mode_t mode) {
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return fchmod(fd, mode) == 0 ? 0 : errno;
}

}  // namespace

void require_writable(const fs::path& path) {
  if (path == "-") throw InputError("output file '-': name a file");
  const fs::path target = regular_target(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail_errno(path, errno);
}

void require_folder(const std::string& out) {
  std::error_code error;
  fs::path there = fs::absolute(out, error);
  while (!fs::exists(there, error) && !error && there != there.root_path())
    there = there.parent_path();
  if (error)
    throw InputError(
        fmt::format("--out {}: cannot be used ({}); give another directory", out, error.message()));
  if (!fs::is_directory(there, error))
    throw InputError(
        fmt::format("--out {}: {} is not a directory; give another one", out, there.string()));
  if (access(there.c_str(), W_OK | X_OK) != 0)
    throw InputError(
        fmt::format("--out {}: {} is not writable; give another directory", out, there.string()));
}

void write_file(const fs::path& path, const std::string& text, bool executable) {
  const fs::path target = regular_target(path);
  // An unpredictable name that did not exist: nobody's link is followed here.
  std::string temporary = target.string() + ".XXXXXX";
  const int fd = mkstemp(temporary.data());
  if (fd < 0) fail_errno(path, errno);
  int error = write_all(fd, text, mode_of(target, executable));
  if (close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return;
  (void)unlink(temporary.c_str());
  fail_errno(path, error);
}

}  // namespace schedcheck::cli
