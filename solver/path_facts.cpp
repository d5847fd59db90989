// SPDX-License-Identifier: Apache-2.0
/// \file Interval reasoning over the decisions of the current path.
#include "solver/path_facts.hpp"

#include <algorithm>

#include "solver/region.hpp"
#include "solver/z3_session.hpp"

namespace schedcheck {
namespace {

template <class Same>
const Meaning* find_or_add(Z3_ast atom, Meaning meaning, Same same) {
  auto& known = Z3Session::current().atoms().meanings[atom];
  for (const auto& old : known)
    if (old->kind == meaning.kind && same(*old)) return old.get();
  known.push_back(std::make_unique<const Meaning>(std::move(meaning)));
  return known.back().get();
}

}  // namespace

const Meaning* intern(Z3_ast atom, Meaning::Kind kind, const Z3Int& a, const Z3Int& b) {
  return find_or_add(atom, {kind, a, b, {}, {}}, [&](const Meaning& old) {
    return old.a.same_view(a) && old.b.same_view(b) && old.a.origin() == a.origin() &&
           old.b.origin() == b.origin();
  });
}

const Meaning* intern(Z3_ast atom, const Z3Bool& p, const Z3Bool& q) {
  return find_or_add(atom, {Meaning::kBoth, {}, {}, p, q}, [&](const Meaning& old) {
    return old.p.same(p) && old.q.same(q) && old.p.meaning() == p.meaning() &&
           old.q.meaning() == q.meaning();
  });
}

const Origin* intern(Z3_ast term, Origin origin) {
  auto& known = Z3Session::current().atoms().origins[term];
  for (const auto& old : known)
    if (old->kind == origin.kind && old->shift == origin.shift && old->a.same_view(origin.a) &&
        old->b.same_view(origin.b) && old->a.origin() == origin.a.origin() &&
        old->b.origin() == origin.b.origin())
      return old.get();
  known.push_back(std::make_unique<const Origin>(std::move(origin)));
  return known.back().get();
}

namespace region_detail {
namespace {

/// Conjunctions are looked into this deep: they share parts, so their trees grow exponentially.
constexpr int kNestingMax = 4;

/// Whether x reads its term as a signed number: the same bits may be in use both ways.
bool reads_signed(const Z3Int& x) {
  return x.lo() < 0 && Z3Session::current().theory() == Theory::kBitVector;
}

/// Cuts `interval` to the values that x can have.
Interval align(const Z3Int& x, Interval interval) {
  if (x.is_constant() || interval.empty()) return interval;
  if (const std::int64_t step = x.step(); step > 1) {
    interval.lo = x.lo() + (interval.lo - x.lo() + step - 1) / step * step;
    interval.hi = x.lo() + (interval.hi - x.lo()) / step * step;
  }
  if (x.gap_lo() < interval.lo && interval.lo < x.gap_hi()) interval.lo = x.gap_hi();
  if (x.gap_lo() < interval.hi && interval.hi < x.gap_hi()) interval.hi = x.gap_lo();
  return interval;
}

void add_fact(const Z3Int& x, Interval interval, std::vector<Fact>& facts) {
  if (x.is_constant()) return;
  const Interval before = known_interval(x);
  interval = align(x, {std::max(before.lo, interval.lo), std::min(before.hi, interval.hi)});
  if (interval.empty()) throw InfeasiblePath{};
  if (interval.lo == before.lo && interval.hi == before.hi) return;
  for (Fact& fact : facts) {
    if (fact.term != x.term() || fact.is_signed != reads_signed(x)) continue;
    fact.interval = interval;
    return;
  }
  facts.push_back({x.term(), reads_signed(x), interval});
}

/// x differs from the constant v.
void add_difference(const Z3Int& x, std::int64_t v, std::vector<Fact>& facts) {
  const Interval known = known_interval(x);
  if (known.lo == v) add_fact(x, {v + 1, known.hi}, facts);
  if (known.hi == v) add_fact(x, {known.lo, v - 1}, facts);
}

void learn_comparison(const Meaning& c, bool holds, std::vector<Fact>& facts) {
  const Interval a = known_interval(c.a);
  const Interval b = known_interval(c.b);
  if (c.kind == Meaning::kEqual) {
    if (holds) {
      add_fact(c.a, b, facts);
      add_fact(c.b, a, facts);
    } else {
      if (b.lo == b.hi) add_difference(c.a, b.lo, facts);
      if (a.lo == a.hi) add_difference(c.b, a.lo, facts);
    }
  } else if (holds) {
    add_fact(c.a, {a.lo, b.hi}, facts);
    add_fact(c.b, {a.lo, b.hi}, facts);
  } else {
    add_fact(c.a, {b.lo + 1, a.hi}, facts);
    add_fact(c.b, {b.lo, a.hi - 1}, facts);
  }
}

Z3Bool known_comparison(const Meaning& c, const Z3Bool& unknown) {
  const Interval a = known_interval(c.a);
  const Interval b = known_interval(c.b);
  if (c.kind == Meaning::kEqual) {
    if (a.hi < b.lo || b.hi < a.lo) return false;
    return a.lo == a.hi && b.lo == b.hi ? Z3Bool(true) : unknown;
  }
  if (a.hi <= b.lo) return true;
  return a.lo > b.hi ? Z3Bool(false) : unknown;
}

Z3Bool known_truth(const Z3Bool& condition, int depth);

/// The value of the atom of `positive` on this path, or `positive`.
Z3Bool known_atom(const Z3Bool& positive, int depth) {
  for (const Run* run = current_run(); run != nullptr; run = run->parent)
    for (const Decision& d : run->trace)
      if (d.condition.atom() == positive.atom()) return d.taken != d.condition.negated();
  const Meaning* meaning = positive.meaning();
  if (meaning == nullptr) return positive;
  if (meaning->kind != Meaning::kBoth) return known_comparison(*meaning, positive);
  if (depth == 0) return positive;
  const Z3Bool p = known_truth(meaning->p, depth - 1);
  if (p.is_constant() && !p.constant()) return false;
  const Z3Bool q = known_truth(meaning->q, depth - 1);
  if (q.is_constant() && !q.constant()) return false;
  return p.is_constant() && q.is_constant() ? Z3Bool(true) : positive;
}

Z3Bool known_truth(const Z3Bool& condition, int depth) {
  if (condition.is_constant()) return condition;
  const Z3Bool known = known_atom(condition.negated() ? !condition : condition, depth);
  return condition.negated() ? !known : known;
}

void learn(const Z3Bool& condition, bool taken, std::vector<Fact>& facts, int depth) {
  if (condition.is_constant()) {
    if (condition.constant() != taken) throw InfeasiblePath{};
    return;
  }
  const Meaning* meaning = condition.meaning();
  if (meaning == nullptr) return;
  const bool holds = taken != condition.negated();
  if (meaning->kind != Meaning::kBoth) return learn_comparison(*meaning, holds, facts);
  if (depth == 0) return;
  const auto is_true = [](const Z3Bool& known) { return known.is_constant() && known.constant(); };
  if (holds || is_true(known_truth(meaning->q, depth - 1)))
    learn(meaning->p, holds, facts, depth - 1);
  if (holds || is_true(known_truth(meaning->p, depth - 1)))
    learn(meaning->q, holds, facts, depth - 1);
}

}  // namespace

Interval known_interval(const Z3Int& x) {
  Interval known{x.lo(), x.hi()};
  if (x.is_constant() || innermost_start == 0) return known;
  Z3_ast term = x.term();
  const bool is_signed = reads_signed(x);
  for (const Run* run = current_run(); run != nullptr; run = run->parent)
    for (const Fact& fact : run->facts)
      if (fact.term == term && fact.is_signed == is_signed)
        known = {std::max(known.lo, fact.interval.lo), std::min(known.hi, fact.interval.hi)};
  return align(x, known);
}

Z3Int path_value(const Z3Int& x) {
  const Interval known = known_interval(x);
  return known.lo == known.hi ? Z3Int(known.lo) : x;
}

Z3Bool known_truth(const Z3Bool& condition) {
  return current_run() == nullptr ? condition : known_truth(condition, kNestingMax);
}

void learn(const Z3Bool& condition, bool taken, std::vector<Fact>& facts) {
  learn(condition, taken, facts, kNestingMax);
}

}  // namespace region_detail
}  // namespace schedcheck
