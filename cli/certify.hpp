// SPDX-License-Identifier: Apache-2.0
/// \file minimize --certify: explore shows that no shorter schedule fails.
#pragma once

#include <optional>
#include <string>

#include "model/schedule.hpp"

namespace schedcheck::cli {

/// Searches every schedule shorter than `small`, which violates `property`, over the whole alphabet
/// of docs/schedule-format.md with every event for every task. A shorter one that fails replaces
/// `small`, is minimized, and the search begins again. Nothing is certified where 60 s or 2 GiB do
/// not suffice; `text` says what was done.
std::optional<Certificate> certify_shortest(Schedule& small, std::size_t property,
                                            std::string& text);

}  // namespace schedcheck::cli
