// SPDX-License-Identifier: Apache-2.0
/// \file Cases of kinds `new_task_util` and `postinit`: the utilisation a task starts with.
#pragma once

#include "counterexamples/conform/conform_case.hpp"
#include "model/pelt/post_init_entity_util_avg.hpp"

namespace schedcheck {

struct CsvTable;
class JsonReader;

/// in: util_avg and load_avg of the queue. Gives the rule since v6.10 and the one before.
struct NewTaskUtilCase : ConformCase {
  std::int64_t weight = kNice0Weight;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    return {initial_util_avg<D>(NewTaskUtilWeight::kUnscaled, x[0], x[1], weight),
            initial_util_avg<D>(NewTaskUtilWeight::kScaled, x[0], x[1], weight)};
  }
};

/// The same under the rule since v6.10, and the limit `cap`, half of what is left (C division; the
/// model never needs a negative one).
struct PostinitCase : ConformCase {
  std::int64_t weight = kNice0Weight;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    const IntOf<D> above = D::shr(D::sub_or_zero(x[0], IntOf<D>(kCapacity)), 1);
    const IntOf<D> below = D::shr(D::sub_or_zero(IntOf<D>(kCapacity), x[0]), 1);
    return {below - above, initial_util_avg<D>(NewTaskUtilWeight::kUnscaled, x[0], x[1], weight)};
  }
};

std::vector<NewTaskUtilCase> new_task_util_cases(const JsonReader& file);
std::vector<PostinitCase> postinit_cases(const CsvTable& table);

}  // namespace schedcheck
