// SPDX-License-Identifier: Apache-2.0
/// \file Kind `balance_domains`: periodic passes over a CPU's domains.
#pragma once

#include "counterexamples/conform/conform.hpp"

namespace schedcheck {

class JsonReader;

/// A row is a pass; what balancing a level does is given.
void check_balance_domains(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
