// SPDX-License-Identifier: Apache-2.0
/// \file
/// conform() on dumps of /sys/kernel/debug/sched/domains: those of running kernels in tests/data,
/// copies with one line changed, and dumps that cannot be judged.

#include <array>
#include <sstream>

#include "tests/counterexamples/conform_fixture.hpp"
#include "tests/support/refusal.hpp"

namespace schedcheck {
namespace {

fs::path dumps() { return fs::path(SCHEDCHECK_SOURCE_DIR) / "tests/data/domains"; }

TEST_F(Conform, AgreesWithTheDomainsOfRunningKernels) {
  const auto files = conform({dumps()});
  ASSERT_EQ(files.size(), 5U);
  std::int64_t compared = 0;
  for (const ConformFile& file : files) {
    EXPECT_EQ(file.kind, "domain_dump");
    EXPECT_EQ(file.differing, 0) << file.file << ": " << file.first_difference;
    EXPECT_EQ(file.skipped, 0);
    compared += file.compared;
  }
  EXPECT_EQ(compared, 32);
}

/// A machine of two packages with two CPUs each under v6.12, by hand; `text` with `from` replaced.
class DomainDump : public Conform {
 protected:
  static std::string domain(int cpu, int n, const std::string& rest) {
    const std::string place = "/sys/kernel/debug/sched/domains/cpu" + std::to_string(cpu) +
                              "/domain" + std::to_string(n) + "/";
    std::string text;
    std::istringstream lines(rest);
    for (std::string line; std::getline(lines, line);) text += place + line + "\n";
    return text;
  }

  /// Compares the dump of `machine` after replacing the first `from` by `to`.
  ConformFile compare(const std::string& machine, const std::string& from = "",
                      const std::string& to = "") {
    std::string text;
    for (int cpu = 0; cpu < 4; ++cpu) {
      text += domain(cpu, 0,
                     "name: MC\nflags: SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_BALANCE_FORK "
                     "SD_WAKE_AFFINE SD_SHARE_LLC SD_PREFER_SIBLING \nimbalance_pct: 117\n"
                     "busy_factor: 16\ncache_nice_tries: 1\nmin_interval: 2\nmax_interval: 4\n"
                     "max_newidle_lb_cost: 4711\ngroups_flags: \nlevel: 2\n");
      text += domain(cpu, 1,
                     "name: PKG\nflags: SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_BALANCE_FORK "
                     "SD_WAKE_AFFINE SD_PREFER_SIBLING \nimbalance_pct: 117\nbusy_factor: 16\n"
                     "cache_nice_tries: 1\nmin_interval: 4\nmax_interval: 8\nlevel: 3\n");
    }
    text += "features: PLACE_LAG\ncpu3 0 0 0\ndomain0 c 0 0\ndomain1 PKG 0000000f 0 0\n";
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    write("machines.json", R"({"d.txt":)" + machine + "}");
    return conform({write("d.txt", text)}).at(0);
  }

