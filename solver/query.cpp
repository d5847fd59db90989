// SPDX-License-Identifier: Apache-2.0
/// \file Checks, models and cones, by Z3's C interface.
#include "solver/query.hpp"

#include <algorithm>
#include <stdexcept>

namespace schedcheck {
namespace {

bool integers() { return Z3Session::current().theory() == Theory::kInteger; }
const char* logic() { return integers() ? "QF_LIA" : "QF_BV"; }

}  // namespace

Valuation::Valuation(Z3_model model) : model_(model) {
  Z3_model_inc_ref(Z3Session::current().context(), model_);
}

Valuation::~Valuation() {
  if (model_ != nullptr) Z3_model_dec_ref(Z3Session::current().context(), model_);
}

Z3_ast Valuation::evaluate(Z3_ast term) const {
  Z3_ast result = nullptr;
  if (!Z3_model_eval(Z3Session::current().context(), model_, term, true, &result))
    throw std::runtime_error("z3 could not evaluate a term");
  return result;
}

std::int64_t Valuation::value(const Z3Int& x) const {
  if (x.is_constant()) return x.lo();
  Z3_context context = Z3Session::current().context();
  Z3_ast result = evaluate(x.term());
  if (integers()) {
    std::int64_t value = 0;
    if (!Z3_get_numeral_int64(context, result, &value))
      throw std::runtime_error("an evaluated integer is not a number");
    return value;
  }
  std::uint64_t raw = 0;
  if (!Z3_get_numeral_uint64(context, result, &raw))
    throw std::runtime_error("an evaluated bit-vector is not a number");
  const unsigned width = bit_width(x.lo(), x.hi());
  const bool negative = x.lo() < 0 && width < 64 && ((raw >> (width - 1)) & 1U) != 0;
  return static_cast<std::int64_t>(negative ? raw - (std::uint64_t{1} << width) : raw);
}

bool Valuation::holds(Z3_ast condition) const {
  return Z3_get_bool_value(Z3Session::current().context(), evaluate(condition)) == Z3_L_TRUE;
}

QuerySolver::QuerySolver(const QueryLimits& limits)
    : context_(Z3Session::current().context()),
      solver_(Z3_mk_solver_for_logic(context_, Z3_mk_string_symbol(context_, logic()))) {
  Z3_solver_inc_ref(context_, solver_);
  set_limits(limits);
}

QuerySolver::~QuerySolver() { Z3_solver_dec_ref(context_, solver_); }

void QuerySolver::set_limits(const QueryLimits& limits) {
  Z3_params params = Z3_mk_params(context_);
  Z3_params_inc_ref(context_, params);
  const auto set = [&](const char* name, unsigned value) {
    Z3_params_set_uint(context_, params, Z3_mk_string_symbol(context_, name), value);
  };
  set("rlimit", limits.resources);
  constexpr auto kNone = std::chrono::milliseconds{UINT32_MAX};
  set("timeout", static_cast<unsigned>(
                     limits.time.count() > 0 ? std::min(limits.time, kNone).count() : UINT32_MAX));
  // The program's own handler sees Ctrl-C; Z3's would end one query and nothing else.
  Z3_params_set_bool(context_, params, Z3_mk_string_symbol(context_, "ctrl_c"), false);
  Z3_solver_set_params(context_, solver_, params);
  Z3_params_dec_ref(context_, params);
}

void QuerySolver::add_session_assumptions() {
  const std::vector<Z3_ast>& all = Z3Session::current().assumptions();
  for (; assumed_ < all.size(); ++assumed_) Z3_solver_assert(context_, solver_, all[assumed_]);
}

Answer answer_of(Z3_lbool result) {
  switch (result) {
    case Z3_L_TRUE:
      return Answer::kSatisfiable;
    case Z3_L_FALSE:
      return Answer::kUnsatisfiable;
    default:
      return Answer::kUnknown;
  }
}

Answer QuerySolver::check(std::span<const Z3Bool> assumptions) {
  add_session_assumptions();
  // Assumptions are literals for Z3, so terms get a name.
  std::vector<Z3_ast> literals;
  for (const Z3Bool& assumption : assumptions) {
    if (assumption.is_constant()) {
      if (!assumption.constant()) return Answer::kUnsatisfiable;
      continue;
    }
    Z3_ast literal = Z3_mk_fresh_const(context_, "assume", Z3Session::current().bool_sort());
    Z3_solver_assert(context_, solver_, Z3_mk_implies(context_, literal, assumption.term()));
    literals.push_back(literal);
  }
  return answer_of(Z3_solver_check_assumptions(
      context_, solver_, static_cast<unsigned>(literals.size()), literals.data()));
}

Valuation QuerySolver::valuation() const {
  return Valuation(Z3_solver_get_model(context_, solver_));
}

std::string QuerySolver::why_unknown() const {
  return Z3_solver_get_reason_unknown(context_, solver_);
}

std::string QuerySolver::smt2(std::span<const Z3Bool> assumptions, const std::string& comment) {
  add_session_assumptions();
  Z3_solver text = Z3_mk_simple_solver(context_);
  Z3_solver_inc_ref(context_, text);
  Z3_ast_vector asserted = Z3_solver_get_assertions(context_, solver_);
  Z3_ast_vector_inc_ref(context_, asserted);
  for (unsigned i = 0; i < Z3_ast_vector_size(context_, asserted); ++i)
    Z3_solver_assert(context_, text, Z3_ast_vector_get(context_, asserted, i));
  Z3_ast_vector_dec_ref(context_, asserted);
  for (const Z3Bool& assumption : assumptions) Z3_solver_assert(context_, text, assumption.term());
  std::string result = "(set-logic " + std::string(logic()) + ")\n";
  std::string line = "; ";
  for (const char c : comment) line += c == '\n' ? std::string("\n; ") : std::string(1, c);
  result += line + "\n" + Z3_solver_to_string(context_, text) + "(check-sat)\n";
  Z3_solver_dec_ref(context_, text);
  return result;
}

}  // namespace schedcheck
