// SPDX-License-Identifier: Apache-2.0
/// \file Strict reading of a JSON file: every value knows its place, every complaint is one line.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/input_error.hpp"

namespace schedcheck {

/// Parses `text`. Throws InputError for an empty file, NUL bytes, invalid UTF-8, anything that is
/// not JSON, a key given twice in one object, and more than 16 levels of nesting.
nlohmann::json parse_strict_json(std::string_view text, const std::string& source_name);

/// Throws InputError "SOURCE: POINTER: WHAT" as one line: control characters are escaped, and long
/// text is cut.
[[noreturn]] void fail_at(const std::string& source_name, const std::string& pointer,
                          const std::string& what);

/// A value of a parsed file and its JSON pointer. Both the file's tree and the name must outlive
/// it.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& value, const std::string& source_name, std::string pointer = "")
      : value_(&value), source_name_(&source_name), pointer_(std::move(pointer)) {}

  [[noreturn]] void fail(const std::string& what) const { fail_at(*source_name_, pointer_, what); }
  const nlohmann::json& value() const { return *value_; }
  const std::string& source_name() const { return *source_name_; }

  /// Requires an object without other keys than these.
  void expect_object(const std::vector<std::string_view>& known_keys) const;
  bool has(std::string_view key) const { return value_->contains(key); }
  /// The member `key`; fails if it is missing.
  JsonPlace at(std::string_view key) const;

  /// The elements of an array of at most `max_size`.
  std::vector<JsonPlace> elements(std::size_t max_size) const;
  /// The members of an object with their names.
  std::vector<std::pair<std::string, JsonPlace>> members() const;
  std::string text() const;
  /// A whole number in [lo, hi].
  bool boolean() const;
  std::int64_t integer(std::int64_t lo, std::int64_t hi) const;
  /// A whole number in [0, end): one of the machine's or the schedule's `what`s.
  int index(std::string_view what, int end) const;
  std::uint64_t unsigned_integer() const;

 private:
  std::int64_t whole_number(const std::string& expected) const;

  const nlohmann::json* value_;
  const std::string* source_name_;
  std::string pointer_;
};

/// Runs `read` and gives an InputError of the model the place in the file.
template <class Read>
auto with_place(const JsonPlace& place, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    place.fail(error.what());
  }
}

}  // namespace schedcheck
