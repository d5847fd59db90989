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

Z3Session::Z3Session(Theory theory)
    : theory_(theory), atoms_(std::make_unique<AtomTable>()), previous_(current_session) {
  Z3_config config = Z3_mk_config();
  Z3_set_param_value(config, "model", "true");
  context_ = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(context_, raise_z3_error);
  int_sort_ = Z3_mk_int_sort(context_);
  current_session = this;
}

Z3Session::~Z3Session() {
  current_session = previous_;
  Z3_del_context(context_);
}

void Z3Session::oblige(Z3_ast holds, std::string what) {
  if (obliged_.insert(holds).second) obligations.push_back({holds, std::move(what)});
}

Z3Session& Z3Session::current() {
  if (current_session == nullptr) throw std::logic_error("no Z3Session on this thread");
  return *current_session;
}

}  // namespace schedcheck
