// SPDX-License-Identifier: Apache-2.0
/// \file Options and help of compare, blame and review.
#include "cli/pair_commands.hpp"

#include "cli/options.hpp"

namespace schedcheck::cli {
namespace {

void add_compare(CLI::App& app, CompareOptions& o, int& status) {
  CLI::App* compare = app.add_subcommand("compare", "A short schedule on which two kernels differ");
  compare->add_option("--kernel", o.kernel, "NAME[,switch=value..]; the schedule is written for it")
      ->required();
  compare->add_option("--against", o.against, "The other kernel")->required()->check(not_empty());
  compare
      ->add_option("--property", o.property,
                   "Violated on --kernel and not on --against; without: the first fork or "
                   "wakeup that goes elsewhere")
      ->check(not_empty());
  compare->add_option("--topology", o.topology,
                      "smp:N, llc:AxB, smt:CxT, numa:NxC, host; without: smp:2, smp:3, smp:4, "
                      "llc:2x2, numa:2x2 up to the first difference");
  compare
      ->add_option("--tasks", o.tasks,
                   "Task numbers of a case; without, warm machines may take more")
      ->check(whole(1, 1024))
      ->capture_default_str();
  compare->add_option("--depth", o.depth, "At most so many events; 0: any number")
      ->check(whole(0, 10'000))
      ->capture_default_str();
  compare->add_option("--tick-ns", o.tick_ns, "Tick in ns; 0: none")
      ->check(whole(0, 1'000'000'000))
      ->capture_default_str();
  compare->add_option("--cases", o.cases, "Random cases per machine; decides what runs")
      ->check(whole(1, 1'000'000'000))
      ->capture_default_str();
  compare->add_option("--seed", o.seed, "Seed of the cases")
      ->check(whole(0, INT64_MAX))
      ->capture_default_str();
  compare->add_option("--time", o.time, "Only truncates: 60s, 500ms, 2m; 0: none")
      ->capture_default_str();
  compare->add_option("--out", o.out,
                      "Schedule file; default: counterexamples-found/compare-..json");
  compare->add_flag("--json", o.json, "One JSON object on stdout");
  compare->footer(
      "Exit status: 1 a difference was found, 3 none in the cases looked at.\n"
      "Example: schedcheck compare --kernel v6.13 --against v6.14");
  compare->callback([compare, &o, &status] {
    o.tasks_given = compare->count("--tasks") > 0;
    status = run_compare(o);
  });
}

void add_blame(CLI::App& app, BlameOptions& o, int& status) {
  CLI::App* blame =
      app.add_subcommand("blame", "The smallest set of switches that makes a schedule fail");
  blame->add_option("FILE", o.file, "Schedule file; - for standard input")->required();
  blame
      ->add_option("--against", o.against,
                   "A kernel on which it does not fail, or places a task elsewhere; without: the "
                   "nearest preset on which it does not fail")
      ->check(not_empty());
  blame->add_flag("--json", o.json, "One JSON object on stdout");
  blame->footer(
      "Exit status: 0 answered, 3 nothing fails, or no switch is to blame.\n"
      "Example: schedcheck blame counterexamples/found/no-ghost-busy-v6.13.json");
  blame->callback([&] { status = run_blame(o); });
}

void add_review(CLI::App& app, ReviewOptions& o, int& status) {
  CLI::App* review =
      app.add_subcommand("review", "A patch against its base: fixed, broken, unchanged, cost");
  review->add_option("--kernel", o.kernel, "The patch: NAME,switch=value..")->required();
  review->add_option("--base", o.base, "The base; without: NAME without the overrides")
      ->check(not_empty());
  review->add_option("--topology", o.topology, "Machines, separated by commas")
      ->capture_default_str();
  review->add_option("--cases", o.cases, "Random cases per machine and kernel")
      ->check(whole(1, 1'000'000'000))
      ->capture_default_str();
  review->add_option("--seed", o.seed, "Seed of the cases, the same on both")
      ->check(whole(0, INT64_MAX))
      ->capture_default_str();
  review->add_option("--time", o.time, "Only truncates: 60s, 500ms, 2m; 0: none")
      ->capture_default_str();
  review->add_option("--out", o.out, "Directory for the schedules")
      ->check(not_empty())
      ->capture_default_str();
  review->add_flag("--json", o.json, "One JSON object on stdout");
  review->footer(
      "Exit status: 1 something got worse, 0 nothing did, 3 nothing could be judged.\n"
      "Example: schedcheck review --kernel v6.13,exit_move=full");
  review->callback([&] { status = run_review(o); });
}

}  // namespace

void add_pair_commands(CLI::App& app, int& status) {
  static CompareOptions compare;
  static BlameOptions blame;
  static ReviewOptions review;
  add_compare(app, compare, status);
  add_blame(app, blame, status);
  add_review(app, review, status);
}

}  // namespace schedcheck::cli
