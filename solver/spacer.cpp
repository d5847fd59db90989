// SPDX-License-Identifier: Apache-2.0
/// \file Horn clauses by Z3's C interface.
#include "solver/spacer.hpp"

#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace schedcheck {
namespace {

/// The free symbols of a term.
std::vector<Z3_app> symbols_of(Z3_context context, Z3_ast term) {
  std::vector<Z3_app> symbols;
  std::vector<Z3_ast> rest = {term};
  std::set<Z3_ast> seen;
  while (!rest.empty()) {
    Z3_ast at = rest.back();
    rest.pop_back();
    if (!seen.insert(at).second || Z3_get_ast_kind(context, at) != Z3_APP_AST) continue;
    Z3_app app = Z3_to_app(context, at);
    const unsigned arguments = Z3_get_app_num_args(context, app);
    if (arguments == 0 &&
        Z3_get_decl_kind(context, Z3_get_app_decl(context, app)) == Z3_OP_UNINTERPRETED)
      symbols.push_back(app);
    for (unsigned i = 0; i < arguments; ++i) rest.push_back(Z3_get_app_arg(context, app, i));
  }
  return symbols;
}

}  // namespace

HornSystem::HornSystem(std::vector<Z3_ast> state)
    : context_(Z3Session::current().context()),
      engine_(Z3_mk_fixedpoint(context_)),
      state_(std::move(state)) {
  Z3_fixedpoint_inc_ref(context_, engine_);
  std::vector<Z3_sort> sorts;
  for (Z3_ast term : state_) sorts.push_back(Z3_get_sort(context_, term));
  relation_ = Z3_mk_func_decl(context_, Z3_mk_string_symbol(context_, "reached"),
                              static_cast<unsigned>(sorts.size()), sorts.data(),
                              Z3Session::current().bool_sort());
  Z3_fixedpoint_register_relation(context_, engine_, relation_);
}

HornSystem::~HornSystem() { Z3_fixedpoint_dec_ref(context_, engine_); }

Z3_ast HornSystem::reached(const std::vector<Z3_ast>& state) const {
  return Z3_mk_app(context_, relation_, static_cast<unsigned>(state.size()), state.data());
}

void HornSystem::add(const std::vector<Z3_ast>& body, Z3_ast head, const char* name) {
  std::vector<Z3_ast> all = Z3Session::current().assumptions();
  all.insert(all.end(), body.begin(), body.end());
  Z3_ast rule = Z3_mk_implies(
      context_, Z3_mk_and(context_, static_cast<unsigned>(all.size()), all.data()), head);
  std::vector<Z3_app> symbols = symbols_of(context_, rule);
  std::erase(symbols, Z3_to_app(context_, head));  // A relation without arguments is no symbol.
  if (!symbols.empty())
    rule = Z3_mk_forall_const(context_, 0, static_cast<unsigned>(symbols.size()), symbols.data(), 0,
                              nullptr, rule);
  Z3_fixedpoint_add_rule(context_, engine_, rule, Z3_mk_string_symbol(context_, name));
}

void HornSystem::starts_in(const std::vector<Z3_ast>& state) { add({}, reached(state), "start"); }

void HornSystem::goes_to(const std::vector<Z3_ast>& next) {
  add({reached(state_)}, reached(next), "turn");
}

Answer HornSystem::can_be(const Z3Bool& bad, std::chrono::milliseconds limit) {
  Z3_func_decl found = Z3_mk_func_decl(context_, Z3_mk_string_symbol(context_, "found"), 0, nullptr,
                                       Z3Session::current().bool_sort());
  Z3_fixedpoint_register_relation(context_, engine_, found);
  add({reached(state_), bad.term()}, Z3_mk_app(context_, found, 0, nullptr), "bad");
  Z3_params params = Z3_mk_params(context_);
  Z3_params_inc_ref(context_, params);
  Z3_params_set_symbol(context_, params, Z3_mk_string_symbol(context_, "engine"),
                       Z3_mk_string_symbol(context_, "spacer"));
  Z3_params_set_uint(context_, params, Z3_mk_string_symbol(context_, "timeout"),
                     static_cast<unsigned>(limit.count()));
  Z3_fixedpoint_set_params(context_, engine_, params);
  Z3_params_dec_ref(context_, params);
  try {
    return answer_of(Z3_fixedpoint_query_relations(context_, engine_, 1, &found));
  } catch (const std::runtime_error& error) {
    // How this engine reports a timeout.
    if (std::string_view(error.what()).find("cancel") == std::string_view::npos) throw;
    return Answer::kUnknown;
  }
}

}  // namespace schedcheck
