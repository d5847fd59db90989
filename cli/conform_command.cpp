// SPDX-License-Identifier: Apache-2.0
/// \file Output of the command `conform`.
#include "cli/conform_command.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/output.hpp"
#include "counterexamples/conform/conform.hpp"

namespace schedcheck {
namespace {

using cli::print;

std::string as_json(const std::vector<ConformFile>& files) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const ConformFile& file : files) {
    Json entry = {{"file", file.file},
                  {"kind", file.kind},
                  {"compared", file.compared},
                  {"differing", file.differing},
                  {"skipped", file.skipped},
                  {"first_difference", nullptr},
                  {"skipped_rows", file.skipped_rows}};
    if (!file.first_difference.empty()) entry["first_difference"] = file.first_difference;
    list.push_back(std::move(entry));
  }
  const Json object = {{"format", "schedcheck/conform"}, {"version", 1}, {"files", list}};
  return object.dump(1, ' ', false, Json::error_handler_t::replace);
}

/// One line per file, below it the first difference and what was skipped.
void print_table(const std::vector<ConformFile>& files) {
  std::size_t width = 4;
  std::size_t kind_width = 4;
  ConformFile total;
  for (const ConformFile& file : files) {
    width = std::max(width, file.file.size());
    kind_width = std::max(kind_width, file.kind.size());
  }
  print("{:<{}}  {:<{}}  {:>9} {:>10} {:>8}\n", "file", width, "kind", kind_width, "compared",
        "differing", "skipped");
  for (const ConformFile& file : files) {
    print("{:<{}}  {:<{}}  {:>9} {:>10} {:>8}\n", file.file, width, file.kind, kind_width,
          file.compared, file.differing, file.skipped);
    if (!file.first_difference.empty()) print("  first difference: {}\n", file.first_difference);
    for (const std::string& rows : file.skipped_rows) print("  skipped: {}\n", rows);
    total.compared += file.compared;
    total.differing += file.differing;
    total.skipped += file.skipped;
  }
  print("{} rows of {} files compared, {} differ, {} skipped\n", total.compared, files.size(),
        total.differing, total.skipped);
}

}  // namespace

int run_conform(const std::vector<std::string>& paths, bool json) {
  const std::vector<ConformFile> files =
      conform(std::vector<std::filesystem::path>(paths.begin(), paths.end()));
  if (json) {
    print("{}\n", as_json(files));
  } else {
    print_table(files);
  }
  const bool differs = std::any_of(files.begin(), files.end(),
                                   [](const ConformFile& file) { return file.differing > 0; });
  return differs ? 1 : 0;
}

}  // namespace schedcheck
