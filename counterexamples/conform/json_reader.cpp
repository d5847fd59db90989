// SPDX-License-Identifier: Apache-2.0
/// \file Typed access to JSON values with the place in every message.
#include "counterexamples/conform/json_reader.hpp"

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

/// A value as a message shows it: short, on one line.
std::string shown(const nlohmann::json& value) {
  constexpr std::size_t kLongest = 40;
  const std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

}  // namespace

void JsonReader::fail(const std::string& what) const {
  throw InputError(*file_ + ": at " + (pointer_.empty() ? "/" : pointer_) + ": " + what +
                   "; correct the file");
}

bool JsonReader::has(const std::string& key) const {
  return value_->is_object() && value_->contains(key);
}

JsonReader JsonReader::at(const std::string& key) const {
  if (!value_->is_object()) fail("an object is expected, not " + shown(*value_));
  const auto found = value_->find(key);
  if (found == value_->end()) fail("key '" + key + "' is missing");
  return {*file_, *found, pointer_ + "/" + key};
}

JsonReader JsonReader::at(std::size_t index) const {
  if (index >= size()) fail("element " + std::to_string(index) + " is missing");
  return {*file_, (*value_)[index], pointer_ + "/" + std::to_string(index)};
}

std::size_t JsonReader::size() const {
  if (!value_->is_array()) fail("a list is expected, not " + shown(*value_));
  return value_->size();
}

std::vector<JsonReader> JsonReader::elements(std::size_t length) const {
  if (length != 0 && size() != length)
    fail("a list of " + std::to_string(length) + " values is expected, not of " +
         std::to_string(size()));
  std::vector<JsonReader> all;
  all.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) all.push_back(at(i));
  return all;
}

std::vector<std::string> JsonReader::keys() const {
  if (!value_->is_object()) fail("an object is expected, not " + shown(*value_));
  std::vector<std::string> all;
  for (const auto& item : value_->items()) all.push_back(item.key());
  return all;
}

std::int64_t JsonReader::integer(std::int64_t lo, std::int64_t hi) const {
  const bool fits = value_->is_number_integer() &&
                    !(value_->is_number_unsigned() && value_->get<std::uint64_t>() > INT64_MAX);
  const std::int64_t x = fits ? value_->get<std::int64_t>() : 0;
  if (!fits || x < lo || x > hi)
    fail("a whole number from " + std::to_string(lo) + " to " + std::to_string(hi) +
         " is expected, not " + shown(*value_));
  return x;
}

double JsonReader::number() const {
  if (!value_->is_number()) fail("a number is expected, not " + shown(*value_));
  return value_->get<double>();
}

bool JsonReader::flag() const {
  if (value_->is_boolean()) return value_->get<bool>();
  if (!value_->is_number_integer() || (*value_ != 0 && *value_ != 1))
    fail("true, false, 1 or 0 is expected, not " + shown(*value_));
  return *value_ == 1;
}

std::string JsonReader::text() const {
  if (!value_->is_string()) fail("a text is expected, not " + shown(*value_));
  return value_->get<std::string>();
}

CpuMask JsonReader::cpus() const {
  CpuMask mask = 0;
  for (const JsonReader& cpu : elements()) {
    const CpuMask bit = CpuMask{1} << cpu.integer(0, kMaxCpus - 1);
    if ((mask & bit) != 0) cpu.fail("CPU " + shown(*cpu.value_) + " is listed twice");
    mask |= bit;
  }
  return mask;
}

}  // namespace schedcheck
