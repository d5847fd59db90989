// SPDX-License-Identifier: Apache-2.0
/// \file The two proofs over the ring of groups, side by side.
#include "cli/any_cpu_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "solver/group_fold.hpp"

namespace schedcheck::cli {
namespace {

/// That Spacer finds a ring where the induction fails is no disagreement, nor that it finds none:
/// the stated invariant may be too weak.
std::string ask_second(SolverVerdict& verdict, const KernelSwitches& kernel, const FoldProof& fold,
                       std::chrono::milliseconds limit) {
  const SpacerOpinion second = ask_spacer(kernel, verdict.property, limit);
  if (fold.proved && second.answer == Answer::kSatisfiable)
    throw std::logic_error(fmt::format(
        "{}: Spacer finds a ring of groups that breaks what the induction over the ring proves",
        fold.property));
  const std::string says = second.answer == Answer::kUnsatisfiable ? "no ring breaks it"
                           : second.answer == Answer::kSatisfiable ? "a ring breaks it"
                                                                   : "no answer";
  verdict.more["any_cpu_count"]["spacer"] = {
      {"answer", says}, {"queries", second.queries}, {"seconds", second.seconds}};
  return fmt::format("Spacer, with an invariant of its own: {}, {} quer{}, {:.1f} s", says,
                     second.queries, second.queries == 1 ? "y" : "ies", second.seconds);
}

}  // namespace

void add_any_cpu_count(SolverVerdict& verdict, const KernelSwitches& kernel, QueryLog& log,
                       std::chrono::milliseconds limit) {
  const auto fold = prove_for_any_cpu_count(kernel, verdict.property);
  if (!fold) return;
  if (log.wanted())
    for (const ObligationResult& one : fold->obligations)
      if (one.verdict == ObligationVerdict::kProved) log.add(one.smt2, Answer::kUnsatisfiable);
  verdict.more["any_cpu_count"] = {{"proved", fold->proved},
                                   {"obligations", fold->obligations.size()},
                                   {"counterexample", fold->counterexample}};
  constexpr std::chrono::milliseconds kLimit{10'000};
  const std::string second =
      ask_second(verdict, kernel, *fold, limit.count() == 0 ? kLimit : std::min(limit, kLimit));
  verdict.conditions.push_back(fmt::format(
      "the choice of the group is {} ({} obligations; {})",
      fold->proved ? "proved for any number of CPUs too" : "not proved for any number of CPUs",
      fold->obligations.size(), second));
}

}  // namespace schedcheck::cli
