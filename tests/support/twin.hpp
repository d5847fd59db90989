// SPDX-License-Identifier: Apache-2.0
/// \file The same state in both readings: a walk over the leaves of two states at once, copies of a
/// native state as constants or as pinned free symbols, and the comparison afterwards.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/domain/native_domain.hpp"
#include "solver/region.hpp"
#include "solver/z3_domain.hpp"
#include "solver/z3_session.hpp"

namespace schedcheck::twin {

/// Calls f(path, native leaf, symbolic leaf) for all leaves of two states of one shape. A path
/// names fields by their position in fields(), elements by their index: ".2[1].5.0".
template <class N, class S, class F>
void walk(const std::string& path, N& native, S& symbolic, const F& f) {
  if constexpr (region_detail::HasFields<S>) {
    auto mine = native.fields();
    auto theirs = symbolic.fields();
    [&]<std::size_t... kI>(std::index_sequence<kI...>) {
      (walk(path + "." + std::to_string(kI), std::get<kI>(mine), std::get<kI>(theirs), f), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(mine)>>{});
  } else if constexpr (region_detail::Container<S>) {
    symbolic.resize(native.size());
    for (std::size_t i = 0; i < native.size(); ++i)
      walk(path + "[" + std::to_string(i) + "]", native[i], symbolic[i], f);
  } else {
    f(path, native, symbolic);
  }
}

template <class Leaf>
std::int64_t number(const Leaf& leaf) {
  return static_cast<std::int64_t>(leaf);
}

/// The symbolic leaf becomes the native one's value.
struct Copy {
  template <class N, class S>
  void operator()(const std::string& /*path*/, N& native, S& symbolic) const {
    if constexpr (std::is_same_v<S, Z3Bool>) {
      symbolic = static_cast<bool>(native);
    } else {
      symbolic = number(native);
    }
  }
};

/// A copy of `native` whose leaves are constants.
template <class S, class N>
S constants(N& native) {
  S symbolic;
  walk("", native, symbolic, Copy{});
  return symbolic;
}

/// Symbols that a query pins to numbers, and terms evaluated under them.
class Pins {
 public:
  /// A free symbol in {lo, lo + step, ..} that the query sets to `value`.
  Z3Int integer(std::int64_t value, std::int64_t lo, std::int64_t hi, std::int64_t step = 1) {
    const std::string name = "s" + std::to_string(named_++);
    const Z3Int symbol = Z3Int::fresh(name.c_str(), lo, hi, step);
    pins_.push_back(symbol == Z3Int(value));
    return symbol;
  }
  Z3Bool boolean(bool value) {
    const std::string name = "b" + std::to_string(named_++);
    const Z3Bool symbol = Z3Bool::fresh(name.c_str());
    pins_.push_back(value ? symbol : !symbol);
    return symbol;
  }

  /// Solves for the pins and the session's assumptions; false: there is no such state.
  bool solve();
  ~Pins();
  Pins() = default;
  Pins(const Pins&) = delete;
  Pins& operator=(const Pins&) = delete;

  /// Requires solve().
  [[nodiscard]] std::int64_t value(const Z3Int& x) const;
  [[nodiscard]] bool holds(Z3_ast condition) const;
  [[nodiscard]] bool holds(const Z3Bool& b) const { return holds(b.term()); }
  [[nodiscard]] std::size_t size() const { return pins_.size(); }

 private:
  [[nodiscard]] Z3_ast evaluate(Z3_ast term) const;
  inline static std::uint64_t named_ = 0;  ///< Names are not reused within a session.
  std::vector<Z3Bool> pins_;
  Z3_model model_ = nullptr;
};

inline bool Pins::solve() {
  const bool integers = Z3Session::current().theory() == Theory::kInteger;
  Z3_solver solver = Z3_mk_solver_for_logic(
      Z3Session::current().context(),
      Z3_mk_string_symbol(Z3Session::current().context(), integers ? "QF_LIA" : "QF_BV"));
  Z3_solver_inc_ref(Z3Session::current().context(), solver);
  for (const Z3Bool& pin : pins_)
    Z3_solver_assert(Z3Session::current().context(), solver, pin.term());
  for (Z3_ast range : Z3Session::current().assumptions)
    Z3_solver_assert(Z3Session::current().context(), solver, range);
  const bool sat = Z3_solver_check(Z3Session::current().context(), solver) == Z3_L_TRUE;
  if (sat) {
    model_ = Z3_solver_get_model(Z3Session::current().context(), solver);
    Z3_model_inc_ref(Z3Session::current().context(), model_);
  }
  Z3_solver_dec_ref(Z3Session::current().context(), solver);
  return sat;
}

inline Pins::~Pins() {
  if (model_ != nullptr) Z3_model_dec_ref(Z3Session::current().context(), model_);
}

inline Z3_ast Pins::evaluate(Z3_ast term) const {
  Z3_ast result = nullptr;
  if (!Z3_model_eval(Z3Session::current().context(), model_, term, true, &result))
    throw std::runtime_error("z3 could not evaluate a term");
  return result;
}

inline std::int64_t Pins::value(const Z3Int& x) const {
  if (x.is_constant()) return x.lo();
  Z3_ast result = evaluate(x.term());
  if (Z3Session::current().theory() == Theory::kInteger) {
    std::int64_t value = 0;
    if (!Z3_get_numeral_int64(Z3Session::current().context(), result, &value))
      throw std::runtime_error("an evaluated integer is not a number");
    return value;
  }
  std::uint64_t raw = 0;
  if (!Z3_get_numeral_uint64(Z3Session::current().context(), result, &raw))
    throw std::runtime_error("an evaluated bit-vector is not a number");
  const unsigned width = bit_width(x.lo(), x.hi());
  const bool negative = x.lo() < 0 && ((raw >> (width - 1)) & 1U) != 0;
  return static_cast<std::int64_t>(negative && width < 64 ? raw - (std::uint64_t{1} << width)
                                                          : raw);
}

inline bool Pins::holds(Z3_ast condition) const {
  return Z3_get_bool_value(Z3Session::current().context(), evaluate(condition)) == Z3_L_TRUE;
}

}  // namespace schedcheck::twin
