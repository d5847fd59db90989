// SPDX-License-Identifier: Apache-2.0
/// \file run: a schedule on the kernel of this machine, beside the model.
#include "cli/run_command.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "counterexamples/live/fidelity.hpp"
#include "counterexamples/live/live_run.hpp"
#include "counterexamples/replay.hpp"
#include "model/input_error.hpp"

namespace schedcheck::cli {
namespace {

struct RunOptions {
  std::string file;
  std::string trace;
  std::string keep_trace;
  bool json = false;
};

/// The trace of a live run, as a file for the readers; gone at the end.
class TraceFile {
 public:
  explicit TraceFile(const std::string& text) {
    std::string name = std::filesystem::temp_directory_path() / "schedcheck-trace.XXXXXX";
    const int file = mkstemp(name.data());
    if (file < 0) throw InputError("run: no file can be made in the folder of temporary files");
    (void)close(file);
    path_ = name;
    write_file(path_, text);
  }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  ~TraceFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const char* agreement_word(Agreement agreement) {
  switch (agreement) {
    case Agreement::kSame:
      return "same";
    case Agreement::kDiffers:
      return "differs";
    case Agreement::kNotDone:
      return "not done";
    case Agreement::kNotSeen:
      return "not seen";
    case Agreement::kNotJudged:
      break;
  }
  return "not judged";
}

const char* verdict_word(RealVerdict verdict) {
  switch (verdict) {
    case RealVerdict::kViolated:
      return "violated";
    case RealVerdict::kPossible:
      return "possibly violated";
    case RealVerdict::kNotSeen:
      return "not seen violated";
    case RealVerdict::kNotDecidable:
      break;
  }
  return "not decidable";
}

std::string as_json(const Fidelity& f, const Schedule& schedule, const std::string& kernel) {
  using Json = nlohmann::ordered_json;
  Json decisions = Json::array();
  for (std::size_t i = 0; i < f.decisions.size(); ++i) {
    const ComparedDecision& d = f.decisions[i];
    decisions.push_back(
        {{"event", f.timeline.events[static_cast<std::size_t>(d.model.event)].label},
         {"decision", decision_name(d.model.kind)},
         {"task", d.model.task},
         {"model", d.model.value},
         {"kernel", d.kernel ? Json(*d.kernel) : Json()},
         {"agreement", agreement_word(d.agreement)},
         {"line", d.line},
         {"model_numbers", f.why[i]},
         {"kernel_numbers", d.cpus}});
  }
  Json moves = Json::array();
  for (const KernelMove& m : f.moves)
    moves.push_back({{"after_event", f.timeline.events[static_cast<std::size_t>(m.event)].label},
                     {"task", m.task},
                     {"from", m.from},
                     {"to", m.to},
                     {"line", m.line}});
  const auto first = f.first_difference();
  const Json object = {{"format", "schedcheck/run"},
                       {"version", 1},
                       {"model_kernel", schedule.kernel},
                       {"kernel", kernel},
                       {"property", schedule.finding ? Json(schedule.finding->property) : Json()},
                       {"compared", f.count(Agreement::kSame) + f.count(Agreement::kDiffers)},
                       {"differing", f.count(Agreement::kDiffers)},
                       {"first_difference", first ? decisions[*first] : Json()},
                       {"decisions", decisions},
                       {"balancing_moves", moves},
                       {"foreign_preemptions", f.foreign},
                       {"lost", f.lost},
                       {"spare_cpus", f.spare_cpus},
                       {"verdict", verdict_word(f.verdict)},
                       {"verdict_text", f.verdict_text}};
  return object.dump(1, ' ', false, Json::error_handler_t::replace);
}

void print_text(const Fidelity& f, const Schedule& schedule, const std::string& kernel) {
  print("kernel {}, modelled: {} on {}\n", printable(kernel), schedule.kernel,
        printable(schedule.topology));
  for (const ComparedDecision& d : f.decisions)
    print("  {:<10} {}\n", agreement_word(d.agreement), decision_text(f, d));
  for (const KernelMove& m : f.moves)
    print("  kernel only: after event {} task {} is moved to CPU {} (balancing, limit L5)\n",
          f.timeline.events[static_cast<std::size_t>(m.event)].label, m.task, m.to);
  const int compared = f.count(Agreement::kSame) + f.count(Agreement::kDiffers);
  if (const auto first = f.first_difference()) {
    const ComparedDecision& d = f.decisions[*first];
    print("first difference: {}\n", decision_text(f, d));
    if (!f.why[*first].empty()) print("  model:  {}\n", f.why[*first]);
    if (!d.cpus.empty()) print("  kernel: {} (line {})\n", printable(d.cpus), d.line);
  } else if (compared > 0) {
    print("same decisions\n");
  } else {
    print("nothing to compare\n");
  }
  print("{} of {} decisions compared, {} differ; other processes took a CPU {} times{}\n", compared,
        f.decisions.size(), f.count(Agreement::kDiffers), f.foreign,
        f.lost > 0 ? "; the trace lost events" : "");
  print("on this kernel {}: {}\n", verdict_word(f.verdict), printable(f.verdict_text));
}

int run_on_kernel(const RunOptions& o) {
  const Schedule schedule = load_schedule(o.file);
  const Replay run = replay(schedule);
  require_enabled(run, schedule, o.file);
  require_finding(run, schedule, o.file);
  if (!o.keep_trace.empty()) require_writable(o.keep_trace);
  std::string kernel = "of the trace";
  std::optional<TraceFile> recorded;
  if (o.trace.empty()) {
    try {
      const LiveResult live = run_live(schedule);
      kernel = live.kernel;
      recorded.emplace(live.trace);
      if (!o.keep_trace.empty()) write_file(o.keep_trace, live.trace);
    } catch (const NotRunnableHere& why) {
      note("schedcheck: {}\n", printable(why.what()));
      return kUndecided;
    } catch (const Interrupted& why) {
      note("schedcheck: {}\n", why.what());
      return kUndecided;
    }
  }
  const Fidelity result = compare_with_kernel(schedule, recorded ? recorded->path() : o.trace);
  if (o.json)
    print("{}\n", as_json(result, schedule, kernel));
  else
    print_text(result, schedule, kernel);
  if (result.first_difference() || result.verdict == RealVerdict::kViolated) return kViolated;
  return result.count(Agreement::kSame) > 0 ? kHolds : kUndecided;
}

}  // namespace

void add_run_command(CLI::App& app, int& status) {
  static RunOptions o;
  CLI::App* run =
      app.add_subcommand("run", "A schedule on this machine's kernel, beside the model");
  run->add_option("FILE", o.file, "Schedule file; - for standard input")->required();
  auto* trace = run->add_option("--trace", o.trace, "Compare with this trace, run nothing")
                    ->check(not_empty());
  run->add_option("--keep-trace", o.keep_trace, "Where the recorded trace goes")
      ->check(not_empty())
      ->excludes(trace);
  run->add_flag("--json", o.json, "One JSON object on stdout");
  run->footer(
      "Needs root, gcc and tracefs; leaves nothing behind. Exit status: 0 same decisions, 1 some\n"
      "differ or the property is violated for real, 3 not runnable here or nothing to compare.\n"
      "Example: schedcheck run counterexamples/found/no-ghost-busy-v6.13.json");
  run->callback([&status] { status = run_on_kernel(o); });
}

}  // namespace schedcheck::cli
