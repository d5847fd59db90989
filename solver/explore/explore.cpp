// SPDX-License-Identifier: Apache-2.0
/// \file The search, level by level. Within a batch of states threads work apart and read only;
/// what is new is decided afterwards in the order of states and events, so nothing depends on
/// threads.
#include "solver/explore/explore.hpp"

#include <algorithm>
#include <thread>

#include "properties/run_schedule.hpp"
#include "solver/explore/canonical_state.hpp"
#include "solver/explore/faulty_domain.hpp"
#include "solver/explore/fingerprint_set.hpp"

namespace schedcheck {
namespace {

constexpr std::size_t kBatch = 2048;  ///< States between two looks at the limits.

/// How a state was reached.
struct Step {
  std::uint32_t parent = 0;
  std::uint16_t event = 0;
};

/// States of one level.
struct Frontier {
  std::string bytes;
  std::vector<std::uint64_t> ends;
  [[nodiscard]] std::size_t size() const { return ends.size(); }
  [[nodiscard]] std::string_view at(std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(bytes).substr(begin, ends[i] - begin);
  }
  void add(std::string_view state) {
    bytes += state;
    ends.push_back(bytes.size());
  }
  [[nodiscard]] std::uint64_t held() const { return bytes.capacity() + ends.capacity() * 8; }
};

/// A successor that was not seen before the batch.
struct Candidate {
  std::uint64_t fp = 0;
  Step step;
  std::uint64_t begin = 0, end = 0;
};

/// First of each property within a part of a batch.
struct Seen {
  std::optional<Step> violation, cover;
  std::int64_t relevant = 0;
};

template <class D>
class Search {
 public:
  Search(const ExploreQuery& query, const Model& model, Machine<D> start)
      : query_(query),
        model_(model),
        start_(std::move(start)),
        packer_(start_),
        began_(std::chrono::steady_clock::now()) {
    choose_comparison();
    observer_.enabled = query.properties;
    for (std::size_t p = 0; p < kPropertyCount; ++p)
      if ((query.properties >> p & 1) != 0) result_.properties[p];
  }
  ExploreResult run();

 private:
  /// What one thread has for itself.
  struct Worker {
    Worker(const Model& model, const Comparison& comparison, const Machine<D>& start)
        : canonical(model, comparison), parent(start), child(start) {}
    CanonicalState<D> canonical;
    Machine<D> parent, child;
    std::string packed;
    std::vector<Candidate> candidates;
    std::map<std::size_t, Seen> seen;
    std::uint64_t transitions = 0;
  };

  void choose_comparison();
  std::uint64_t fingerprint_of(Worker& worker);
  void expand(Worker& worker, std::size_t from, std::size_t to, bool last);
  void apply(Worker& worker, std::uint32_t state, std::size_t event, bool last);
  void run_batch(std::vector<Worker>& workers, std::size_t from, std::size_t to, bool last);
  void merge(std::vector<Worker>& workers, bool last);
  bool run_level(std::vector<Worker>& workers, bool last);
  [[nodiscard]] bool all_violated() const;
  [[nodiscard]] std::string limit_reached();
  [[nodiscard]] std::vector<Event> trace(Step step) const;

