// SPDX-License-Identifier: Apache-2.0
/// \file Strict reading of a JSON file.
#include "counterexamples/schedule_json_strict.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "model/input_error.hpp"

namespace schedcheck {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxDepth = 16;
constexpr std::size_t kMaxQuote = 60;
constexpr std::size_t kMaxMessage = 400;

/// A piece of the file for a message: its JSON text, cut to a readable length.
std::string quote(const Json& value) {
  std::string text = value.is_structured()
                         ? std::string(value.is_array() ? "a list" : "an object")
                         : value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kMaxQuote) text = text.substr(0, kMaxQuote) + "...";
  return text;
}

/// One step of a JSON pointer (RFC 6901).
std::string pointer_step(std::string_view key) {
  std::string step = "/";
  for (const char c : key) step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return step;
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (line.size() > kMaxMessage) return line + "...";
    const auto byte = static_cast<unsigned char>(c);
    line += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return line;
}

[[noreturn]] void fail_syntax(std::string_view text, const std::string& source_name,
                              std::size_t byte, std::string_view reason);

/// Where the parser is: sees keys given twice, which the finished tree no longer shows. A pass of
/// its own, because the parser's callbacks cost quadratic time in long lists.
class Nesting {
 public:
  Nesting(std::string_view text, const std::string& source_name)
      : text_(text), source_name_(source_name) {}

  // The names and signatures are those of nlohmann::json_sax.
  bool null() { return next_element(); }
  bool boolean(bool /*value*/) { return next_element(); }
  bool number_integer(std::int64_t /*value*/) { return next_element(); }
  bool number_unsigned(std::uint64_t /*value*/) { return next_element(); }
  bool number_float(double /*value*/, const std::string& /*text*/) { return next_element(); }
  bool string(std::string& /*value*/) { return next_element(); }
  bool binary(Json::binary_t& /*value*/) { return next_element(); }
  bool start_object(std::size_t /*size*/) { return enter(true); }
  bool start_array(std::size_t /*size*/) { return enter(false); }
  bool end_object() { return leave(); }
  bool end_array() { return leave(); }
  bool key(std::string& name) {
    levels_.back().key = name;
    if (!levels_.back().keys.insert(name).second)
      fail_at(source_name_, pointer(), "key " + quote(name) + " is given twice; keep one");
    return true;
  }
  bool parse_error(std::size_t byte, const std::string& /*token*/, const Json::exception& error) {
    if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr)
      fail_at(source_name_, "", "a number is too large for any field; use whole numbers of ns");
    fail_syntax(text_, source_name_, byte, error.what());
  }

 private:
  struct Level {
    bool is_object;
    std::set<std::string> keys = {};
    std::string key = {};
    int index = -1;
  };

  bool enter(bool is_object) {
    next_element();
    if (levels_.size() == kMaxDepth)
      fail_at(source_name_, "",
              "nested deeper than " + std::to_string(kMaxDepth) + " levels; no such file is known");
    levels_.push_back({is_object});
    return true;
  }
  bool leave() {
    levels_.pop_back();
    return true;
  }
  bool next_element() {
    if (!levels_.empty() && !levels_.back().is_object) ++levels_.back().index;
    return true;
  }
  std::string pointer() const {
    std::string text;
    for (const Level& level : levels_)
      text += pointer_step(level.is_object ? level.key : std::to_string(level.index));
    return text;
  }

  std::string_view text_;
  const std::string& source_name_;
  std::vector<Level> levels_;
};

/// Says where `text` stops being JSON, as SOURCE:LINE:COLUMN.
[[noreturn]] void fail_syntax(std::string_view text, const std::string& source_name,
                              std::size_t byte, std::string_view reason) {
  const std::size_t at = std::min(byte == 0 ? 0 : byte - 1, text.size());
  const std::string_view before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? at + 1 : at - newline;
  const bool bad_utf8 = reason.find("UTF-8") != std::string_view::npos;
  const bool ends = reason.find("unexpected end of input") != std::string_view::npos;
  fail_at(source_name + ":" + std::to_string(line) + ":" + std::to_string(column), "",
          bad_utf8 ? "not valid UTF-8 here; save the file as UTF-8"
          : ends   ? "the file ends too early; close what is open"
                   : "not JSON here; check quotes, commas and brackets");
}

}  // namespace

