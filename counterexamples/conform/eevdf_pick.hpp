// SPDX-License-Identifier: Apache-2.0
/// \file Kind `eevdf_pick`: who runs on one CPU, and the virtual time of every task, event by
/// event.
#pragma once

#include "counterexamples/conform/conform.hpp"

namespace schedcheck {

class JsonReader;

/// Every word of every state and every decision is counted.
void check_eevdf_pick(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
