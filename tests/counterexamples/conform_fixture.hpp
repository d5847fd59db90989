// SPDX-License-Identifier: Apache-2.0
/// \file What the tests of conform() share: a folder per test, changed copies of the vectors.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "counterexamples/conform/conform.hpp"
#include "model/input_error.hpp"

namespace schedcheck {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

inline fs::path vectors() { return fs::path(SCHEDCHECK_SOURCE_DIR) / "tests/data/vectors"; }

inline std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A folder of its own for each test.
class Conform : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::temp_directory_path() /
             ("schedcheck-conform-" + std::to_string(getpid()) + "-" + info->name());
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
  /// The message that `text` in a file `name` gives.
  std::string message(const std::string& name, const std::string& text) {
    const fs::path path = write(name, text);
    try {
      conform({path});
    } catch (const InputError& error) {
      std::string what = error.what();
      EXPECT_EQ(what.find('\n'), std::string::npos);
      EXPECT_THAT(what, HasSubstr(name));
      return what;
    }
    ADD_FAILURE() << name << " is accepted";
    return "";
  }
  /// A covered JSON file with one value replaced, then compared.
  ConformFile with_json(const std::string& file, const std::string& pointer, const Json& value) {
    Json document = Json::parse(text_of(vectors() / file));
    document.at(Json::json_pointer(pointer)) = value;
    return conform({write("copy.json", document.dump())}).at(0);
  }
  /// A covered CSV file with 1 added to the cell of `column` in row `row`, then compared.
  ConformFile with_csv(const std::string& file, std::size_t row, const std::string& column) {
    fs::copy(vectors() / "kernel/groups.csv", folder / "groups.csv",
             fs::copy_options::overwrite_existing);
    return conform({write("copy.csv", changed_csv(vectors() / file, row, column))}).at(0);
  }

  fs::path folder;

 private:
  static std::string changed_csv(const fs::path& path, std::size_t row, const std::string& column) {
    std::istringstream lines(text_of(path));
    std::string result;
    std::string line;
    std::size_t at = 0;
    for (std::size_t n = 0; std::getline(lines, line); ++n) {
      std::istringstream cells(line);
      std::string changed;
      std::string cell;
      for (std::size_t i = 0; std::getline(cells, cell, ','); ++i) {
        if (n == 0 && cell.starts_with(column)) at = i;
        if (n == row + 1 && i == at)
          cell = std::to_string(std::stoll(cell) + 1) + (cell.ends_with('\r') ? "\r" : "");
        changed += (i == 0 ? "" : ",") + cell;
      }
      result += changed + "\n";
    }
    return result;
  }
};

/// Exactly one difference, which names `row` and `field`.
inline void expect_one(const ConformFile& file, const std::string& row, const std::string& field) {
  EXPECT_EQ(file.differing, 1);
  EXPECT_THAT(file.first_difference, HasSubstr(row));
  EXPECT_THAT(file.first_difference, HasSubstr(field));
}

inline std::string csv(const std::string& header, const std::string& row) {
  return header + "\n" + row + "\n";
}

inline const std::string kPostinitHeader = "src,weight,cap,cfs_util,cfs_load,util_out";

inline const std::string kPlacementsHeader =
    "src,decision,last,this_cpu,sd,idlest_first_cpu,pick_old,target_cpu,bail\n";

}  // namespace schedcheck
