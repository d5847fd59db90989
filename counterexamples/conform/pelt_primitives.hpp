// SPDX-License-Identifier: Apache-2.0
/// \file Cases of kind `pelt_primitives`: decay, contribution of a step, virtual time.
#pragma once

#include "counterexamples/conform/conform_case.hpp"
#include "model/fair/calc_delta_fair.hpp"
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

/// in: real time in ns. The file's inverses are computed, those of nice values too.
struct DeltaFairCase : ConformCase {
  std::int64_t weight = kNice0Load;  ///< Times 1024.

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    const IntOf<D> load_weight = weight;
    return {calc_delta_fair<D>(x[0], load_weight,
                               computed_inverse<D>(scale_load_down<D>(load_weight)))};
  }
};

std::vector<DecayCase> decay_cases(const JsonReader& file);
std::vector<SegmentsCase> segments_cases(const JsonReader& file);
std::vector<DeltaFairCase> delta_fair_cases(const JsonReader& file);
/// All of these, the decay factors, and the weights of nice values with their inverses. The last
/// four may be missing.
void check_pelt_primitives(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
