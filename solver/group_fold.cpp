// SPDX-License-Identifier: Apache-2.0
/// \file The obligations of group_fold.hpp.
#include "solver/group_fold.hpp"

#include <set>
#include <stdexcept>

#include "properties/catalogue.hpp"
#include "solver/group_fold_claims.hpp"
#include "solver/spacer.hpp"

namespace schedcheck {
namespace {

void show_fold(ProofObligation& proof, const FoldProperty& property, const std::string& when,
               const FoldState& s) {
  const bool single = property.single_cpu_groups;
  proof.show([=](const Valuation& v) {
    const std::int64_t index = v.value(s.best.index);
    if (index == kStayLocal) return when + ", no best group";
    return when + ", best group: position " + std::to_string(index) + ": " +
           describe(v, s.best.stats) +
           (single ? std::string(v.holds(s.idle_seen) ? "; an" : "; no") + " idle CPU was seen"
                   : "; most idle CPUs seen: " + std::to_string(v.value(s.most)));
  });
}

void prefer_readable(ProofObligation& proof, const FoldSetting& setting, const FoldState& s) {
  proof.prefer(s.next <= 3);
  proof.prefer(s.best.index >= 1);
  proof.prefer(s.other.position == 0);
  proof.prefer(s.other.position != s.best.index);
  proof.prefer(looks_real(setting, s.best.stats));
  proof.prefer(looks_real(setting, s.other.stats));
}

void show_group(ProofObligation& proof, const std::string& what, const RingGroup& group) {
  proof.show([=](const Valuation& v) { return what + ", " + describe(v, group); });
}

void show_other(ProofObligation& proof, const FoldState& s) {
  proof.show([=](const Valuation& v) {
    if (v.value(s.other.position) == 0) return std::string("no group remembered");
    return "a group seen, " + describe(v, s.other);
  });
}

/// Runs build(proof) in a session of its own and discharges the proof there.
template <class Build>
ObligationResult discharge_new(std::string name, const Build& build) {
  const Z3Session session(Theory::kInteger);
  ProofObligation proof(std::move(name));
  build(proof);
  return proof.discharge();
}

ObligationResult prove_statistics(const KernelSwitches& kernel) {
  return discharge_new("statistics of one more CPU", [&](ProofObligation& proof) {
    const Machine<Z3Domain> m = any_cpu(one_cpu_model(kernel), "cpu");
    SgLbStats<Z3Domain> stats = any_stats("sums");
    const SgLbStats<Z3Domain> before = stats;
    const Z3Int cpus = Z3Int::fresh("cpus", 0, kMaxGroupWeight - 1);
    proof.assume(sums_within(stats, cpus));
    count_cpu<Z3Domain>(kernel, stats, m, 0, 0);
    proof.claim("no CPUs have sums within the bounds", sums_within(SgLbStats<Z3Domain>{}, 0));
    proof.claim("the sums stay within the bounds", sums_within(stats, cpus + Z3Int(1)));
    proof.must_be_possible("the CPU adds to the utilisation", stats.group_util > before.group_util);
    proof.show([=](const Valuation& v) {
      return std::to_string(v.value(cpus)) + " CPUs: " + describe(v, before);
    });
    proof.show([=](const Valuation& v) { return "one more: " + describe(v, stats); });
  });
}

ObligationResult prove_base(const FoldProperty& property) {
  return discharge_new("base", [&](ProofObligation& proof) {
    const FoldState anybody = any_fold_state();
    const FoldState state = fold_start(anybody);
    proof.claim("the numbers are within the bounds", within_bounds_of(anybody, state));
    for (const NamedCondition& part : invariant(property, state))
      proof.claim(part.text, part.holds);
    show_fold(proof, property, "at the start", state);
  });
}

std::string with_domain(const std::string& name, const FoldSetting& setting) {
  return name + ", imbalance_pct " + std::to_string(setting.imbalance_pct) +
         (setting.numa ? ", NUMA" : "");
}

ObligationResult prove_step(const FoldProperty& property, const FoldSetting& setting) {
  return discharge_new(with_domain("step", setting), [&](ProofObligation& proof) {
    const FoldState before = any_fold_state();
    for (const NamedCondition& part : invariant(property, before)) proof.assume(part.holds);
    const RingGroup group = free_group(setting, "group", before.next);
    FoldState after = before;
    see_group(setting.kernel, after, group, Z3Bool::fresh("remember"));
    proof.claim("the numbers stay within the bounds", within_bounds_of(before, after));
    for (const NamedCondition& part : invariant(property, after))
      proof.claim(part.text, part.holds);
    const Z3Bool had_one = before.best.index >= 1;
    proof.must_be_possible("the group becomes the best one",
                           had_one && after.best.index == group.position);
    proof.must_be_possible("the best group stays",
                           had_one && group.allowed && after.best.index == before.best.index);
    proof.must_be_possible("the group is as idle as the best one",
                           had_one && group.allowed && has_spare(group.stats) &&
                               has_spare(before.best.stats) && group.stats.idle_cpus >= 1 &&
                               group.stats.idle_cpus == before.best.stats.idle_cpus);
    prefer_readable(proof, setting, before);
    proof.prefer(looks_real(setting, group.stats));
    show_fold(proof, property, "before", before);
    show_other(proof, before);
    show_group(proof, "next group", group);
    show_fold(proof, property, "after", after);
  });
}

/// The end of the ring: where the child goes, with any local group.
Choice choose(const FoldSetting& setting, const FoldState& state) {
  Choice choice{free_group(setting, "local", 0), 0};
  const Z3Int numa_nr = setting.numa ? Z3Int::fresh("numa_nr", 0, kMaxGroupWeight) : Z3Int(0);
  const Z3Int answer = local_or_idlest<Z3Domain>(setting.domain(), state.best, choice.local.stats,
                                                 choice.local.allowed, numa_nr);
  choice.position = merge(answer == kStayLocal, Z3Int(0), answer);
  return choice;
}

ObligationResult prove_conclusion(const FoldProperty& property, const FoldSetting& setting) {
  return discharge_new(with_domain("conclusion", setting), [&](ProofObligation& proof) {
    const FoldState state = any_fold_state();
    for (const NamedCondition& part : invariant(property, state)) proof.assume(part.holds);
    const Choice choice = choose(setting, state);
    const Judgement<Z3Domain> verdict = property.judge(state, choice);
    const Z3Bool relevant = verdict.relevant;
    proof.claim("the property: " + std::string(property.name), !verdict.violated);
    if (property.child_may_leave)
      proof.must_be_possible("the child leaves", relevant && choice.leaves());
    if (property.child_may_stay)
      proof.must_be_possible("the child stays", relevant && !choice.leaves());
    prefer_readable(proof, setting, state);
    proof.prefer(looks_real(setting, choice.local.stats));
    show_fold(proof, property, "at the end", state);
    show_other(proof, state);
    show_group(proof, "local group", choice.local);
    proof.show([=](const Valuation& v) {
      const std::int64_t position = v.value(choice.position);
      return "the child " + (position == 0
                                 ? "stays"
                                 : "goes to the group at position " + std::to_string(position));
    });
  });
}

std::set<int> imbalance_pcts(const KernelSwitches& kernel) {
  return {110, 117, kernel.imbalance_pct_above_llc == ImbalancePctAboveLlc::k125 ? 125 : 117};
}

std::vector<ObligationResult> prove_all(const FoldProperty& property,
                                        const KernelSwitches& kernel) {
  std::vector<ObligationResult> results;
  if (!property.single_cpu_groups) results.push_back(prove_statistics(kernel));
  results.push_back(prove_base(property));
  for (const int pct : imbalance_pcts(kernel)) {
    FoldSetting setting{kernel, pct, property.single_cpu_groups, false};
    results.push_back(prove_step(property, setting));
    results.push_back(prove_conclusion(property, setting));
    if (!property.numa_too) continue;
    setting.numa = true;
    results.push_back(prove_conclusion(property, setting));
  }
  return results;
}

std::vector<Z3_ast> leaves_of(FoldState state) {
  std::vector<Z3_ast> terms;
  const auto collect = [&](auto& leaf) { terms.push_back(leaf.term()); };
  for_each_leaf(state, collect);
  return terms;
}

Answer ask_spacer(const FoldProperty& property, const FoldSetting& setting,
                  std::chrono::milliseconds limit) {
  const Z3Session session(Theory::kInteger);
  const FoldState before = any_fold_state();
  FoldState after = before;
  see_group(setting.kernel, after, free_group(setting, "group", before.next),
            Z3Bool::fresh("remember"));
  const Judgement<Z3Domain> verdict = property.judge(before, choose(setting, before));
  Z3Bool bad = verdict.violated || !within_bounds_of(before, after);
  for (const Obligation& range : session.obligations()) bad = bad || !Z3Bool::of(range.holds);
  HornSystem system(leaves_of(before));
  system.starts_in(leaves_of(fold_start(before)));
  system.goes_to(leaves_of(after));
  return system.can_be(bad, limit);
}

}  // namespace

SpacerOpinion ask_spacer(const KernelSwitches& kernel, std::size_t property_index,
                         std::chrono::milliseconds limit) {
  const FoldProperty* const property =
      find_fold_property(property_catalogue()[property_index].name);
  if (property == nullptr) throw std::logic_error("the property is not about a group's choice");
  SpacerOpinion opinion;
  const double start = cpu_seconds();
  for (const int pct : imbalance_pcts(kernel))
    for (const bool numa : {false, true}) {
      if ((numa && !property->numa_too) || opinion.answer != Answer::kUnsatisfiable) continue;
      opinion.answer =
          ask_spacer(*property, {kernel, pct, property->single_cpu_groups, numa}, limit);
      ++opinion.queries;
    }
  opinion.seconds = cpu_seconds() - start;
  return opinion;
}

std::optional<FoldProof> prove_for_any_cpu_count(const KernelSwitches& kernel,
                                                 std::size_t property_index) {
  const std::string_view name = property_catalogue()[property_index].name;
  const FoldProperty* const property = find_fold_property(name);
  if (property == nullptr) return std::nullopt;
  FoldProof proof{std::string(name), true, prove_all(*property, kernel), {}};
  for (const ObligationResult& result : proof.obligations) {
    if (result.verdict == ObligationVerdict::kProved) continue;
    if (proof.proved) proof.counterexample = result.counterexample;
    proof.proved = false;
  }
  return proof;
}

}  // namespace schedcheck