  const ExploreQuery& query_;
  const Model& model_;
  Machine<D> start_;
  StatePacker<D> packer_;
  /// What judges under a mutant.
  std::conditional_t<std::is_same_v<D, FaultyDomain>, FaultyObserver, PropertyObserver> observer_;
  Comparison comparison_;
  std::vector<CpuRenaming> renamings_;
  FingerprintSet known_;
  std::vector<Step> steps_;  ///< Of every state; [0] is the start.
  std::uint32_t level_begin_ = 0;
  Frontier now_, next_;
  ExploreResult result_;
  std::chrono::steady_clock::time_point began_;
};

template <class D>
void Search<D>::choose_comparison() {
  comparison_.cone = query_.whole_cone ? kWholeCone : cone_of(query_.properties);
  const bool alike = query_.symmetry && tasks_alike(model_, query_.alphabet);
  comparison_.drop_dead = alike;
  comparison_.sort_tasks = alike && model_.eevdf && model_.nr_groups() == 1;
  comparison_.idle_order = has_wide_groups(model_.topology);
  renamings_ = cpu_symmetries(model_, query_.alphabet, query_.start.tasks);
  if (!query_.symmetry) renamings_.resize(1);
  result_.symmetries = renamings_.size();
  result_.dropped_dead = comparison_.drop_dead;
  result_.sorted_tasks = comparison_.sort_tasks;
}

template <class D>
std::uint64_t Search<D>::fingerprint_of(Worker& worker) {
  std::uint64_t least = UINT64_MAX;
  for (const CpuRenaming& name : renamings_)
    least = std::min(least, fingerprint(worker.canonical.bytes(worker.child, name)));
  return least;
}

/// Other spellings of an event: waking somebody at a death who does not sleep is waking nobody, and
/// an affinity that stays is no event.
template <class D>
bool other_spelling(const Machine<D>& m, const Event& event) {
  if (event.after_ns > 0) return false;
  if (event.kind == EventKind::kExit && event.wakes >= 0)
    return task_of(m, event.wakes).state != kBlocked;
  return event.kind == EventKind::kSetAffinity && task_of(m, event.task).cpus_ptr == event.cpus;
}

template <class D>
void Search<D>::apply(Worker& worker, std::uint32_t state, std::size_t event, bool last) {
  const Event& e = query_.alphabet[event];
  if (e.after_ns == 0 &&
      (!enabled<D>(model_, worker.parent, e) || other_spelling(worker.parent, e)))
    return;
  worker.child = worker.parent;
  if (!step<D>(model_, worker.child, e, observer_)) return;
  ++worker.transitions;
  const Step how{state, static_cast<std::uint16_t>(event)};
  for (auto& [p, outcome] : result_.properties) {
    const Judgement<D>& judged = worker.child.judged[p];
    if (!judged.relevant) continue;
    Seen& seen = worker.seen[p];
    ++seen.relevant;
    if (!seen.cover) seen.cover = how;
    if (judged.violated && !seen.violation) seen.violation = how;
  }
  if (last && !query_.count_last) return;
  const std::uint64_t fp = fingerprint_of(worker);
  if (known_.contains(fp)) return;
  const std::uint64_t begin = worker.packed.size();
  if (!last) packer_.pack(worker.child, worker.packed);
  worker.candidates.push_back({fp, how, begin, worker.packed.size()});
}

template <class D>
void Search<D>::expand(Worker& worker, std::size_t from, std::size_t to, bool last) {
  const ScopedMutant fault(query_.mutant);
  worker.candidates.clear();
  worker.packed.clear();
  worker.seen.clear();
  worker.transitions = 0;
  for (std::size_t i = from; i < to; ++i) {
    packer_.unpack(now_.at(i), worker.parent);
    for (std::size_t event = 0; event < query_.alphabet.size(); ++event)
      apply(worker, level_begin_ + static_cast<std::uint32_t>(i), event, last);
  }
}

template <class D>
void Search<D>::run_batch(std::vector<Worker>& workers, std::size_t from, std::size_t to,
                          bool last) {
  const std::size_t parts = workers.size();
  const auto part = [&](std::size_t k) { return from + (to - from) * k / parts; };
  std::vector<std::jthread> threads;
  for (std::size_t k = 1; k < parts; ++k)
    threads.emplace_back([&, k] { expand(workers[k], part(k), part(k + 1), last); });
  expand(workers[0], part(0), part(1), last);
}

/// In the order of states and events.
template <class D>
void Search<D>::merge(std::vector<Worker>& workers, bool last) {
  for (Worker& worker : workers) {
    result_.transitions += worker.transitions;
    result_.levels.back().transitions += worker.transitions;
    for (auto& [p, seen] : worker.seen) {
      ExploreOutcome& outcome = result_.properties[p];
      outcome.relevant += seen.relevant;
      if (seen.cover && !outcome.cover) outcome.cover = trace(*seen.cover);
      if (seen.violation && !outcome.violation) outcome.violation = trace(*seen.violation);
    }
    for (const Candidate& candidate : worker.candidates) {
      if (!known_.insert(candidate.fp)) continue;
      ++result_.levels.back().states;
      ++result_.states;
      if (last) continue;
      steps_.push_back(candidate.step);
      next_.add(
          std::string_view(worker.packed).substr(candidate.begin, candidate.end - candidate.begin));
    }
  }
}

template <class D>
std::vector<Event> Search<D>::trace(Step step) const {
  std::vector<Event> events = {query_.alphabet[step.event]};
  for (std::uint32_t state = step.parent; state != 0; state = steps_[state].parent)
    events.push_back(query_.alphabet[steps_[state].event]);
  std::reverse(events.begin(), events.end());
  return events;
}

template <class D>
bool Search<D>::all_violated() const {
  return !result_.properties.empty() &&
         std::all_of(result_.properties.begin(), result_.properties.end(),
                     [](const auto& entry) { return entry.second.violation.has_value(); });
}

template <class D>
std::string Search<D>::limit_reached() {
  const std::uint64_t held =
      known_.bytes() + steps_.capacity() * sizeof(Step) + now_.held() + next_.held();
  result_.bytes = std::max(result_.bytes, held);
  if (query_.stop && query_.stop()) return "interrupted";
  if (held > query_.memory) return "memory limit";
  if (steps_.size() > UINT32_MAX - 64 * kBatch * 1024) return "more states than have numbers";
  if (query_.time.count() > 0 && std::chrono::steady_clock::now() - began_ > query_.time)
    return "time limit";
  return "";
}

/// False: a limit ended it.
template <class D>
bool Search<D>::run_level(std::vector<Worker>& workers, bool last) {
  for (std::size_t from = 0; from < now_.size(); from += kBatch) {
    const std::size_t to = std::min(from + kBatch, now_.size());
    run_batch(workers, from, to, last);
    merge(workers, last);
    if (all_violated()) return true;
    result_.cut_short = limit_reached();
    if (result_.cut_short.empty()) continue;
    if (to == now_.size() && last) result_.cut_short.clear();
    if (result_.cut_short.empty()) return true;
    result_.unexpanded = now_.size() - to + next_.size();
    if (to == now_.size()) ++result_.depth;
    return false;
  }
  ++result_.depth;
  return true;
}

template <class D>
ExploreResult Search<D>::run() {
  std::vector<Worker> workers;
  for (int j = 0; j < std::max(1, query_.jobs); ++j)
    workers.emplace_back(model_, comparison_, start_);
  workers[0].child = start_;
  known_.insert(fingerprint_of(workers[0]));
  steps_.emplace_back();
  result_.states = 1;
  std::string packed;
  packer_.pack(start_, packed);
  now_.add(packed);
  while (result_.depth < query_.depth) {
    result_.levels.emplace_back();
    if (!run_level(workers, result_.depth + 1 == query_.depth) || all_violated()) break;
    if (query_.progress)
      query_.progress(result_.depth, result_.levels.back().states, result_.transitions);
    level_begin_ += static_cast<std::uint32_t>(now_.size());
    now_ = std::move(next_);
    next_ = {};
    if (now_.size() == 0 && result_.depth < query_.depth) {
      result_.closed = true;
      break;
    }
  }
  return result_;
}

template <class D>
ExploreResult search(const ExploreQuery& query, const Model& model, Machine<NativeDomain> native) {
  if constexpr (std::is_same_v<D, NativeDomain>) {
    return Search<D>(query, model, std::move(native)).run();
  } else {
    Machine<D> start = empty_machine<D>(model, PropertyObserver::kJudgements);
    // Both readings keep the same numbers in the same order.
    std::vector<std::int64_t> leaves;
    walk_state(native, [&](auto& leaf) { leaves.push_back(static_cast<std::int64_t>(leaf)); });
    std::size_t i = 0;
    walk_state(start, [&]<class Leaf>(Leaf& leaf) { leaf = static_cast<Leaf>(leaves[i++]); });
    return Search<D>(query, model, std::move(start)).run();
  }
}

}  // namespace

ExploreResult explore(const ExploreQuery& query) {
  Model model = make_model(query.start);
  const Cone cone = query.whole_cone ? kWholeCone : cone_of(query.properties);
  if (query.kernel) model.kernel = *query.kernel;
  model.ledger = cone.ledger;
  model.balances = cone.balances;
  Machine<NativeDomain> start = start_machine(model, query.start);
  if (query.mutant == Mutant::kNone) return search<NativeDomain>(query, model, std::move(start));
  return search<FaultyDomain>(query, model, std::move(start));
}

}  // namespace schedcheck
