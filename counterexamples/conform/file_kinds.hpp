// SPDX-License-Identifier: Apache-2.0
/// \file Which kind of file a content is, and who compares it.
#pragma once

#include <filesystem>
#include <string>

#include "counterexamples/conform/conform.hpp"

namespace schedcheck {

/// Compares one file whose text is `text`; the kind follows from the text alone. `path` serves for
/// messages and for files that belong together (placements and groups). Throws InputError.
ConformFile check_text(const std::filesystem::path& path, const std::string& text);

}  // namespace schedcheck
