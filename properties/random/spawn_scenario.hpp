// SPDX-License-Identifier: Apache-2.0
/// \file Generates the scenario of spawn-stays-local: one spawn loop per CPU, costs of S3 within 50
/// %.
#pragma once

#include <functional>
#include <vector>

#include "properties/random/genome.hpp"

namespace schedcheck {

/// Forks per CPU that a case may have; S3 first leaves its CPU after about 376.
inline constexpr int kSpawnLoopsMax = 450;

/// Emits events until `emit` refuses one or the loops are done. Numbers come from genome[1..].
void spawn_scenario(const Model& model, const Genome& genome,
                    const std::function<bool(const Event&)>& emit,
                    const std::function<void(const std::vector<InitialTask>&)>& begin);

/// Tasks that such a case may need.
inline int spawn_scenario_tasks(int nr_cpus) { return nr_cpus * (kSpawnLoopsMax + 1); }

}  // namespace schedcheck
