// SPDX-License-Identifier: Apache-2.0
/// \file Reads an input file whole, up to a limit.
#pragma once

#include <cstddef>
#include <string>

namespace schedcheck {

/// No schedule and no record comes near it; endless input such as /dev/zero ends here.
inline constexpr std::size_t kMaxInputBytes = std::size_t{64} << 20;

/// The whole file, or standard input for "-". Throws InputError "NAME: WHAT" when it is a folder,
/// cannot be read or is longer than kMaxInputBytes.
std::string read_text_file(const std::string& path);

}  // namespace schedcheck
