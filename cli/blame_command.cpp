// SPDX-License-Identifier: Apache-2.0
/// \file blame: which switches make a schedule fail.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/output.hpp"
#include "cli/pair_commands.hpp"
#include "counterexamples/blame.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

Json set_json(const BlameSet& set) {
  Json list = Json::array();
  for (const BlamedSwitch& s : set.switches)
    list.push_back({{"name", s.name},
                    {"value", s.value},
                    {"commit", s.commit},
                    {"against_value", s.other},
                    {"first", s.first},
                    {"evidence", s.evidence},
                    {"thread", s.thread}});
  return list;
}

void print_json(const Blame& b) {
  Json alternatives = Json::array();
  for (std::size_t i = 1; i < b.sets.size(); ++i) alternatives.push_back(set_json(b.sets[i]));
  const Json out = {
      {"format", "schedcheck/blame"},
      {"version", 1},
      {"kernel", b.kernel},
      {"against", b.against.empty() ? Json() : Json(b.against)},
      {"property", b.property ? Json(property_catalogue()[*b.property].name) : Json()},
      {"event", b.event == 0 ? Json() : Json(b.event)},
      {"failure", b.failure.empty() ? Json() : Json(b.failure)},
      {"switches", b.sets.empty() ? Json::array() : set_json(b.sets.front())},
      {"both_ways", b.sets.empty() ? Json() : Json(b.sets.front().both_ways)},
      {"alternatives", alternatives},
      {"nothing", b.nothing.empty() ? Json() : Json(b.nothing)}};
  put(out.dump(2) + "\n");
}

void print_set(const Blame& b, const BlameSet& set) {
  for (const BlamedSwitch& s : set.switches)
    print("{}={}  ({} on {})\n    commit {}, {} ({}){}\n", s.name, s.value, s.other, b.against,
          s.commit.empty() ? "none" : s.commit, s.first, s.evidence,
          s.thread.empty() ? "" : "\n    thread: " + s.thread);
  print("changed alone on {}: the failure ends; set alone on {}: {}\n", b.kernel, b.against,
        set.both_ways ? "it occurs there" : "it does not occur there");
}

}  // namespace

int run_blame(const BlameOptions& o) {
  const Blame b = blame(load_schedule(o.file), o.against, o.file);
  if (o.json) {
    print_json(b);
    return b.sets.empty() ? kUndecided : kHolds;
  }
  if (!b.failure.empty())
    print("{}: {}{}\n", b.kernel, b.failure,
          b.against.empty() ? "" : fmt::format(" (compared with {})", b.against));
  if (b.sets.empty()) {
    print("{}\n", b.nothing);
    return kUndecided;
  }
  for (std::size_t i = 0; i < b.sets.size(); ++i) {
    if (i > 0) print("or, just as small:\n");
    print_set(b, b.sets[i]);
  }
  return kHolds;
}

}  // namespace schedcheck::cli
