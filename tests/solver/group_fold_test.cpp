// SPDX-License-Identifier: Apache-2.0
/// \file Proofs for any number of CPUs: each property is proved for every kernel that claims it and
/// no longer proved under a mutant that breaks it; mutants that leave the claim alone change
/// nothing.
#include "solver/group_fold.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "model/mutants.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> kProvable = {"fork-lands-on-idle", "fork-picks-idle-group",
                                            "fork-stays-local-when-equally-idle",
                                            "fork-tie-least-util"};

FoldProof prove(const std::string& property, const KernelSwitches& kernel) {
  return prove_for_any_cpu_count(kernel, property_index(property)).value();
}

/// The kernels that differ in what the fold or its statistics do.
std::vector<KernelSwitches> all_kernels() {
  std::vector<KernelSwitches> kernels;
  for (const IdlestTiebreak tiebreak :
       {IdlestTiebreak::kNone, IdlestTiebreak::kNrRunning, IdlestTiebreak::kUtil})
    for (const ForkStatsScope scope : {ForkStatsScope::kGroup, ForkStatsScope::kAffinity}) {
      KernelSwitches kernel;
      kernel.idlest_tiebreak = tiebreak;
      kernel.fork_stats_scope = scope;
      kernels.push_back(kernel);
    }
  kernels.back().imbalance_pct_above_llc = ImbalancePctAboveLlc::k125;
  return kernels;
}

TEST(GroupFold, ProvesEachPropertyForEveryKernelThatClaimsIt) {
  for (const std::string& property : kProvable)
    for (const KernelSwitches& kernel : all_kernels()) {
      if (property == "fork-tie-least-util" && kernel.idlest_tiebreak != IdlestTiebreak::kUtil)
        continue;
      const FoldProof proof = prove(property, kernel);
      EXPECT_TRUE(proof.proved) << property << "\n" << proof.counterexample;
      EXPECT_THAT(proof.counterexample, "");
      EXPECT_GE(proof.obligations.size(), 5U);
      for (const ObligationResult& result : proof.obligations)
        EXPECT_EQ(result.verdict, ObligationVerdict::kProved) << result.name;
    }
}

TEST(GroupFold, RefutesTieLeastUtilWithoutTheTieBreak) {
  for (const IdlestTiebreak tiebreak : {IdlestTiebreak::kNone, IdlestTiebreak::kNrRunning}) {
    KernelSwitches kernel;
    kernel.idlest_tiebreak = tiebreak;
    const FoldProof proof = prove("fork-tie-least-util", kernel);
    EXPECT_FALSE(proof.proved);
    EXPECT_THAT(proof.counterexample, StartsWith("step"));
    EXPECT_THAT(proof.counterexample, HasSubstr("ties has more utilisation or a later position"));
  }
}

TEST(GroupFold, HasNothingToSayAboutOtherProperties) {
  for (const PropertyInfo& info : property_catalogue()) {
    const bool provable =
        std::find(kProvable.begin(), kProvable.end(), info.name) != kProvable.end();
    if (provable) continue;
    EXPECT_FALSE(prove_for_any_cpu_count(KernelSwitches{}, property_index(info.name)).has_value())
        << info.name;
  }
}

TEST(GroupFold, PrintsObligationsForASecondSolver) {
  for (const ObligationResult& result : prove("fork-picks-idle-group", {}).obligations) {
    EXPECT_THAT(result.smt2, StartsWith("(set-logic QF_LIA)\n"));
    EXPECT_THAT(result.smt2, EndsWith("(check-sat)\n"));
  }
}

struct Canary {
  Mutant mutant;
  const char* property;
  const char* place;   ///< The obligation that fails.
  const char* broken;  ///< Part of the counterexample.
};

void PrintTo(const Canary& c, std::ostream* out) { *out << describe(c.mutant); }

class GroupFoldCanary : public testing::TestWithParam<Canary> {};

TEST_P(GroupFoldCanary, IsFoundByTheProofItBreaks) {
  const ScopedMutant active(GetParam().mutant);
  const FoldProof proof = prove(GetParam().property, {});
  EXPECT_FALSE(proof.proved);
  EXPECT_THAT(proof.counterexample, StartsWith(GetParam().place));
  EXPECT_THAT(proof.counterexample, HasSubstr(GetParam().broken));
  EXPECT_THAT(proof.counterexample, HasSubstr("has_spare, idle CPUs"));
}

INSTANTIATE_TEST_SUITE_P(
    All, GroupFoldCanary,
    testing::Values(Canary{Mutant::kBusyCountsAsIdle, "fork-lands-on-idle", "step",
                           "not really idle"},
                    Canary{Mutant::kFewerIdleCpusWin, "fork-lands-on-idle", "step",
                           "if an idle CPU was seen, the best group counts one"},
                    Canary{Mutant::kFewerIdleCpusWin, "fork-picks-idle-group", "step",
                           "a best group with spare capacity has the most idle CPUs"},
                    Canary{Mutant::kFewerIdleCpusWin, "fork-tie-least-util", "step",
                           "a best group with spare capacity has the most idle CPUs"},
                    Canary{Mutant::kEqualIdleGoesRemote, "fork-stays-local-when-equally-idle",
                           "conclusion", "the child goes to the group at position"}),
    [](const auto& test) {
      std::string name(mutant_info(test.param.mutant).id);
      for (const char c : std::string(test.param.property))
        if (c != '-') name += c;
      name.erase(1, 1);
      return name;
    });

TEST(GroupFold, IsNotDisturbedByMutantsThatLeaveTheClaimAlone) {
  const auto proved_under = [](Mutant mutant, const char* property) {
    const ScopedMutant active(mutant);
    return prove(property, {}).proved;
  };
  EXPECT_TRUE(proved_under(Mutant::kEqualIdleGoesRemote, "fork-lands-on-idle"));
  EXPECT_TRUE(proved_under(Mutant::kEqualIdleGoesRemote, "fork-picks-idle-group"));
  EXPECT_TRUE(proved_under(Mutant::kFewerIdleCpusWin, "fork-stays-local-when-equally-idle"));
  EXPECT_TRUE(proved_under(Mutant::kBusyCountsAsIdle, "fork-tie-least-util"));
}

}  // namespace
}  // namespace schedcheck
