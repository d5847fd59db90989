// SPDX-License-Identifier: Apache-2.0
/// \file The search over sequences of event kinds, breadth first.
#include "solver/bounded_model_checking.hpp"

#include <stdexcept>
#include <utility>

#include "model/schedule.hpp"
#include "solver/leaf_pairs.hpp"
#include "solver/time_budget.hpp"
#include "solver/well_formed.hpp"

namespace schedcheck {
namespace {

bool is_false(const Z3Bool& b) { return b.is_constant() && !b.constant(); }

class Search {
 public:
  explicit Search(const BoundedQuery& query)
      : query_(query), session_(query.theory), mutant_(query.mutant), time_(query.time) {
    if (query.depth < 1) throw std::logic_error("a bounded query needs a depth of at least 1");
  }
  BoundedResult run();

 private:
  SymbolicMachine start();
  /// One more event of every kind after `path`; false: the search is over.
  bool extend(const Path& path, int length, std::vector<Path>& next);
  bool judge(const Path& path, int length);
  bool discharge_obligations(const Path& path);
  Answer check(std::vector<Z3Bool> conditions, std::optional<Witness>* witness, const Path& path);
  void undecided(std::string because) {
    if (result_.undecided_because.empty()) result_.undecided_because = std::move(because);
  }

  const BoundedQuery& query_;
  Z3Session session_;
  ScopedMutant mutant_;
  BoundedResult result_;
  SymbolicMachine start_;
  std::vector<Z3Int> averages_;
  std::size_t discharged_ = 0;
  TimeBudget time_;
};

SymbolicMachine Search::start() {
  switch (query_.start) {
    case StartKind::kGiven: {
      Machine<NativeDomain> native = query_.given;
      return constants<SymbolicMachine>(native);
    }
    case StartKind::kAny: {
      SymbolicMachine m = free_machine(query_.model, query_.universe.state, "s.");
      m.judged.resize(kPropertyCount);
      assume_strengthening(m, query_.property);
      return m;
    }
    case StartKind::kFreeAverages:
      break;
  }
  SymbolicMachine m = empty_machine<Z3Domain>(query_.model, static_cast<int>(kPropertyCount));
  for (const InitialTask& task : query_.tasks) {
    const std::string name = "task" + std::to_string(averages_.size()) + ".util_avg";
    averages_.push_back(Z3Int::fresh(name.c_str(), 0, kCapacity));
    add_initial_task<Z3Domain>(query_.model, m, task, &averages_.back());
  }
  return m;
}

Answer Search::check(std::vector<Z3Bool> conditions, std::optional<Witness>* witness,
                     const Path& path) {
  QueryLimits limits = query_.limits;
  if (time_.limited()) limits.time = time_.left();
  QuerySolver solver(limits);
  ++result_.queries;
  std::string text;
  if (query_.dump && witness == &result_.witness) {
    std::string sequence;
    for (const SymbolicEvent& event : path.events())
      sequence += std::string(" ").append(event_name(static_cast<EventKind>(event.kind.lo())));
    text = solver.smt2(conditions, "events:" + sequence);
  }
  const Answer answer = solver.check(conditions);
  if (!text.empty()) query_.dump(text, answer);
  if (answer == Answer::kSatisfiable && witness != nullptr) {
    const Valuation valuation = solver.valuation();
    witness->emplace();
    (*witness)->start = native_machine(start_, valuation);
    for (const Z3Int& average : averages_) (*witness)->averages.push_back(valuation.value(average));
    for (const SymbolicEvent& event : path.events())
      (*witness)->events.push_back(native_event(event, valuation));
  }
  return answer;
}

// An obligation says that the formulas mean what the model computes. Those about tasks and queues
// follow from the state invariants (induction.hpp); the others are looked at here. Valid without
// any condition, one need not be looked at again on other paths.
bool Search::discharge_obligations(const Path& path) {
  Z3Bool fails = false;
  const std::vector<Obligation>& all = session_.obligations();
  const std::size_t first = discharged_;
  for (; discharged_ < all.size(); ++discharged_)
    if (all[discharged_].data) fails = fails || !Z3Bool::of(all[discharged_].holds);
  if (is_false(fails) || check({fails}, nullptr, path) == Answer::kUnsatisfiable) return true;
  if (check({path.admissible(), fails}, nullptr, path) == Answer::kUnsatisfiable) {
    discharged_ = first;  // Only here: other paths look again.
    return true;
  }
  undecided("a value may leave its field's range, so the formula may differ from the model: " +
            all[first].what);
  return false;
}

bool Search::judge(const Path& path, int length) {
  if (query_.only_last && length < query_.depth) return true;
  if (!result_.cover && !is_false(path.relevant()))
    check({path.admissible(), path.relevant()}, &result_.cover, path);
  if (is_false(path.violated())) return true;
  const Answer answer = check({path.admissible(), path.violated()}, &result_.witness, path);
  if (answer == Answer::kUnsatisfiable) return true;
  if (answer == Answer::kUnknown) {
    undecided("the solver gave up on a sequence of " + std::to_string(length) + " events");
    return true;
  }
  result_.outcome = BoundedResult::Outcome::kViolated;
  result_.shortest = result_.undecided_because.empty();
  result_.depth = length;
  return false;
}

/// Such a property mostly needs no time to fail, and passing it costs most: `run` is tried last.
bool judged_at_forks(std::size_t property) {
  bool found = false;
  for_each_property([&]<class P>(std::size_t i, P) {
    using D = NativeDomain;
    if constexpr (requires(const Model& model, Machine<D>& m, const ForkView<D>& fork) {
                    P::template on_fork<D>(model, m, fork);
                  })
      found = found || i == property;
  });
  return found;
}

bool Search::extend(const Path& path, int length, std::vector<Path>& next) {
  static_assert(static_cast<int>(EventKind::kRun) == 0);
  const int first = judged_at_forks(query_.property) ? 1 : 0;
  for (int i = first; i < first + kQueryEventKinds; ++i) {
    const int kind = i % kQueryEventKinds;
    if (query_.stop && query_.stop()) {
      undecided("interrupted among sequences of " + std::to_string(length) + " events");
      return false;
    }
    if (time_.spent()) {
      undecided("the time limit ended the search among sequences of " + std::to_string(length) +
                " events");
      return false;
    }
    Path longer = path.extended(static_cast<EventKind>(kind));
    if (query_.only_last && length < query_.depth) longer.assume(!longer.violated());
    if (is_false(longer.admissible())) continue;
    ++result_.sequences;
    if (!judge(longer, length)) return false;
    const bool extends = length < query_.depth;
    if (extends && check({longer.admissible()}, nullptr, longer) == Answer::kUnsatisfiable)
      continue;
    discharge_obligations(longer);
    if (extends) next.push_back(std::move(longer));
  }
  return true;
}

BoundedResult Search::run() {
  start_ = start();
  std::vector<Path> frontier;
  frontier.emplace_back(query_.model, start_, query_.universe, query_.property);
  bool goes_on = true;
  for (int length = 1; length <= query_.depth && goes_on; ++length) {
    std::vector<Path> next;
    for (const Path& path : frontier) {
      goes_on = extend(path, length, next);
      if (!goes_on) break;
    }
    frontier = std::move(next);
    if (goes_on && result_.undecided_because.empty()) result_.depth = length;
  }
  if (result_.outcome != BoundedResult::Outcome::kViolated && !result_.undecided_because.empty())
    result_.outcome = BoundedResult::Outcome::kUndecided;
  return std::move(result_);
}

}  // namespace

BoundedResult check_bounded(const BoundedQuery& query) { return Search(query).run(); }

BoundedResult check_each_position(BoundedQuery query) {
  query.theory = Theory::kInteger;
  query.depth = 1;
  query.start = StartKind::kAny;
  const TimeBudget time(query.time);
  BoundedResult all;
  for (std::int64_t at = 0; at < kWindowNs / query.universe.state.grid_ns; ++at) {
    query.universe.state.updated_at = at;
    query.time = time.left();
    BoundedResult one = check_bounded(query);
    one.sequences += all.sequences;
    one.queries += all.queries;
    if (all.cover) one.cover = std::move(all.cover);
    all = std::move(one);
    if (all.outcome != BoundedResult::Outcome::kHolds) break;
  }
  return all;
}

bool confirmed_natively(const Model& model, std::size_t property, const Witness& witness,
                        bool relevant) {
  Machine<NativeDomain> m = witness.start;
  m.judged.assign(kPropertyCount, {});
  PropertyObserver observer;
  observer.enabled = PropertySet{1} << property;
  for (const Event& event : witness.events)
    if (!step<NativeDomain>(model, m, event, observer)) return false;
  return relevant ? static_cast<bool>(m.judged[property].relevant)
                  : static_cast<bool>(m.judged[property].violated);
}

}  // namespace schedcheck
