// SPDX-License-Identifier: Apache-2.0
/// \file review: a patch against its base, as one table.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/output.hpp"
#include "cli/pair_commands.hpp"
#include "cli/pair_text.hpp"
#include "cli/review_run.hpp"
#include "counterexamples/schedule_json.hpp"
#include "counterexamples/topology_json.hpp"
#include "model/input_error.hpp"
#include "properties/catalogue.hpp"

namespace schedcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> items;
  for (std::size_t at = 0;;) {
    const std::size_t comma = list.find(',', at);
    items.push_back(list.substr(at, comma - at));
    if (comma == std::string::npos) return items;
    at = comma + 1;
  }
}

ReviewPlan make_plan(const ReviewOptions& o) {
  ReviewPlan plan;
  const KernelChoice patch = parse_kernel(o.kernel);
  plan.patch = patch.name;
  plan.base = o.base.empty() ? parse_kernel(patch.preset).name : parse_kernel(o.base).name;
  if (parse_kernel(plan.base).switches == patch.switches)
    throw InputError(
        fmt::format("--kernel {}: the base {} has the same switches, so there is "
                    "nothing to review; override a switch or give another --base",
                    o.kernel, plan.base));
  for (const std::string& spec : split(o.topology)) {
    const std::string name = canonical_spec(load_topology(spec));
    if (std::find(plan.topologies.begin(), plan.topologies.end(), name) == plan.topologies.end())
      plan.topologies.push_back(name);
  }
  require_folder(o.out);
  plan.cases = o.cases;
  plan.seed = o.seed;
  const auto limit = parse_duration(o.time, "--time");
  if (limit.count() > 0) plan.until = std::chrono::steady_clock::now() + limit;
  return plan;
}

void write_schedules(Review& review, const std::string& out) {
  for (ReviewRow& row : review.rows) {
    if (!row.schedule) continue;
    std::error_code error;
    std::filesystem::create_directories(out, error);
    std::string name = fmt::format("{}-{}-{}.json", change_name(row.change),
                                   property_catalogue()[row.property].name, row.topology);
    std::replace(name.begin(), name.end(), ':', '_');
    row.file = (std::filesystem::path(out) / name).string();
    write_file(row.file, to_json(*row.schedule));
  }
}

Json outcome_json(const PropertyOutcome& outcome) {
  const std::string word = verdict_word(outcome);
  return {{"verdict", word.starts_with("not violated") ? "not violated in N cases" : word},
          {"cases", outcome.cases},
          {"antecedent_count", outcome.relevant}};
}

Json cost_json(const Review& review) {
  Json list = Json::array();
  for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
    const KindCost& cost = review.cost[kind];
    if (cost.events == 0) continue;
    Json calls;
    for (std::size_t i = 0; i < kWorkKinds; ++i)
      calls[std::string(kWorkNames[i])] = {{"base", cost.a[i]}, {"patch", cost.b[i]}};
    list.push_back({{"event", kEventNames[kind]}, {"events", cost.events}, {"calls", calls}});
  }
  return list;
}

void print_json(const Review& review, const ReviewPlan& plan) {
  Json rows = Json::array();
  for (const ReviewRow& row : review.rows)
    rows.push_back({{"property", property_catalogue()[row.property].name},
                    {"topology", row.topology},
                    {"change", change_name(row.change)},
                    {"base", outcome_json(row.base)},
                    {"patch", outcome_json(row.patch)},
                    {"events", row.schedule ? Json(row.schedule->events.size()) : Json()},
                    {"minimality", row.schedule ? Json(row.minimality) : Json()},
                    {"note", row.note},
                    {"counterexample", row.file.empty() ? Json() : Json(row.file)}});
  Json measures = Json::array();
  for (const Measure& m : review.measures)
    measures.push_back({{"name", m.name},
                        {"unit", m.unit},
                        {"change", change_name(m.change())},
                        {"base", m.base},
                        {"patch", m.patch},
                        {"text", m.text}});
  const Json out = {{"format", "schedcheck/review"},
                    {"version", 1},
                    {"kernel", review.patch},
                    {"base", review.base},
                    {"topologies", review.topologies},
                    {"cases", plan.cases},
                    {"seed", plan.seed},
                    {"truncated", review.truncated},
                    {"properties", rows},
                    {"measures", measures},
                    {"cost_schedules", review.cost_schedules},
                    {"cost", cost_json(review)}};
  put(out.dump(2) + "\n");
}