  static constexpr const char* kMachine =
      R"({"topology":{"packages":2,"cores":2},"kernel":"v6.12"})";
};

TEST_F(DomainDump, AgreesWithAMachineGivenAsShapeOrName) {
  for (const char* machine : {kMachine, R"({"topology":"llc:2x2","kernel":"debian-6.12.117"})"}) {
    const ConformFile file = compare(machine);
    EXPECT_EQ(file.differing, 0) << file.first_difference;
    EXPECT_EQ(file.compared, 8);
  }
}

TEST_F(DomainDump, ReadsAMachineFileBesideIt) {
  write("box.json", R"({"cpus":4,"llcs":["0-1","2-3"]})");
  EXPECT_EQ(compare(R"({"topology":"box.json","kernel":"v6.12"})").differing, 0);
}

TEST_F(DomainDump, FindsEveryChangedLine) {
  const std::vector<std::array<const char*, 3>> changes = {
      {"name: MC", "name: SMT", "cpu0/domain0: name: 'SMT' in the file, 'MC' in the model"},
      {"SD_WAKE_AFFINE ", "", "cpu0/domain0: flags"},
      {"SD_WAKE_AFFINE", "SD_ASYM_PACKING SD_WAKE_AFFINE", "cpu0/domain0: flags"},
      {"pct: 117", "pct: 125", "imbalance_pct: '125'"},
      {"busy_factor: 16", "busy_factor: 32", "busy_factor"},
      {"tries: 1", "tries: 2", "cache_nice_tries"},
      {"min_interval: 2", "min_interval: 1", "min_interval"},
      {"max_interval: 4", "max_interval: 8", "max_interval"},
      {"groups_flags: ", "groups_flags: SD_NUMA", "groups_flags"},
      {"level: 2", "level: 1", "level"},
      {"domain0 c", "domain0 8", "cpu3/domain0: span: '3' in the file, '2-3' in the model"},
      {"0000000f", "00000001,0000000f", "cpu3/domain1: span: '0-3,32' in the file"},
  };
  for (const auto& [from, to, expected] : changes) {
    const ConformFile file = compare(kMachine, from, to);
    EXPECT_EQ(file.differing, 1) << from;
    EXPECT_THAT(file.first_difference, HasSubstr(expected));
  }
}

TEST_F(DomainDump, NamesFollowTheKernel) {
  const ConformFile file = compare(R"({"topology":"llc:2x2","kernel":"v6.1"})");
  EXPECT_EQ(file.differing, 8);
  EXPECT_THAT(file.first_difference, HasSubstr("SD_SHARE_PKG_RESOURCES"));
  // v6.8 has the new name of the level and the old one of the flag.
  EXPECT_EQ(compare(R"({"topology":"llc:2x2","kernel":"v6.8"})").differing, 4);
}

TEST_F(DomainDump, CountsDomainsThatOnlyOneSideHas) {
  const ConformFile wide = compare(R"({"topology":"llc:3x2","kernel":"v6.12"})");
  EXPECT_EQ(wide.compared, 12);
  EXPECT_EQ(wide.differing, 4 + 4);  // Intervals of PKG, and CPUs 4 and 5.
  const ConformFile narrow = compare(R"({"topology":"smp:2","kernel":"v6.12"})");
  EXPECT_THAT(narrow.first_difference, HasSubstr("cpu0/domain1: in the file, not in the model"));
  EXPECT_EQ(narrow.differing, 6);
}

// CPU 1 is offline: masks and names use the machine's numbers.
TEST_F(DomainDump, MapsTheNumbersOfAMachineWithAnOfflineCpu) {
  write("machines.json", R"({"d.txt":{"topology":{"cpus":3,"offline":[1]},"kernel":"v6.12"}})");
  std::string text;
  for (const int cpu : {0, 2})
    text += domain(cpu, 0,
                   "name: MC\nflags: SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_BALANCE_FORK "
                   "SD_WAKE_AFFINE SD_SHARE_LLC SD_PREFER_SIBLING\nimbalance_pct: 117\n"
                   "busy_factor: 16\ncache_nice_tries: 1\nmin_interval: 2\nmax_interval: 4\n") +
            "cpu" + std::to_string(cpu) + " 0\ndomain0 5 0\n";
  const ConformFile file = conform({write("d.txt", text)}).at(0);
  EXPECT_EQ(file.compared, 2);
  EXPECT_EQ(file.differing, 0) << file.first_difference;
}

TEST_F(DomainDump, RefusesWhatItCannotJudge) {
  const std::string line = "/sys/kernel/debug/sched/domains/cpu0/domain0/";
  EXPECT_THAT(refusal_of([&] { conform({write("lone.txt", line + "name: MC\n")}); }),
              HasSubstr("machines.json; write one"));
  EXPECT_THAT(refusal_of([&] { compare(R"({"topology":"llc:2x2"})"); }), HasSubstr("/d.txt"));
  EXPECT_THAT(refusal_of([&] { compare(R"({"topology":"llc:2","kernel":"v6.12"})"); }),
              HasSubstr("/d.txt/topology: topology 'llc:2'"));
  EXPECT_THAT(refusal_of([&] { compare(R"({"topology":{"cores":0},"kernel":"v6.12"})"); }),
              HasSubstr("/d.txt/topology/cores: "));
  EXPECT_THAT(refusal_of([&] { compare(R"({"topology":"smp:4","kernel":"v9"})"); }),
              HasSubstr("/d.txt/kernel: "));
  EXPECT_THAT(refusal_of([&] { conform({write("other.txt", line + "name: MC\n")}); }),
              HasSubstr("says nothing of other.txt"));
  EXPECT_THAT(refusal_of([&] { compare(kMachine, "min_interval: 2\n", "x: 2\n"); }),
              HasSubstr("cpu0/domain0 has no line 'min_interval'"));
  EXPECT_THAT(refusal_of([&] { compare(kMachine, "min_interval: 2\n", "name: MC\n"); }),
              HasSubstr(":6: the line is there twice"));
  EXPECT_THAT(refusal_of([&] { compare(kMachine, "cpu0/domain0/name", "cpu0/domainx/name"); }),
              HasSubstr("d.txt:1: 'cpuN/domainN/NAME: VALUE' is expected"));
}

}  // namespace
}  // namespace schedcheck
