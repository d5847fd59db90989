// SPDX-License-Identifier: Apache-2.0
/// \file Z3 context set-up. Errors of Z3 become exceptions instead of ending the process.
#include "solver/z3_session.hpp"

#include <stdexcept>

#include "solver/path_facts.hpp"

namespace schedcheck {
namespace {

thread_local Z3Session* current_session = nullptr;

void raise_z3_error(Z3_context context, Z3_error_code code) {
  throw std::runtime_error(std::string("z3: ") + Z3_get_error_msg(context, code));
}

}  // namespace

Z3Session::Z3Session(Theory theory, bool abstract)
    : theory_(theory),
      abstract_(abstract),
      atoms_(std::make_unique<AtomTable>()),
      previous_(current_session) {
  Z3_config config = Z3_mk_config();
  Z3_set_param_value(config, "model", "true");
  context_ = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(context_, raise_z3_error);
  int_sort_ = Z3_mk_int_sort(context_);
  bool_sort_ = Z3_mk_bool_sort(context_);
  current_session = this;
}

Z3Session::~Z3Session() {
  current_session = previous_;
  Z3_del_context(context_);
}

Z3_sort Z3Session::bit_vector_sort(unsigned width) {
  if (bit_vector_sorts_.size() <= width) bit_vector_sorts_.resize(width + 1, nullptr);
  Z3_sort& sort = bit_vector_sorts_[width];
  if (sort == nullptr) sort = Z3_mk_bv_sort(context_, width);
  return sort;
}

// Z3 takes a microsecond per numeral, and a step needs tens of thousands of a few hundred.
Z3_ast Z3Session::numeral(std::int64_t value, unsigned width) {
  if (theory_ == Theory::kInteger) width = 0;
  auto& known = numerals_[value];
  for (const auto& [its_width, term] : known)
    if (its_width == width) return term;
  Z3_ast term = nullptr;
  const auto raw = static_cast<std::uint64_t>(value);
  if (theory_ == Theory::kInteger) {
    term = Z3_mk_int64(context_, value, int_sort_);
  } else if (width > 64) {
    term = Z3_mk_unsigned_int64(context_, raw, bit_vector_sort(64));
    term = value < 0 ? Z3_mk_sign_ext(context_, width - 64, term)
                     : Z3_mk_zero_ext(context_, width - 64, term);
  } else {
    const auto cut = width == 64 ? raw : raw & ((std::uint64_t{1} << width) - 1);
    term = Z3_mk_unsigned_int64(context_, cut, bit_vector_sort(width));
  }
  known.emplace_back(width, term);
  return term;
}

void Z3Session::oblige(Z3_ast holds, std::string what, bool data) {
  if (obliged_.insert(holds).second) obligations_.push_back({holds, std::move(what), data});
}

void Z3Session::assume(Z3_ast condition) {
  if (assumed_.insert(condition).second) assumptions_.push_back(condition);
}

void Z3Session::forget() {
  assumptions_.clear();
  obligations_.clear();
  assumed_.clear();
  obliged_.clear();
}

Z3Session& Z3Session::current() {
  if (current_session == nullptr) throw std::logic_error("no Z3Session on this thread");
  return *current_session;
}

}  // namespace schedcheck
