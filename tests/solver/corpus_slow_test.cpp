// SPDX-License-Identifier: Apache-2.0
/// \file A corpus of queries over kernels, machines and properties: two solvers agree on each,
/// every witness is confirmed natively, and what holds has a cover witness.
#include <gtest/gtest.h>

#include <array>
#include <iostream>

#include "cli/second_solver.hpp"
#include "tests/support/solver_queries.hpp"

namespace schedcheck {
namespace {

using Outcome = BoundedResult::Outcome;

constexpr std::array kForkProperties = {
    "fork-lands-on-idle",  "fork-picks-idle-group", "fork-stays-local-when-equally-idle",
    "fork-tie-least-util", "fork-burst-spreads",    "fork-work-conserving",
    "affinity-respected"};

struct Counts {
  int sat = 0, unsat = 0;
};

/// Runs the query; every query that decides goes to both solvers.
BoundedResult run(BoundedQuery& query, cli::QueryLog& log, Counts& counts) {
  query.dump = [&](const std::string& text, Answer answer) {
    log.add(text, answer);
    ++(answer == Answer::kSatisfiable ? counts.sat : counts.unsat);
  };
  BoundedResult result = check_bounded(query);
  EXPECT_NE(result.outcome, Outcome::kUndecided) << result.undecided_because;
  if (result.cover) {
    EXPECT_TRUE(confirmed_natively(query.model, query.property, *result.cover, true));
  }
  if (result.witness && query.mutant == Mutant::kNone) {
    EXPECT_TRUE(confirmed_natively(query.model, query.property, *result.witness));
  }
  return result;
}

TEST(Corpus, TwoSolversAgreeOnEveryQueryAndEveryWitnessReplays) {
  cli::QueryLog log(false, true);
  Counts counts;
  for (const char* topology : {"smp:3", "smp:4", "llc:2x2", "smt:2x2"})
    for (const char* kernel :
         {"v5.8", "v5.9", "v6.3", "v6.13", "v6.14", "v6.14,idlest_tiebreak=none",
          "v6.14,idlest_tiebreak=nr_running", "v6.14,fork_stats_scope=group"})
      for (const char* property : kForkProperties) {
        SCOPED_TRACE(std::string(topology) + " " + kernel + " " + property);
        BoundedQuery query = bounded_query(topology, kernel, property, 1, StartKind::kAny);
        run(query, log, counts);
      }
  for (const char* kernel : {"v5.9", "v6.13", "v6.14"})
    for (const char* property : kForkProperties) {
      SCOPED_TRACE(std::string("canary of ") + property + " on " + kernel);
      BoundedQuery query = bounded_query("smp:3", kernel, property, 1, StartKind::kAny);
      const std::optional<Canary> canary = canary_for(query.property, query.model.kernel);
      query.model.kernel = canary->kernel;
      query.mutant = canary->mutant;
      EXPECT_EQ(run(query, log, counts).outcome, Outcome::kViolated);
    }
  std::cout << "corpus: " << counts.sat << " sat, " << counts.unsat << " unsat, cvc5 agrees on "
            << log.result().agree << ", gave up on " << log.result().undecided << "\n";
  EXPECT_GE(counts.sat, 60);
  EXPECT_GE(counts.unsat, 60);
  EXPECT_GE(counts.sat + counts.unsat, 200);
  EXPECT_GE(log.result().agree * 10, (counts.sat + counts.unsat) * 9)
      << "a second solver that gives up says nothing";
}

}  // namespace
}  // namespace schedcheck
