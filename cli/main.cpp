// SPDX-License-Identifier: Apache-2.0
/// \file The command line: options and help of every command.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <utility>

#include "cli/commands.hpp"
#include "cli/conform_command.hpp"
#include "cli/explore_command.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/pair_commands.hpp"
#include "cli/run_command.hpp"
#include "cli/simulate_command.hpp"
#include "cli/solver_commands.hpp"
#include "cli/trace_command.hpp"
#include "model/input_error.hpp"

namespace {

using namespace schedcheck;  // NOLINT(google-build-using-namespace): this file is the border.
using namespace schedcheck::cli;

void add_check(CLI::App& app, CheckOptions& o, int& status) {
  CLI::App* check = app.add_subcommand("check", "Random property tests; minimized counterexamples");
  check->add_option("--kernel", o.kernel, "NAME[,switch=value..]; `list kernels`")
      ->capture_default_str();
  check->add_option("--topology", o.topology, "host, smp:N, llc:AxB, smt:CxT, numa:NxC, FILE.json")
      ->capture_default_str();
  check->add_option("--property", o.property, "all, or names separated by commas")
      ->capture_default_str();
  check->add_option("--cases", o.cases, "Random cases; decides what runs")
      ->check(whole(1, 1'000'000'000'000))
      ->capture_default_str();
  check->add_option("--seed", o.seed, "Seed of the cases")
      ->check(whole(0, INT64_MAX))
      ->capture_default_str();
  check->add_option("--events", o.events, "Elements of a case")
      ->check(whole(1, 10'000))
      ->capture_default_str();
  check->add_option("--tasks", o.tasks, "Task numbers of a case")
      ->check(whole(1, 1024))
      ->capture_default_str();
  check->add_option("--tick-ns", o.tick_ns, "Tick in ns; 0: none")
      ->check(whole(0, 1'000'000'000))
      ->capture_default_str();
  check->add_option("--jobs", o.jobs, "Threads; 0: one per CPU")
      ->check(whole(0, 256))
      ->capture_default_str();
  check->add_option("--time", o.time, "Only truncates: 60s, 500ms, 2m; 0: none")
      ->capture_default_str();
  check->add_option("--out", o.out, "Directory for counterexamples")
      ->check(not_empty())
      ->capture_default_str();
  check->add_flag("--new-only", o.new_only, "Exit 1 only for violations that are not documented");
  check->add_flag("--json", o.json, "One JSON object on stdout");
  check->footer(
      "Example: schedcheck check --kernel v5.8 --topology smp:3 --property fork-burst-spreads");
  check->callback([&] { status = run_check(o); });
}

void add_file_commands(CLI::App& app, ReplayOptions& r, int& status) {
  CLI::App* replay = app.add_subcommand("replay", "Run a schedule file step by step");
  replay->add_option("FILE", r.file, "Schedule file; - for standard input")->required();
  replay->add_option("--kernel", r.kernel, "Instead of the file's kernel");
  replay->add_flag("--trace", r.trace, "Every step with its decision log and ledger");
  replay->add_flag("--json", r.json, "One JSON object on stdout");
  replay->footer(
      "Example: schedcheck replay counterexamples/found/fork-burst-v5.8.json --kernel v5.9");
  replay->callback([&] { status = run_replay(r); });

  static std::string min_file;
  static std::string min_out;
  static bool certify = false;
  CLI::App* minimize = app.add_subcommand("minimize", "Make a failing schedule small");
  minimize->add_option("FILE", min_file, "Schedule file with a finding")->required();
  minimize->add_flag("--certify", certify,
                     "Let explore try every shorter schedule over all events (60 s, 2 GiB)");
  minimize->add_option("-o,--out", min_out, "Output file; default: stdout")->check(not_empty());
  minimize->footer(
      "Claims one-minimal (no event can be dropped), shortest up to bound (all shorter schedules\n"
      "over a small alphabet of events were tried) or, with --certify, certified shortest (over\n"
      "the whole alphabet of docs/schedule-format.md); stderr says how far it got.\n"
      "Example: schedcheck minimize long.json -o short.json");
  minimize->callback([&] { status = run_minimize(min_file, certify, min_out); });

  static std::string what;
  CLI::App* explain = app.add_subcommand("explain", "A property's page, or why a schedule fails");
  explain->add_option("P|FILE", what, "Property name or schedule file")->required();
  explain->footer("Example: schedcheck explain exit-leaves-no-utilization");
  explain->callback([&] { status = run_explain(what); });

  static std::string ex_file;
  static std::string ex_format;
  static std::string ex_out;
  CLI::App* write = app.add_subcommand("export", "A schedule as a workload for other tools");
  write->add_option("FILE", ex_file, "Schedule file")->required();
  write->add_option("--to", ex_format, "html, c, sh, json ..; `list formats`")->required();
  write->add_option("-o,--out", ex_out, "Output file; default: stdout")->check(not_empty());
  write->footer("Example: schedcheck export found.json --to sh -o found.sh && sh found.sh");
  write->callback([&] { status = run_export(ex_file, ex_format, ex_out); });
}

void add_other_commands(CLI::App& app, int& status) {
  static std::vector<std::string> paths;
  static std::string ignored;
  static bool json = false;
  CLI::App* conform = app.add_subcommand("conform", "Compare the model with recorded values");
  conform->add_option("DIR|FILE", paths, "Vectors and kernel records")->required();
  conform->add_option("--kernel", ignored, "Ignored: the files say what they were recorded on");
  conform->add_flag("--json", json, "One JSON object on stdout");
  conform->footer("Example: schedcheck conform tests/data/vectors");
  conform->callback([&] { status = run_conform(paths, json); });

  static ListOptions o;
  CLI::App* list = app.add_subcommand("list", "What there is");
  list->add_option("WHAT", o.what, "kernels, switches, properties, topologies, formats, limits");
  CLI::Option* show =
      list->add_option("--show", o.show, "Of topologies: draw the domains of this one")
          ->check(not_empty());
  list->add_option("--kernel", o.kernel, "NAME[,switch=value..] whose domains are drawn")
      ->needs(show);
  list->add_option("--to", o.to, "text, dot or json instead of text and dot")
      ->needs(show)
      ->check(CLI::IsMember({"text", "dot", "json"}));
  list->footer("Example: schedcheck list topologies --show numa:2x4");
  list->callback([&] { status = run_list(o); });
}

std::string command_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands({}))
    names += (names.empty() ? "" : ", ") + command->get_name();
  return names;
}

/// The first word must be a command: what comes after a wrong one would only confuse.
void require_command(const CLI::App& app, int argc, char** argv) {
  const std::string remedy = "commands are " + command_names(app) + "; see schedcheck --help";
  if (argc < 2) throw InputError("no command; " + remedy);
  const std::string first = argv[1];
  if (!first.empty() && first[0] == '-') return;
  for (const CLI::App* command : app.get_subcommands({}))
    if (command->get_name() == first) return;
  throw InputError("unknown command '" + first + "'; " + remedy);
}

/// Help and version are results too; mistakes name the help that serves.
int finish(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    std::ostringstream out;
    app.exit(error, out, out);
    put(out.str());
    flush_output();
    return kHolds;
  }
  const auto parsed = app.get_subcommands();
  const std::string command = parsed.empty() ? "" : parsed.front()->get_name() + " ";
  throw InputError(std::string(error.what()) + "; see schedcheck " + command + "--help");
}

/// Names from the command line may hold anything; a message stays on one line that can be read.
std::string one_line(std::string text) {
  constexpr std::size_t kEnds = 400;
  if (text.size() > 3 * kEnds) text.replace(kEnds, text.size() - 2 * kEnds, " ... ");
  return printable(std::move(text));
}

int run(int argc, char** argv) {
  CLI::App app{"Checks an executable model of the Linux fair scheduler.", "schedcheck"};
  app.require_subcommand(1);
  app.set_version_flag("--version",
                       "schedcheck " SCHEDCHECK_VERSION
                       ", kernels v5.8 to v7.1, schedule files of version 1",
                       "Print the version and exit");
  app.footer(
      "Exit status: 0 holds as far as asked, 1 violation, 2 usage or input error (also: output\n"
      "that cannot be written), 3 undecided or vacuous, 4 internal disagreement.");
  int status = kHolds;
  CheckOptions check;
  ReplayOptions replay;
  add_check(app, check, status);
  add_file_commands(app, replay, status);
  add_explore_command(app, status);
  add_solver_commands(app, status);
  add_pair_commands(app, status);
  add_simulate_command(app, status);
  add_trace_command(app, status);
  add_run_command(app, status);
  add_other_commands(app, status);
  require_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return finish(app, error);
  }
  flush_output();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  reserve_standard_streams();
  try {
    return run(argc, argv);
  } catch (const InputError& error) {
    std::fprintf(stderr, "schedcheck: %s\n", one_line(error.what()).c_str());
    return kUsage;
  } catch (const std::bad_alloc&) {
    std::fputs("schedcheck: out of memory, nothing is decided; give a smaller input\n", stderr);
    return kUndecided;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "schedcheck: internal error: %s\n", error.what());
    return kInternal;
  } catch (...) {
    std::fputs("schedcheck: internal error\n", stderr);
    return kInternal;
  }
}
