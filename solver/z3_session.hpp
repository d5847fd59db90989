// SPDX-License-Identifier: Apache-2.0
/// \file One Z3 context and what the symbolic reading collects in it.
#pragma once

#include <z3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
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
};

struct AtomTable;

/// Owns a Z3 context. At most one session is current per thread; the symbolic domain works in it.
/// Z3 terms live until the session ends, so use one session per family of queries.
class Z3Session {
 public:
  explicit Z3Session(Theory theory);
  ~Z3Session();
  Z3Session(const Z3Session&) = delete;
  Z3Session& operator=(const Z3Session&) = delete;

  /// The session of this thread. Throws std::logic_error when there is none.
  static Z3Session& current();

  [[nodiscard]] Z3_context context() const { return context_; }
  [[nodiscard]] Theory theory() const { return theory_; }
  [[nodiscard]] Z3_sort int_sort() const { return int_sort_; }
  [[nodiscard]] Z3_sort bool_sort() const { return bool_sort_; }
  [[nodiscard]] Z3_sort bit_vector_sort(unsigned width);
  /// `value` as a numeral of `width` bits (two's complement), or as a Z3 integer.
  [[nodiscard]] Z3_ast numeral(std::int64_t value, unsigned width);
  /// What the terms of comparisons say, for the paths of regions.
  [[nodiscard]] AtomTable& atoms() const { return *atoms_; }

  /// Adds an obligation unless the same one is there.
  void oblige(Z3_ast holds, std::string what);

  /// The ranges of free symbols that their sort does not imply. Every query asserts all of them.
  std::vector<Z3_ast> assumptions;
  std::vector<Obligation> obligations;
  std::uint64_t region_runs = 0;  ///< How often a region body was executed.

 private:
  Z3_context context_;
  Theory theory_;
  Z3_sort int_sort_;
  Z3_sort bool_sort_;
  std::vector<Z3_sort> bit_vector_sorts_;
  std::unordered_map<std::int64_t, std::vector<std::pair<unsigned, Z3_ast>>> numerals_;
  std::unique_ptr<AtomTable> atoms_;
  std::unordered_set<Z3_ast> obliged_;
  Z3Session* previous_;
};

}  // namespace schedcheck
