// SPDX-License-Identifier: Apache-2.0
/// \file A second opinion on the proofs of group_fold.hpp: Z3's fixedpoint engine Spacer
/// (Komuravelli, Gurfinkel, Chaki, "SMT-based model checking for recursive programs", CAV 2014) is
/// asked whether some ring of groups breaks the property. It finds an invariant of its own, or a
/// ring: the invariants stated in group_fold_claims.hpp are not used.
#pragma once

#include <chrono>
#include <vector>

#include "solver/query.hpp"

namespace schedcheck {

/// A system of constrained Horn clauses in the current session, whose assumptions restrict every
/// clause. One relation over `state`, the terms of the state before a turn (free symbols).
class HornSystem {
 public:
  explicit HornSystem(std::vector<Z3_ast> state);
  ~HornSystem();
  HornSystem(const HornSystem&) = delete;
  HornSystem& operator=(const HornSystem&) = delete;

  void starts_in(const std::vector<Z3_ast>& state);
  void goes_to(const std::vector<Z3_ast>& next);
  /// kUnsatisfiable: no state that can be reached is `bad`. `limit` only truncates: kUnknown.
  Answer can_be(const Z3Bool& bad, std::chrono::milliseconds limit);

 private:
  [[nodiscard]] Z3_ast reached(const std::vector<Z3_ast>& state) const;
  void add(const std::vector<Z3_ast>& body, Z3_ast head, const char* name);

  Z3_context context_;
  Z3_fixedpoint engine_;
  std::vector<Z3_ast> state_;
  Z3_func_decl relation_ = nullptr;
};

}  // namespace schedcheck
