// SPDX-License-Identifier: Apache-2.0
/// \file Invariants and claims of the four properties.
#include "solver/group_fold_claims.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include "properties/fork_lands_on_idle.hpp"
#include "properties/fork_picks_idle_group.hpp"
#include "properties/fork_stays_local.hpp"
#include "properties/fork_tie_least_util.hpp"

namespace schedcheck {
namespace {

Z3Bool implies(const Z3Bool& a, const Z3Bool& b) { return !a || b; }

Z3Bool same_stats(SgLbStats<Z3Domain> a, SgLbStats<Z3Domain> b) {
  Z3Bool same = true;
  [&]<std::size_t... kI>(std::index_sequence<kI...>) {
    ((same = same && std::get<kI>(a.fields()) == std::get<kI>(b.fields())), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(a.fields())>>{});
  return same;
}

Conditions common_invariant(const FoldState& s) {
  const Z3Bool none = s.best.index == kStayLocal;
  return {{"the best group's position has been seen",
           none || (s.best.index >= 1 && s.best.index < s.next)},
          {"the best group's statistics are those of its position",
           none || (s.chosen.position == s.best.index && s.chosen.allowed &&
                    same_stats(s.chosen.stats, s.best.stats))},
          {"without a best group the class to beat is overloaded",
           implies(none, s.best.stats.group_type == kOverloaded)},
          {"any one group seen has a position that was seen", s.other.position < s.next}};
}

Conditions best_has_most_idle(const FoldState& s) {
  const Z3Bool spare = has_spare(s.best.stats);
  return {
      {"a best group with spare capacity has the most idle CPUs",
       implies(spare, s.best.stats.idle_cpus == s.most)},
      {"if the best group has none, no group has spare capacity", implies(!spare, s.most == -1)}};
}

Conditions best_has_at_most_most_idle(const FoldState& s) {
  return {{"a best group with spare capacity has no more idle CPUs than the most",
           implies(has_spare(s.best.stats), s.best.stats.idle_cpus <= s.most)}};
}

Z3Bool other_comes_first(const FoldState& s, const Z3Int& chosen, const Z3Int& chosen_util) {
  return ForkTieLeastUtil::comes_first<Z3Domain>(s.other.position, s.other.stats,
                                                 s.other.allowed && s.other.position >= 1, chosen,
                                                 chosen_util, s.most);
}

Conditions best_has_least_util(const FoldState& s) {
  Conditions all = best_has_most_idle(s);
  const Z3Bool counts = s.other.position >= 1 && s.other.allowed && has_spare(s.other.stats);
  all.push_back({"any one group seen has at most the most idle CPUs",
                 implies(counts, s.other.stats.idle_cpus <= s.most)});
  all.push_back({"any one group seen that ties has more utilisation or a later position",
                 !other_comes_first(s, s.best.index, s.best.stats.group_util)});
  return all;
}

Conditions best_is_idle_if_any(const FoldState& s) {
  const Z3Bool counts_idle = has_spare(s.best.stats) && s.best.stats.idle_cpus >= 1;
  return {{"if an idle CPU was seen, the best group counts one", implies(s.idle_seen, counts_idle)},
          {"a best group that counts an idle CPU is idle", implies(counts_idle, s.chosen.idle)}};
}

SgLbStats<Z3Domain> picked_stats(const FoldState& s, const Choice& choice) {
  return Z3Domain::eval([&]() -> SgLbStats<Z3Domain> {
    if (choice.leaves()) return s.chosen.stats;
    return choice.local.stats;
  });
}

Judgement<Z3Domain> judge_lands_on_idle(const FoldState& s, const Choice& choice) {
  return judge<Z3Domain>(s.idle_seen || (choice.local.allowed && choice.local.idle),
                         !merge(choice.leaves(), s.chosen.idle, choice.local.idle));
}

Judgement<Z3Domain> judge_picks_idle_group(const FoldState& s, const Choice& choice) {
  return ForkPicksIdleGroup::judge_groups<Z3Domain>(choice.local.stats, choice.local.allowed,
                                                    picked_stats(s, choice), s.most);
}

Judgement<Z3Domain> judge_stays_local(const FoldState& s, const Choice& choice) {
  return ForkStaysLocalWhenEquallyIdle::judge_groups<Z3Domain>(
      choice.local.stats, choice.local.allowed, s.most, choice.leaves());
}

Judgement<Z3Domain> judge_tie_least_util(const FoldState& s, const Choice& choice) {
  const SgLbStats<Z3Domain> mine = picked_stats(s, choice);
  return judge<Z3Domain>(
      ForkTieLeastUtil::relevant<Z3Domain>(choice.position, choice.local.stats, mine, s.most),
      other_comes_first(s, choice.position, mine.group_util));
}

constexpr std::array<FoldProperty, 4> kFoldProperties = {{
    {ForkLandsOnIdle::kInfo.name, true, false, true, true, best_is_idle_if_any,
     judge_lands_on_idle},
    {ForkPicksIdleGroup::kInfo.name, false, false, false, true, best_has_most_idle,
     judge_picks_idle_group},
    {ForkStaysLocalWhenEquallyIdle::kInfo.name, false, true, true, false,
     best_has_at_most_most_idle, judge_stays_local},
    {ForkTieLeastUtil::kInfo.name, false, false, false, true, best_has_least_util,
     judge_tie_least_util},
}};

}  // namespace

const FoldProperty* find_fold_property(std::string_view name) {
  const auto* const found =
      std::find_if(kFoldProperties.begin(), kFoldProperties.end(),
                   [&](const FoldProperty& candidate) { return candidate.name == name; });
  return found == kFoldProperties.end() ? nullptr : found;
}

Conditions invariant(const FoldProperty& property, const FoldState& s) {
  Conditions all = common_invariant(s);
  const Conditions own = property.invariant(s);
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

}  // namespace schedcheck
