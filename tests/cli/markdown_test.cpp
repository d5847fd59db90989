// SPDX-License-Identifier: Apache-2.0
/// \file Command-line tests are Markdown: tests/cli/*.md. A block `    $ command` is run in an
/// empty directory; the lines that follow it must appear in its output in that order (`...` skips
/// lines), and `[exit N]` on a line of its own gives the exit status, 0 if absent. The README's
/// commands are run as a reader types them, in a copy of the repository's root with a built
/// ./schedcheck; the other pages find `schedcheck` on PATH and the repository in $REPO.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Command {
  std::string where;
  std::string text;
  std::vector<std::string> expected;
  int status = 0;
};

std::string trimmed(std::string line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
  return line;
}

std::vector<Command> commands_of(const std::filesystem::path& page) {
  std::vector<Command> commands;
  std::ifstream file(page);
  std::string line;
  int number = 0;
  bool inside = false;
  while (std::getline(file, line)) {
    ++number;
    if (!line.starts_with("    ")) {
      inside = false;
      continue;
    }
    line = trimmed(line.substr(4));
    if (line.starts_with("$ ")) {
      commands.push_back(
          {page.filename().string() + ":" + std::to_string(number), line.substr(2), {}, 0});
      inside = true;
    } else if (inside && line.starts_with("[exit ")) {
      commands.back().status = std::stoi(line.substr(6));
    } else if (inside && line != "...") {
      commands.back().expected.push_back(line);
    }
  }
  return commands;
}

std::pair<std::string, int> output_of(const std::string& command,
                                      const std::filesystem::path& directory,
                                      const std::string& settings) {
  const std::string line =
      "cd '" + directory.string() + "' && " + settings + " { " + command + " ; } 2>&1";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(line.c_str(), "r"), [](FILE*) { return 0; });
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe.get()))
    text.append(buffer.data(), n);
  const int status = pclose(pipe.get());
  return {text, WIFEXITED(status) ? WEXITSTATUS(status) : 128};
}

/// The root as it is once ./schedcheck has been run: links, and the program instead of its script.
void mirror_repository(const std::filesystem::path& directory) {
  for (const auto& entry : std::filesystem::directory_iterator(SCHEDCHECK_SOURCE_DIR)) {
    const auto name = entry.path().filename();
    if (name != "schedcheck" && name != "build" && name != "counterexamples-found")
      std::filesystem::create_symlink(entry.path(), directory / name);
  }
  std::filesystem::create_symlink(SCHEDCHECK_BINARY, directory / "schedcheck");
}

class Page : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Page, ShowsWhatTheCommandsPrint) {
  const auto directory =
      std::filesystem::temp_directory_path() /
      ("schedcheck-cli-" + std::to_string(getpid()) + "-" + GetParam().stem().string());
  std::filesystem::create_directories(directory);
  std::string settings;
  if (GetParam().filename() == "README.md")
    mirror_repository(directory);
  else
    settings = "PATH='" + std::filesystem::path(SCHEDCHECK_BINARY).parent_path().string() +
               "':\"$PATH\"; export REPO='" SCHEDCHECK_SOURCE_DIR "';";
  const std::vector<Command> commands = commands_of(GetParam());
  EXPECT_FALSE(commands.empty());
  for (const Command& command : commands) {
    const auto [text, status] = output_of(command.text, directory, settings);
    EXPECT_EQ(status, command.status) << command.where << ": " << command.text << "\n" << text;
    std::size_t at = 0;
    for (const std::string& line : command.expected) {
      const std::size_t found = text.find(line, at);
      EXPECT_NE(found, std::string::npos)
          << command.where << ": missing, or not in order: " << line << "\n"
          << text;
      if (found != std::string::npos) at = found + line.size();
    }
  }
  std::filesystem::remove_all(directory);
}

std::vector<std::filesystem::path> pages() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(SCHEDCHECK_SOURCE_DIR "/tests/cli"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  found.emplace_back(SCHEDCHECK_SOURCE_DIR "/README.md");
  return found;
}

INSTANTIATE_TEST_SUITE_P(Cli, Page, testing::ValuesIn(pages()), [](const auto& page) {
  std::string name = page.param.stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

}  // namespace
