// SPDX-License-Identifier: Apache-2.0
/// \file The value domain: what a number and a truth value are while the model runs.
/// The model is written once over a domain D and read twice: natively (machine integers) and
/// symbolically (Z3 terms, solver/z3_domain.hpp). docs/two-readings.md explains the idiom.
#pragma once

#include <concepts>
#include <cstdint>

namespace schedcheck {

/// What model code may ask of a domain. Values are bounded mathematical integers: nothing wraps
/// unless a function says so (`wrap_u32`). All divisions and shifts round towards minus infinity.
///
/// * `Int`, `Bool`: the values; `Field<lo, hi>`: an Int stored in the state, lo <= value <= hi
///   (asserted natively, an obligation symbolically); `Mask`: a set of CPUs. `Data<lo, hi>`: a
///   Field that a proof may forget: an abstract symbolic session stores any number of the range
///   there.
/// * `eval(f)`: a region that yields a value; `join(f, parts...)`: a region that updates the listed
///   parts and nothing else. An `if` on a symbolic Bool is legal only inside a region.
/// * `narrow(x, lo, hi)`: x, known on this path to lie in [lo, hi] (asserted natively).
/// * `cases(n)`: how many cases a case split has that only data depends on: n, or 1 in an abstract
///   session, where they all look alike.
/// * `bit(m, i)`; `intersects`, `count`, `first` (m, cpus): whether, how many and the lowest of the
///   CPUs `cpus` that are in m; `first` requires that one is.
/// * `which(x, lo, hi)`: x as an int, for indices and case splits; requires lo <= x <= hi.
template <class D>
concept ValueDomain = requires(typename D::Int x, typename D::Bool b, typename D::Mask m,
                               typename D::Int (*value)(), void (*update)()) {
  { D::kSymbolic } -> std::convertible_to<bool>;
  { D::eval(value) } -> std::convertible_to<typename D::Int>;
  D::join(update, x);
  { D::narrow(x, 0, 1) } -> std::convertible_to<typename D::Int>;
  { D::which(x, 0, 1) } -> std::same_as<int>;
  { D::cases(1) } -> std::same_as<int>;
  { D::select(b, x, x) } -> std::convertible_to<typename D::Int>;
  { D::to_int(b) } -> std::convertible_to<typename D::Int>;
  { D::min(x, x) } -> std::convertible_to<typename D::Int>;
  { D::max(x, x) } -> std::convertible_to<typename D::Int>;
  { D::sub_or_zero(x, x) } -> std::convertible_to<typename D::Int>;
  { D::mul_shr32(x, std::uint32_t{1}) } -> std::convertible_to<typename D::Int>;
  { D::shr(x, 1) } -> std::convertible_to<typename D::Int>;
  { D::mod_pow2(x, 1) } -> std::convertible_to<typename D::Int>;
  { D::div(x, x) } -> std::convertible_to<typename D::Int>;
  { D::wrap_u32(x) } -> std::convertible_to<typename D::Int>;
  { D::bit(m, 0) } -> std::convertible_to<typename D::Bool>;
  { D::intersects(m, std::uint64_t{1}) } -> std::convertible_to<typename D::Bool>;
  { D::count(m, std::uint64_t{1}) } -> std::convertible_to<typename D::Int>;
  { D::first(m, std::uint64_t{1}) } -> std::convertible_to<typename D::Int>;
  { D::with_bit(m, 0) } -> std::convertible_to<typename D::Mask>;
};

template <ValueDomain D>
using IntOf = typename D::Int;
template <ValueDomain D>
using BoolOf = typename D::Bool;
template <ValueDomain D, std::int64_t kLo, std::int64_t kHi>
using FieldOf = typename D::template Field<kLo, kHi>;
template <ValueDomain D, std::int64_t kLo, std::int64_t kHi>
using DataOf = typename D::template Data<kLo, kHi>;

}  // namespace schedcheck
