// SPDX-License-Identifier: Apache-2.0
/// \file Cases of kinds `attach` and `detach`: an entity's averages join and leave a queue.
#pragma once

#include "counterexamples/conform/pelt_step.hpp"
#include "model/pelt/attach_detach.hpp"

namespace schedcheck {

/// in: the queue's signal, the entity's signal, each in the order of signal_from. Gives both after.
struct AttachCase : ConformCase {
  std::int64_t weight = kNice0Weight;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    SchedAvg<D> queue = signal_from<D>(x.first(7));
    SchedAvg<D> se = signal_from<D>(x.subspan(7));
    attach_signal<D>(queue, se, weight, /*keeps_sum=*/false);
    std::vector<IntOf<D>> out;
    append_signal<D>(out, queue);
    append_signal<D>(out, se);
    return out;
  }
};

/// The same for a detach; gives the queue after it.
struct DetachCase : ConformCase {
  std::int64_t weight = kNice0Weight;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const {
    SchedAvg<D> queue = signal_from<D>(x.first(7));
    const SchedAvg<D> se = signal_from<D>(x.subspan(7));
    detach_signal<D>(queue, se, weight);
    std::vector<IntOf<D>> out;
    append_signal<D>(out, queue);
    return out;
  }
};

std::vector<AttachCase> attach_cases(const CsvTable& table);
std::vector<DetachCase> detach_cases(const CsvTable& table);

}  // namespace schedcheck
