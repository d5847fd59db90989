// SPDX-License-Identifier: Apache-2.0
/// \file Kind `topology_executed`: domains that the kernel builds from raw levels.
#pragma once

#include "counterexamples/conform/conform.hpp"

namespace schedcheck {

class JsonReader;

/// A row is a machine; its domains under v6.12, the version modelled, are compared.
void check_topology_executed(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
