// SPDX-License-Identifier: Apache-2.0
/// \file One CPU of a machine, chosen symbolically, as a machine of its own. Running a kernel
/// function there costs one run instead of one per CPU and task, and the formula has its arithmetic
/// once.
#pragma once

#include "model/machine.hpp"
#include "solver/z3_domain.hpp"

namespace schedcheck {

using SymbolicMachine = Machine<Z3Domain>;

/// m with task numbers counted from `first` on, cyclically: task `first` is 0. The model looks at
/// numbers only cyclically (pick_next_task), so it behaves the same.
SymbolicMachine renumbered(const SymbolicMachine& m, const Z3Int& first);

/// The value of number `index` of `values`. Requires 0 <= index < values.size().
template <class T>
T element(const std::vector<T>& values, const Z3Int& index) {
  T result = values.back();
  for (std::size_t i = values.size() - 1; i-- > 0;) {
    T copy = values[i];
    region_detail::merge_into(index == Z3Int(i), copy, result);
    result = copy;
  }
  return result;
}

/// CPU `cpu` of `m` as CPU 0, tasks renumbered from `first` on; tasks of other CPUs are on "CPU 1".
class CpuView {
 public:
  CpuView(SymbolicMachine& m, const Z3Int& cpu, const Z3Int& first);

  /// Task 0 of the view runs: what the state says about it becomes constant, and an obligation says
  /// that it was so whenever `when`.
  void assume_current(const Z3Bool& when);
  /// The same for "task 0 of the view is attached": it has a time of its last update.
  void assume_attached(const Z3Bool& when);
  /// Runs body(machine) where `when` holds and stores the result in the machine behind the view.
  template <class F>
  void update(const Z3Bool& when, const F& body) {
    Z3Domain::join(
        [&] {
          if (when) body(local_);
        },
        local_);
    write_back(when);
  }

 private:
  void write_back(const Z3Bool& when);
  void write_back_accounts(const Z3Bool& when);
  [[nodiscard]] Z3Int global_number(const Z3Int& local) const;

  SymbolicMachine& machine_;
  Z3Int cpu_, first_;
  SymbolicMachine local_, before_;
};

}  // namespace schedcheck
