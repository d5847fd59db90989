// SPDX-License-Identifier: Apache-2.0
/// \file Small readers over one line of text; nothing is copied.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace schedcheck::trace_text {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_space(char c) { return c == ' ' || c == '\t'; }

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes a decimal number off the front; leading zeros are decimal too (CPU 032).
template <class Int>
bool take_number(std::string_view& text, Int& value) {
  const auto at = std::from_chars(text.data(), text.data() + text.size(), value);
  if (at.ec != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(at.ptr - text.data()));
  return true;
}

inline bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// Takes blanks and then what comes up to the next blank.
inline std::string_view take_token(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && !is_space(text[end])) ++end;
  const std::string_view token = text.substr(0, end);
  text.remove_prefix(end);
  return token;
}

/// Takes the last number of a text off its end: "bash-123" gives 123 and leaves "bash-".
inline bool take_last_number(std::string_view& text, int& value) {
  std::size_t begin = text.size();
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  std::string_view digits = text.substr(begin);
  if (!take_number(digits, value) || !digits.empty()) return false;
  text.remove_suffix(text.size() - begin);
  return true;
}

/// The number behind the last `key` of a text.
inline std::optional<int> number_after_last(std::string_view text, std::string_view key) {
  const std::size_t at = text.rfind(key);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + key.size());
  int value = 0;
  if (!take_number(text, value)) return std::nullopt;
  return value;
}

}  // namespace schedcheck::trace_text
