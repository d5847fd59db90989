// SPDX-License-Identifier: Apache-2.0
/// \file Placement decisions as JSON, the same for every command.
#pragma once

#include <nlohmann/json.hpp>

#include "counterexamples/two_kernels.hpp"

namespace schedcheck::cli {

nlohmann::ordered_json level_json(const LevelRecord& level);

/// One kernel's side of a divergence.
nlohmann::ordered_json decision_json(const PlacementDecision& decision, const std::string& kernel);

}  // namespace schedcheck::cli
