// SPDX-License-Identifier: Apache-2.0
/// \file Cases of one PELT update step (kinds `pelt` and `pelt_sequences`), and signals in rows.
#pragma once

#include <array>

#include "counterexamples/conform/conform_case.hpp"
#include "model/pelt/update_load_sum.hpp"

namespace schedcheck {

struct CsvTable;
class JsonReader;

/// Bounds on what files may contain: no product in the model leaves 64 bits within them.
inline constexpr std::int64_t kFileSumMax = std::int64_t{1} << 44;
inline constexpr std::int64_t kFileWeightMax = 88761;  ///< nice -20.
inline constexpr std::int64_t kFileLoadMax = std::int64_t{1} << 27;
inline constexpr std::int64_t kFileTimeMax = kTimeMax / 2;
inline constexpr std::int64_t kFileResultMax = kTimeMax;  ///< Results may be wrong, not negative.

/// now, load, runnable, running, then the state in this order (one signal of seven numbers after
/// last_update_time): load_sum, runnable_sum, util_sum, contrib, load_avg, runnable_avg, util_avg.
struct PeltStepCase : ConformCase {
  std::int64_t weight = 1;

  template <ValueDomain D>
  std::vector<IntOf<D>> run(std::span<const IntOf<D>> x) const;
};

/// Reads a signal without its last_update_time from seven numbers.
template <ValueDomain D>
SchedAvg<D> signal_from(std::span<const IntOf<D>> x) {
  SchedAvg<D> sa{};
  sa.load_sum = x[0];
  sa.runnable_sum = x[1];
  sa.util_sum = x[2];
  sa.period_contrib = x[3];
  sa.load_avg = x[4];
  sa.runnable_avg = x[5];
  sa.util_avg = x[6];
  return sa;
}

/// Appends the same seven numbers.
template <ValueDomain D>
void append_signal(std::vector<IntOf<D>>& out, const SchedAvg<D>& sa) {
  const std::array<IntOf<D>, 7> all = {sa.load_sum, sa.runnable_sum, sa.util_sum, sa.period_contrib,
                                       sa.load_avg, sa.runnable_avg, sa.util_avg};
  out.insert(out.end(), all.begin(), all.end());
}

/// The columns `prefix`load_sum0 .. of one row, in the order of signal_from, within the model's
/// ranges.
std::vector<std::int64_t> signal_before(const CsvTable& table, std::size_t row,
                                        const std::string& prefix);
/// The columns `prefix`load_sum1 ..: any results that are not negative.
std::vector<std::int64_t> signal_after(const CsvTable& table, std::size_t row,
                                       const std::string& prefix);
/// Their names.
FieldNames signal_names(const std::string& prefix, const std::string& suffix);

template <ValueDomain D>
std::vector<IntOf<D>> PeltStepCase::run(std::span<const IntOf<D>> x) const {
  SchedAvg<D> sa = signal_from<D>(x.subspan(5));
  sa.last_update_time = x[4];
  const Accrual<D> step = update_load_sum<D>(x[0], sa, x[1], x[2], x[3]);
  const BoolOf<D> decayed = step.windows > 0;
  D::join(
      [&] {
        if (decayed) update_averages<D>(sa, weight);
      },
      sa);
  std::vector<IntOf<D>> out{sa.last_update_time};
  append_signal<D>(out, sa);
  out.push_back(D::to_int(decayed));
  return out;
}

/// kernel/pelt.csv: one step of a real kernel per row.
std::vector<PeltStepCase> pelt_cases(const CsvTable& table);
/// pelt_sequences.json: the state runs through each sequence; only the model's own state goes on.
std::vector<PeltStepCase> pelt_sequence_cases(const JsonReader& file);

}  // namespace schedcheck
