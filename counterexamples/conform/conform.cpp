// SPDX-License-Identifier: Apache-2.0
/// \file Finding the files and comparing each.
#include "counterexamples/conform/conform.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "counterexamples/conform/csv_kinds.hpp"
#include "counterexamples/conform/csv_table.hpp"
#include "counterexamples/conform/domain_dump.hpp"
#include "counterexamples/conform/file_kinds.hpp"
#include "counterexamples/conform/json_kinds.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/read_text_file.hpp"
#include "counterexamples/schedule_json_strict.hpp"
#include "model/input_error.hpp"

namespace schedcheck {
namespace {

namespace fs = std::filesystem;

bool counts(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::string extension = path.extension().string();
  if (name.starts_with("README") || name == "machines.json") return false;
  return extension == ".json" || extension == ".csv" || extension == ".txt";
}

/// The files of a folder that count, in alphabetical order.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  try {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && counts(entry.path())) files.push_back(entry.path());
  } catch (const fs::filesystem_error& error) {
    throw InputError(folder.string() + ": the folder cannot be read (" + error.code().message() +
                     "); check its permissions");
  }
  if (files.empty())
    throw InputError(folder.string() +
                     ": the folder has no .json, .csv or .txt file to compare; give another one");
  std::sort(files.begin(), files.end());
  return files;
}

/// Text that does not begin like JSON and is no dump is a table.
bool looks_like_json(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && (text[first] == '{' || text[first] == '[');
}

}  // namespace

ConformFile check_text(const fs::path& path, const std::string& text) {
  ConformFile result;
  result.file = path.string();
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(result.file + ":1: the file is empty; leave it out");
  if (text.find(kDomainPrefix) != std::string::npos && !looks_like_json(text)) {
    check_domain_dump(path, text, result);
  } else if (looks_like_json(text) || path.extension() == ".json") {
    const nlohmann::json document = parse_strict_json(text, result.file);
    check_json(JsonReader(result.file, document), result);
  } else {
    check_csv(parse_csv(result.file, text), path.parent_path(), result);
  }
  if (result.compared + result.skipped == 0)
    throw InputError(result.file + ": has no row of kind " + result.kind +
                     " to compare; add rows or leave the file out");
  return result;
}

std::vector<ConformFile> conform(const std::vector<fs::path>& paths) {
  std::vector<ConformFile> results;
  for (const fs::path& path : paths) {
    if (path == "-") {
      results.push_back(check_text("standard input", read_text_file("-")));
      continue;
    }
    std::error_code error;
    if (!fs::exists(path, error))
      throw InputError(path.string() + ": no such file or folder; check the path");
    const auto files = fs::is_directory(path) ? files_below(path) : std::vector<fs::path>{path};
    for (const fs::path& file : files)
      results.push_back(check_text(file, read_text_file(file.string())));
  }
  return results;
}

}  // namespace schedcheck
