// SPDX-License-Identifier: Apache-2.0
/// \file The exhaustive search: what symmetry, ghost cone and threads must not change.
#include "solver/explore/explore.hpp"

#include <gtest/gtest.h>

#include "properties/catalogue.hpp"
#include "properties/run_schedule.hpp"
#include "solver/explore/cpu_symmetry.hpp"
#include "solver/explore/event_universe.hpp"

namespace schedcheck {
namespace {

constexpr EventKind kPlain[] = {EventKind::kFork, EventKind::kExit, EventKind::kBlock,
                                EventKind::kWake, EventKind::kRun};

ExploreQuery query(const char* kernel, const char* topology, const char* property, int tasks,
                   int depth, bool round_robin = true) {
  ExploreQuery q;
  q.start.kernel = kernel;
  q.start.topology = topology;
  q.start.max_tasks = tasks;
  q.start.round_robin = round_robin;
  q.start.tick_ns = 0;
  q.properties = parse_properties(property);
  q.depth = depth;
  EventUniverse universe;
  universe.kinds.assign(std::begin(kPlain), std::end(kPlain));
  universe.kinds.push_back(EventKind::kUpdateBlocked);
  universe.kinds.push_back(EventKind::kSetAffinity);
  universe.durations_ns = {47 * 1024, kWindow};
  q.alphabet = explore_alphabet(q.start, universe);
  return q;
}

/// Length of the shortest violation; 0: none up to the depth.
std::size_t shortest(const ExploreResult& result) {
  const ExploreOutcome& outcome = result.properties.begin()->second;
  return outcome.violation ? outcome.violation->size() : 0;
}

struct Universe {
  const char* kernel;
  const char* topology;
  const char* property;
  int tasks, depth;
  bool round_robin;
};
void PrintTo(const Universe& u, std::ostream* out) {
  *out << u.property << " on " << u.kernel << " " << u.topology;
}

class SameAnswer : public testing::TestWithParam<Universe> {
 protected:
  [[nodiscard]] static ExploreQuery asked() {
    const Universe& u = GetParam();
    return query(u.kernel, u.topology, u.property, u.tasks, u.depth, u.round_robin);
  }
};

TEST_P(SameAnswer, SymmetryChangesNeitherVerdictNorLengthAndNeverAddsStates) {
  ExploreQuery q = asked();
  const ExploreResult with = explore(q);
  q.symmetry = false;
  const ExploreResult without = explore(q);
  EXPECT_EQ(shortest(with), shortest(without));
  EXPECT_EQ(with.depth, without.depth);
  EXPECT_EQ(with.properties.begin()->second.cover.has_value(),
            without.properties.begin()->second.cover.has_value());
  EXPECT_LE(with.states, without.states);
  RecordProperty("states_with", std::to_string(with.states));
  RecordProperty("states_without", std::to_string(without.states));
}

TEST_P(SameAnswer, GhostStateOutsideTheConeChangesNothing) {
  ExploreQuery q = asked();
  const ExploreResult cone = explore(q);
  q.whole_cone = true;
  const ExploreResult whole = explore(q);
  EXPECT_EQ(shortest(cone), shortest(whole));
  EXPECT_LE(cone.states, whole.states);
}

TEST_P(SameAnswer, TwoThreadsCountTheSameAndFindTheSame) {
  ExploreQuery q = asked();
  const ExploreResult one = explore(q);
  q.jobs = 2;
  const ExploreResult two = explore(q);
  EXPECT_EQ(one.states, two.states);
  EXPECT_EQ(one.transitions, two.transitions);
  EXPECT_EQ(one.properties.begin()->second.violation, two.properties.begin()->second.violation);
  EXPECT_EQ(one.properties.begin()->second.relevant, two.properties.begin()->second.relevant);
}

TEST_P(SameAnswer, EveryViolationIsOneInThePlainRun) {
  const ExploreQuery q = asked();
  const ExploreResult result = explore(q);
  const auto& [property, outcome] = *result.properties.begin();
  if (!outcome.violation) GTEST_SKIP() << "none up to the depth";
  Schedule schedule = q.start;
  schedule.events = *outcome.violation;
  const RunResult run = run_schedule(make_model(schedule), schedule, q.properties);
  ASSERT_NE(run.of(property), nullptr);
  EXPECT_EQ(run.skipped, 0);
  EXPECT_EQ(static_cast<std::size_t>(run.of(property)->event), outcome.violation->size());
}

INSTANTIATE_TEST_SUITE_P(
    Universes, SameAnswer,
    testing::Values(Universe{"v5.8", "smp:3", "fork-burst-spreads", 4, 4, true},
                    Universe{"v5.9", "smp:3", "fork-burst-spreads", 4, 4, true},
                    Universe{"v5.8", "smp:3", "fork-tie-least-util", 4, 4, true},
                    Universe{"v6.13", "smp:2", "exit-leaves-no-utilization", 3, 4, true},
                    Universe{"v6.14", "smp:2", "exit-leaves-no-utilization", 3, 4, true},
                    Universe{"v6.12", "llc:2x2", "fork-work-conserving", 3, 4, true},
                    Universe{"v6.12", "llc:2x2", "fork-burst-spreads", 3, 3, true},
                    Universe{"v6.12", "numa:2x1", "fork-work-conserving", 3, 4, true},
                    Universe{"v6.13", "smp:2", "no-ghost-busy", 3, 4, true},
                    Universe{"v6.14", "smp:2", "ledger-balances", 3, 3, true},
                    Universe{"v6.12", "smp:2", "cfs-util-within-capacity", 3, 4, false},
                    Universe{"v6.12", "smp:2", "fork-tie-least-util", 3, 4, false}));

TEST(Explore, RotationsOfAnSmpMachineAndSwapsOfEqualCachesAreItsSymmetries) {
  const auto count = [](const char* topology) {
    const ExploreQuery q = query("v6.12", topology, "fork-work-conserving", 2, 1);
    return cpu_symmetries(make_model(q.start), q.alphabet, q.start.tasks).size();
  };
  EXPECT_EQ(count("smp:1"), 1U);
  EXPECT_EQ(count("smp:4"), 4U);
  EXPECT_EQ(count("llc:2x2"), 2U);
}

TEST(Explore, AnAlphabetThatNamesOneTaskIsNotClosed) {
  ExploreQuery q = query("v6.12", "smp:2", "fork-work-conserving", 3, 1);
  const Model model = make_model(q.start);
  EXPECT_TRUE(tasks_alike(model, q.alphabet));
  q.alphabet.push_back({.kind = EventKind::kYield, .task = 1});
  EXPECT_FALSE(tasks_alike(model, q.alphabet));
  EXPECT_TRUE(tasks_alike(model, closed_under_tasks(q.alphabet, model.max_tasks)));
}

TEST(Explore, MemoryThatEndsIsSaidWithTheStatesThatWereDropped) {
  ExploreQuery q = query("v6.14", "smp:3", "fork-work-conserving", 4, 8);
  q.memory = 4'000'000;
  const ExploreResult result = explore(q);
  EXPECT_EQ(result.cut_short, "memory limit");
  EXPECT_LT(result.depth, q.depth);
  EXPECT_GT(result.unexpanded, 0U);
}

TEST(Explore, ASearchThatIsStoppedClaimsOnlyTheLevelsItFinished) {
  ExploreQuery q = query("v6.14", "smp:3", "fork-work-conserving", 4, 8);
  int asked = 0;
  q.stop = [&] { return ++asked > 3; };
  const ExploreResult result = explore(q);
  EXPECT_EQ(result.cut_short, "interrupted");
  q.stop = {};
  q.depth = result.depth;
  const ExploreResult whole = explore(q);
  EXPECT_EQ(whole.cut_short, "");
  EXPECT_EQ(whole.depth, result.depth);
}

TEST(Explore, AMutantIsFoundOnlyWhereItIsAskedFor) {
  ExploreQuery q = query("v6.14", "smp:3", "fork-picks-idle-group", 4, 4);
  EXPECT_EQ(shortest(explore(q)), 0U);
  q.mutant = Mutant::kFewerIdleCpusWin;
  EXPECT_GT(shortest(explore(q)), 0U);
}

}  // namespace
}  // namespace schedcheck
