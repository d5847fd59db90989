// SPDX-License-Identifier: Apache-2.0
/// \file Certificates of shortest schedules.
#include "cli/certify.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cli/output.hpp"
#include "counterexamples/minimize_search.hpp"
#include "solver/explore/event_universe.hpp"
#include "solver/explore/explore.hpp"

namespace schedcheck::cli {
namespace {

constexpr std::chrono::seconds kTime{60};
constexpr std::uint64_t kMemory = std::uint64_t{2} << 30;

ExploreQuery shorter_than(const Schedule& small, std::size_t property) {
  ExploreQuery query;
  query.start = small;
  query.start.events.clear();
  query.start.finding.reset();
  query.alphabet = closed_under_tasks(search_alphabet(small, Alphabet::kWhole), small.max_tasks);
  query.properties = PropertySet{1} << property;
  query.depth = static_cast<int>(small.events.size()) - 1;
  query.memory = kMemory;
  query.jobs = 2;
  query.time = kTime;
  query.stop = interrupted;
  return query;
}

Certificate certificate_of(const ExploreQuery& query, const ExploreResult& result) {
  Certificate certificate;
  certificate.engine = "explore";
  certificate.universe = fmt::format(
      "fork, block, exit, wake, update_blocked, run and the schedule's other events on tasks "
      "0..{}, with the schedule's times, 0 and 48128 ns",
      query.start.max_tasks - 1);
  certificate.counts = {{"alphabet", static_cast<std::int64_t>(query.alphabet.size())},
                        {"depth", query.depth},
                        {"states", static_cast<std::int64_t>(result.states)},
                        {"transitions", static_cast<std::int64_t>(result.transitions)}};
  return certificate;
}

}  // namespace

std::optional<Certificate> certify_shortest(Schedule& small, std::size_t property,
                                            std::string& text) {
  catch_interrupts();
  for (;;) {
    const ExploreQuery query = shorter_than(small, property);
    // One event: an empty schedule violates nothing.
    const ExploreResult result = query.depth < 1 ? ExploreResult{} : explore(query);
    const auto& outcome = result.properties.find(property);
    if (outcome != result.properties.end() && outcome->second.violation) {
      const StillFails fails = violates(property);
      Schedule shorter = small;
      shorter.events = *outcome->second.violation;
      if (fails(shorter) == 0)
        throw std::logic_error("the native run does not confirm what explore found");
      small = minimize(std::move(shorter), fails, {.stop = interrupted});
      continue;
    }
    if (!result.cut_short.empty()) {
      text = fmt::format(
          "{}: none of at most {} events fails over {} events; then the {} came, {} of {} states "
          "were not gone on from",
          small.finding->minimality, result.depth, query.alphabet.size(), result.cut_short,
          result.unexpanded, result.states);
      return std::nullopt;
    }
    text = fmt::format(
        "certified shortest: none of at most {} events fails over {} events, with exits that wake "
        "or run on, same machine and start (explore: {} states, {} transitions)",
        query.depth, query.alphabet.size(), result.states, result.transitions);
    return certificate_of(query, result);
  }
}

}  // namespace schedcheck::cli
