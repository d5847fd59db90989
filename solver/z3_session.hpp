// SPDX-License-Identifier: Apache-2.0
/// \file One Z3 context and what the symbolic reading collects in it.
#pragma once

#include <z3.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace schedcheck {

/// How bounded integers are written down: bit-vectors of the minimal width, or Z3 integers.
enum class Theory : std::uint8_t { kBitVector, kInteger };

/// A value stored in a narrower field than its interval: `holds` must be valid for the reading to
/// be exact. Twin tests evaluate obligations; proofs discharge them.
struct Obligation {
  Z3_ast holds;
  std::string what;
  bool data = false;  ///< About a Data field; the others follow from the state invariants.
};

struct AtomTable;

/// Owns a Z3 context. At most one session is current per thread; the symbolic domain works in it.
/// Z3 terms live until the session ends, so use one session per family of queries.
class Z3Session {
 public:
  /// `abstract`: the numbers of Data fields are forgotten (solver/z3_domain.hpp).
  explicit Z3Session(Theory theory, bool abstract = false);
  ~Z3Session();
  Z3Session(const Z3Session&) = delete;
  Z3Session& operator=(const Z3Session&) = delete;

  /// The session of this thread. Throws std::logic_error when there is none.
  static Z3Session& current();

  [[nodiscard]] Z3_context context() const { return context_; }
  [[nodiscard]] Theory theory() const { return theory_; }
  [[nodiscard]] bool abstract() const { return abstract_; }
  /// A name that no other symbol of the session has.
  std::string new_name(const char* stem) { return stem + ("!" + std::to_string(++names_)); }
  [[nodiscard]] Z3_sort int_sort() const { return int_sort_; }
  [[nodiscard]] Z3_sort bool_sort() const { return bool_sort_; }
  [[nodiscard]] Z3_sort bit_vector_sort(unsigned width);
  /// `value` as a numeral of `width` bits (two's complement), or as a Z3 integer.
  [[nodiscard]] Z3_ast numeral(std::int64_t value, unsigned width);
  /// What the terms of comparisons say, for the paths of regions.
  [[nodiscard]] AtomTable& atoms() const { return *atoms_; }

  /// Adds an obligation unless the same one is there.
  void oblige(Z3_ast holds, std::string what, bool data = false);

  /// Adds an assumption unless it is there.
  void assume(Z3_ast condition);
  /// The ranges of free symbols that their sort does not imply, and what is built into free states.
  /// Every query asserts all of them.
  [[nodiscard]] const std::vector<Z3_ast>& assumptions() const { return assumptions_; }
  [[nodiscard]] const std::vector<Obligation>& obligations() const { return obligations_; }
  /// Starts anew with both: for a sequence of unrelated queries in one session.
  void forget();

  std::uint64_t region_runs = 0;  ///< How often a region body was executed.

 private:
  Z3_context context_;
  Theory theory_;
  bool abstract_;
  std::uint64_t names_ = 0;
  Z3_sort int_sort_;
  Z3_sort bool_sort_;
  std::vector<Z3_sort> bit_vector_sorts_;
  std::unordered_map<std::int64_t, std::vector<std::pair<unsigned, Z3_ast>>> numerals_;
  std::unique_ptr<AtomTable> atoms_;
  std::vector<Z3_ast> assumptions_;
  std::vector<Obligation> obligations_;
  std::set<Z3_ast> assumed_;
  std::set<Z3_ast> obliged_;
  Z3Session* previous_;
};

}  // namespace schedcheck
