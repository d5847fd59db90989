// SPDX-License-Identifier: Apache-2.0
/// \file Kinds `topology` and `topology_executed`: domains of machines.
#pragma once

#include "counterexamples/conform/conform.hpp"

namespace schedcheck {

class JsonReader;

/// A row is a machine under one kernel (members v6_12, v6_1, ..): domains that its own functions
/// build from raw levels.
void check_topology_executed(const JsonReader& file, ConformFile& result);

/// A row is a machine. It is told by its domains alone: the groups of each are the spans of the
/// level below. Parameters, ring order and flags then have to follow.
void check_topology(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
