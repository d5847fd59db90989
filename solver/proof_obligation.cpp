// SPDX-License-Identifier: Apache-2.0
/// \file Queries of a proof obligation: one per case that must be possible, one for the claims.
#include "solver/proof_obligation.hpp"

#include <ctime>
#include <stdexcept>
#include <utility>

namespace schedcheck {
namespace {

constexpr const char* kLogic = "QF_LIA";

/// One Z3 solver with one conjunction in it.
class Query {
 public:
  Query(const std::vector<Z3Bool>& assumptions, unsigned resource_limit)
      : context_(Z3Session::current().context()) {
    solver_ = Z3_mk_solver_for_logic(context_, Z3_mk_string_symbol(context_, kLogic));
    Z3_solver_inc_ref(context_, solver_);
    Z3_params params = Z3_mk_params(context_);
    Z3_params_inc_ref(context_, params);
    Z3_params_set_uint(context_, params, Z3_mk_string_symbol(context_, "rlimit"), resource_limit);
    Z3_solver_set_params(context_, solver_, params);
    Z3_params_dec_ref(context_, params);
    for (Z3_ast range : Z3Session::current().assumptions)
      Z3_solver_assert(context_, solver_, range);
    for (const Z3Bool& assumption : assumptions) add(assumption);
  }
  ~Query() { Z3_solver_dec_ref(context_, solver_); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  void add(const Z3Bool& condition) { Z3_solver_assert(context_, solver_, condition.term()); }
  Z3_lbool check() { return Z3_solver_check(context_, solver_); }
  [[nodiscard]] std::string reason() const {
    return Z3_solver_get_reason_unknown(context_, solver_);
  }
  [[nodiscard]] std::string smt2() const {
    return std::string("(set-logic ")
        .append(kLogic)
        .append(")\n")
        .append(Z3_solver_to_string(context_, solver_))
        .append("(check-sat)\n");
  }
  template <class F>
  std::string with_model(const F& f) {
    Z3_model model = Z3_solver_get_model(context_, solver_);
    Z3_model_inc_ref(context_, model);
    std::string text = f(ModelValues(context_, model));
    Z3_model_dec_ref(context_, model);
    return text;
  }

 private:
  Z3_context context_;
  Z3_solver solver_;
};

/// Of this thread: the machine may be busy with other things.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Z3_ast evaluated(Z3_context context, Z3_model model, Z3_ast term) {
  Z3_ast value = nullptr;
  if (!Z3_model_eval(context, model, term, true, &value))
    throw std::logic_error("a model of the solver has no value for a term");
  return value;
}

}  // namespace

std::string_view to_string(ObligationVerdict verdict) {
  switch (verdict) {
    case ObligationVerdict::kProved:
      return "proved";
    case ObligationVerdict::kRefuted:
      return "refuted";
    case ObligationVerdict::kVacuous:
      return "vacuous";
    case ObligationVerdict::kUndecided:
      break;
  }
  return "undecided";
}

std::int64_t ModelValues::number(const Z3Int& x) const {
  if (x.is_constant()) return x.lo();
  std::int64_t value = 0;
  if (!Z3_get_numeral_int64(context_, evaluated(context_, model_, x.term()), &value))
    throw std::logic_error("a value of the solver is no 64-bit number");
  return value;
}

bool ModelValues::holds(const Z3Bool& x) const {
  if (x.is_constant()) return x.constant();
  return Z3_get_bool_value(context_, evaluated(context_, model_, x.term())) == Z3_L_TRUE;
}

std::string ProofObligation::explain(const ModelValues& values) const {
  std::string text = name_ + ":\n";
  for (const auto& line : lines_) text += "  " + line(values) + "\n";
  for (const NamedCondition& claim : claims_)
    if (!values.holds(claim.holds)) text += "  broken: " + claim.text + "\n";
  return text;
}

Z3Bool ProofObligation::all_claims() const {
  Z3Bool all = true;
  for (const NamedCondition& claim : claims_) all = all && claim.holds;
  for (const Obligation& range : Z3Session::current().obligations)
    all = all && Z3Bool::of(range.holds);
  return all;
}

std::string ProofObligation::find_counterexample(unsigned resource_limit) const {
  std::vector<Z3Bool> conditions = assumptions_;
  conditions.push_back(!all_claims());
  for (const Z3Bool& preference : preferences_) {
    conditions.push_back(preference);
    if (Query(conditions, resource_limit).check() != Z3_L_TRUE) conditions.pop_back();
  }
  Query query(conditions, resource_limit);
  if (query.check() != Z3_L_TRUE) return name_ + ": no second answer";
  return query.with_model([&](const ModelValues& values) { return explain(values); });
}

ObligationVerdict ProofObligation::decide(ObligationResult& result, unsigned resource_limit) const {
  Query query(assumptions_, resource_limit);
  query.add(!all_claims());
  result.smt2 = query.smt2();
  const Z3_lbool broken = query.check();
  if (broken == Z3_L_TRUE) {
    result.counterexample = find_counterexample(resource_limit);
    return ObligationVerdict::kRefuted;
  }
  if (broken == Z3_L_UNDEF) {
    result.counterexample = name_ + ": " + query.reason();
    return ObligationVerdict::kUndecided;
  }
  std::vector<NamedCondition> cases = cases_;
  cases.push_back({"what the obligation assumes", Z3Bool(true)});
  for (const NamedCondition& possible : cases) {
    Query cover(assumptions_, resource_limit);
    cover.add(possible.holds);
    const Z3_lbool found = cover.check();
    if (found == Z3_L_TRUE) continue;
    result.counterexample = name_ + ": " + possible.text +
                            (found == Z3_L_FALSE ? " is impossible" : ": " + cover.reason());
    return found == Z3_L_FALSE ? ObligationVerdict::kVacuous : ObligationVerdict::kUndecided;
  }
  return ObligationVerdict::kProved;
}

ObligationResult ProofObligation::discharge(unsigned resource_limit) const {
  const double start = cpu_seconds();
  ObligationResult result{name_, ObligationVerdict::kUndecided, 0, {}, {}};
  result.verdict = decide(result, resource_limit);
  result.seconds = cpu_seconds() - start;
  return result;
}

}  // namespace schedcheck
