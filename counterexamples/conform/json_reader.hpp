// SPDX-License-Identifier: Apache-2.0
/// \file Reading a JSON document so that every mistake is reported with its place.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/topology/machine_description.hpp"

namespace schedcheck {

/// A value of a document and its JSON pointer. Every getter throws InputError, "FILE: at /0/steps:
/// ...", when the value is not what is asked for. The document must outlive the reader.
class JsonReader {
 public:
  JsonReader(const std::string& file, const nlohmann::json& value, std::string pointer = "")
      : file_(&file), value_(&value), pointer_(std::move(pointer)) {}

  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] JsonReader at(const std::string& key) const;
  [[nodiscard]] JsonReader at(std::size_t index) const;
  [[nodiscard]] std::size_t size() const;  ///< Of an array.
  /// The elements of an array, of `length` if that is not 0.
  [[nodiscard]] std::vector<JsonReader> elements(std::size_t length = 0) const;
  [[nodiscard]] std::vector<std::string> keys() const;  ///< Of an object.

  [[nodiscard]] bool is_null() const { return value_->is_null(); }
  [[nodiscard]] bool is_object() const { return value_->is_object(); }
  [[nodiscard]] bool is_flag() const { return value_->is_boolean(); }
  [[nodiscard]] bool is_text() const { return value_->is_string(); }
  [[nodiscard]] bool is_list() const { return value_->is_array(); }
  [[nodiscard]] std::int64_t integer(std::int64_t lo, std::int64_t hi) const;
  [[nodiscard]] std::int64_t integer(const std::string& key, std::int64_t lo,
                                     std::int64_t hi) const {
    return at(key).integer(lo, hi);
  }
  [[nodiscard]] double number() const;
  [[nodiscard]] bool flag() const;  ///< true, false, 1 or 0.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] CpuMask cpus() const;  ///< A list of CPU numbers 0..63 without repetition.
  [[nodiscard]] const std::string& file() const { return *file_; }

  [[noreturn]] void fail(const std::string& what) const;

 private:
  const std::string* file_;
  const nlohmann::json* value_;
  std::string pointer_;
};

}  // namespace schedcheck