void fail_at(const std::string& source_name, const std::string& pointer, const std::string& what) {
  throw InputError(one_line(source_name + ": " + (pointer.empty() ? "" : pointer + ": ") + what));
}

Json parse_strict_json(std::string_view text, const std::string& source_name) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    fail_at(source_name, "", "the file is empty; a JSON object is expected");
  // The parser would take a NUL for the end of the text.
  if (const std::size_t at = text.find('\0'); at != std::string_view::npos)
    fail_at(source_name, "", "NUL at byte " + std::to_string(at) + "; a text file is expected");
  Nesting nesting(text, source_name);
  Json::sax_parse(text, &nesting);
  return Json::parse(text);
}

void JsonPlace::expect_object(const std::vector<std::string_view>& known_keys) const {
  if (!value_->is_object()) fail("must be an object, not " + quote(*value_));
  for (const auto& item : value_->items()) {
    if (std::find(known_keys.begin(), known_keys.end(), item.key()) != known_keys.end()) continue;
    std::string known;
    for (const std::string_view key : known_keys)
      known += (known.empty() ? "" : ", ") + std::string(key);
    fail("unknown key " + quote(item.key()) + "; known here: " + known);
  }
}

JsonPlace JsonPlace::at(std::string_view key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) fail("key \"" + std::string(key) + "\" is missing; add it");
  return {*found, *source_name_, pointer_ + pointer_step(key)};
}

std::vector<JsonPlace> JsonPlace::elements(std::size_t max_size) const {
  if (!value_->is_array()) fail("must be a list, not " + quote(*value_));
  if (value_->size() > max_size)
    fail("has " + std::to_string(value_->size()) + " elements; at most " +
         std::to_string(max_size) + " are allowed");
  std::vector<JsonPlace> places;
  places.reserve(value_->size());
  for (const Json& element : *value_)
    places.emplace_back(element, *source_name_, pointer_ + "/" + std::to_string(places.size()));
  return places;
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
  if (!value_->is_object()) fail("must be an object, not " + quote(*value_));
  std::vector<std::pair<std::string, JsonPlace>> places;
  for (const auto& item : value_->items()) places.emplace_back(item.key(), at(item.key()));
  return places;
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) fail("must be a text, not " + quote(*value_));
  return value_->get<std::string>();
}

std::int64_t JsonPlace::whole_number(const std::string& expected) const {
  const bool too_large = value_->is_number_unsigned() &&
                         value_->get<std::uint64_t>() >
                             static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!value_->is_number_integer() || too_large) fail(quote(*value_) + " " + expected);
  return value_->get<std::int64_t>();
}

std::int64_t JsonPlace::integer(std::int64_t lo, std::int64_t hi) const {
  const std::string expected =
      "is not a whole number in " + std::to_string(lo) + ".." + std::to_string(hi);
  const std::int64_t number = whole_number(expected);
  if (number < lo || number > hi) fail(quote(*value_) + " " + expected);
  return number;
}

bool JsonPlace::boolean() const {
  if (!value_->is_boolean()) fail(quote(*value_) + " is neither true nor false");
  return value_->get<bool>();
}

int JsonPlace::index(std::string_view what, int end) const {
  const std::string name(what);
  const std::string expected =
      "is not a " + name + "; " + name + "s are 0.." + std::to_string(end - 1);
  const std::int64_t number = whole_number(expected);
  if (number < 0 || number >= end) fail(quote(*value_) + " " + expected);
  return static_cast<int>(number);
}

std::uint64_t JsonPlace::unsigned_integer() const {
  if (!value_->is_number_unsigned())
    fail(quote(*value_) + " is not a whole number in 0.." +
         std::to_string(std::numeric_limits<std::uint64_t>::max()));
  return value_->get<std::uint64_t>();
}

}  // namespace schedcheck
