// SPDX-License-Identifier: Apache-2.0
/// \file The kinds of JSON files.
#pragma once

#include "counterexamples/conform/conform.hpp"

namespace schedcheck {

class JsonReader;

/// Recognises a document by its keys, sets result.kind and compares or skips its rows. Throws
/// InputError for a document of no known kind.
void check_json(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
