// SPDX-License-Identifier: Apache-2.0
/// \file Option checks with our one-line messages.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace schedcheck::cli {

/// All of `text` as a whole number.
inline std::optional<std::int64_t> parse_whole(std::string_view text) {
  std::int64_t value = 0;
  const auto at = std::from_chars(text.data(), text.data() + text.size(), value);
  if (at.ec != std::errc{} || at.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A whole number in a range.
inline CLI::Validator whole(std::int64_t lo, std::int64_t hi) {
  return {[lo, hi](std::string& text) -> std::string {
            const std::optional<std::int64_t> value = parse_whole(text);
            if (!value || *value < lo || *value > hi)
              return "'" + text + "' is not a whole number from " + std::to_string(lo) + " to " +
                     std::to_string(hi);
            return {};
          },
          std::to_string(lo) + ".." + std::to_string(hi)};
}

/// For names of files and folders: '' is mostly a variable that was not set.
inline CLI::Validator not_empty() {
  return {[](std::string& text) -> std::string {
            return text.empty() ? "the name is empty; give one or leave the option out" : "";
          },
          ""};
}

}  // namespace schedcheck::cli
