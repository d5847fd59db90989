// SPDX-License-Identifier: Apache-2.0
/// \file Cases of kind `pelt_primitives`: decay and contribution of a step.
#pragma once

#include "counterexamples/conform/conform_case.hpp"
#include "model/pelt/update_load_sum.hpp"

namespace schedcheck {

class JsonReader;

struct DecayCase : ConformCase {
  int windows = 0;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    return {decay_load<D>(x[0], windows)};
  }
};

/// in: units already passed in the first window, units of the last one.
struct SegmentsCase : ConformCase {
  int windows = 0;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    return {accumulate_pelt_segments<D>(windows, x[0], x[1])};
  }
};

std::vector<DecayCase> decay_cases(const JsonReader& file);
std::vector<SegmentsCase> segments_cases(const JsonReader& file);
/// Both, and the table of decay factors. Tables of weights and virtual time are skipped and named.
void check_pelt_primitives(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