/// One line per property and change; machines with the same verdicts share it.
void print_rows(const Review& review, Change change) {
  std::vector<const ReviewRow*> done;
  for (const ReviewRow& row : review.rows) {
    if (row.change != change || std::find(done.begin(), done.end(), &row) != done.end()) continue;
    const std::string verdicts = verdict_word(row.base) + " -> " + verdict_word(row.patch);
    std::vector<const ReviewRow*> same;
    for (const ReviewRow& other : review.rows)
      if (other.property == row.property && other.change == change &&
          verdict_word(other.base) + " -> " + verdict_word(other.patch) == verdicts)
        same.push_back(&other);
    done.insert(done.end(), same.begin(), same.end());
    std::string machines;
    for (const ReviewRow* other : same)
      machines += (machines.empty() ? "" : ", ") + other->topology;
    const std::string_view colour = change == Change::kBroken  ? "31"
                                    : change == Change::kFixed ? "32"
                                                               : "0";
    print("{} {:<36} {:<18} {}\n", paint(fmt::format("{:<10}", change_name(change)), colour),
          property_catalogue()[row.property].name, machines, verdicts);
    for (const ReviewRow* other : same)
      if (other->schedule)
        print("{:11}{} events on {}{}: {}\n", "", other->schedule->events.size(),
              other->schedule->topology, other->note.empty() ? "" : " (" + other->note + ")",
              other->file);
  }
}

void print_measures(const Review& review, Change change) {
  for (const Measure& m : review.measures)
    if (m.change() == change)
      print("{:<10} {:<36} {:<18} {} -> {} {}\n{:11}{}\n", change_name(change), m.name, "smp:1",
            m.base, m.patch, m.unit, "", m.text);
}

void print_cost(const Review& review) {
  print("cost: calls per event over {} schedules, the same on both sides, without ticks\n",
        review.cost_schedules);
  std::string same;
  for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
    const KindCost& cost = review.cost[kind];
    if (cost.events == 0) continue;
    if (cost.a == cost.b) {
      same += (same.empty() ? "" : ", ") + std::string(kEventNames[kind]);
      continue;
    }
    const auto each = [&](std::int64_t calls) {
      return static_cast<double>(calls) / static_cast<double>(cost.events);
    };
    std::string text;
    for (std::size_t i = 0; i < kWorkKinds; ++i)
      if (cost.a[i] != cost.b[i])
        text += fmt::format("{}{:.1f} -> {:.1f} {}", text.empty() ? "" : ", ", each(cost.a[i]),
                            each(cost.b[i]), kWorkNames[i]);
    print("  {} path: {} per {} ({} events)\n", kEventNames[kind], text, kEventNames[kind],
          cost.events);
  }
  if (!same.empty()) print("  the same on both: {}\n", same);
}

void print_table(const Review& review) {
  print("{:<10} {:<36} {:<18} {}\n", "change", "property", "machines", "base -> patch");
  for (const Change change : {Change::kFixed, Change::kBroken, Change::kOnBoth, Change::kOnNeither,
                              Change::kVacuous, Change::kUndecided}) {
    print_rows(review, change);
    if (change != Change::kUndecided && change != Change::kVacuous && change != Change::kOnBoth)
      print_measures(review, change);
  }
}

int exit_status(const Review& review) {
  bool judged = false;
  for (const ReviewRow& row : review.rows) {
    if (row.change == Change::kBroken) return kViolated;
    judged = judged || (row.change != Change::kUndecided && row.change != Change::kVacuous);
  }
  for (const Measure& m : review.measures)
    if (m.change() == Change::kBroken) return kViolated;
  return judged ? kHolds : kUndecided;
}

}  // namespace

int run_review(const ReviewOptions& o) {
  const ReviewPlan plan = make_plan(o);
  note("reviewing {} against {} on {}, {} cases each, seed {}\n{}", plan.patch, plan.base,
       fmt::join(plan.topologies, ", "), plan.cases, plan.seed,
       switch_differences(plan.base, plan.patch));
  const auto start = std::chrono::steady_clock::now();
  Review review = run_plan(plan);
  write_schedules(review, o.out);
  if (o.json) {
    print_json(review, plan);
  } else {
    print_table(review);
    print_cost(review);
    print("{:.1f} s{}\n",
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          review.truncated ? ": truncated by the time limit or Ctrl-C" : "");
  }
  return exit_status(review);
}

}  // namespace schedcheck::cli
