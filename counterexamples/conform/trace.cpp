// SPDX-License-Identifier: Apache-2.0
/// \file Kinds `trace` and `pelt_trace`: every state word that the file has after an operation
/// against the model's.
#include <array>
#include <functional>
#include <map>

#include "counterexamples/conform/conform_case.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/trace_player.hpp"
#include "model/kernel_switches.hpp"

namespace schedcheck {
namespace {

using D = NativeDomain;
using Words = std::map<std::string, std::int64_t>;

void add_signal(Words& words, const SchedAvg<D>& avg) {
  words.insert({{"lut", avg.last_update_time},
                {"load_sum", avg.load_sum},
                {"runnable_sum", avg.runnable_sum},
                {"util_sum", avg.util_sum},
                {"period_contrib", avg.period_contrib},
                {"load_avg", avg.load_avg},
                {"runnable_avg", avg.runnable_avg},
                {"util_avg", avg.util_avg}});
}

Words cfs_words(const Machine<D>& m, int cpu, int group) {
  const CfsRq<D>& cfs = cfs_rq_of(m, cpu, group);
  const std::int64_t tg_load =
      group == 0 ? 0 : std::int64_t{m.group[static_cast<std::size_t>(group) - 1].load_avg};
  Words words = {{"group", group},
                 {"cpu", cpu},
                 {"load_weight", cfs.load_weight},
                 {"weight", cfs.load_weight},
                 {"nr", cfs.nr_queued},
                 {"h_nr", cfs.h_nr_queued},
                 {"h_nr_queued", cfs.h_nr_queued},
                 {"h_nr_runnable", cfs.h_nr_runnable},
                 {"removed_nr", cfs.removed.nr},
                 {"removed_util", cfs.removed.util_avg},
                 {"removed_load", cfs.removed.load_avg},
                 {"removed_runnable", cfs.removed.runnable_avg},
                 {"propagate", cfs.up.propagate ? 1 : 0},
                 {"prop_runnable_sum", cfs.up.prop_runnable_sum},
                 {"avg_vruntime", cfs.time.avg_vruntime},
                 {"avg_load", cfs.time.avg_load},
                 {"zero_vruntime", cfs.time.zero_vruntime},
                 {"rq_nr_running", cpu_rq(m, cpu).nr_running},
                 {"tg_contrib", cfs.up.tg_load_avg_contrib},
                 {"tg_load_avg_contrib", cfs.up.tg_load_avg_contrib},
                 {"tg_load_avg", tg_load}};
  add_signal(words, cfs.avg);
  return words;
}

void add_entity(Words& words, const SchedEntity<D>& se) {
  words.insert({{"vruntime", se.vruntime},
                {"deadline", se.deadline},
                {"vlag", se.vlag},
                {"slice", se.slice},
                {"on_rq", se.on_rq ? 1 : 0},
                {"delayed", se.sched_delayed ? 1 : 0},
                {"rel_deadline", se.rel_deadline ? 1 : 0},
                {"sum_exec", se.sum_exec_runtime},
                {"weight", se.load_weight},
                {"runnable_weight", se.runnable_weight}});
  add_signal(words, se.avg);
}

Words task_words(const Machine<D>& m, int p) {
  Words words = {{"task", p + 1}, {"cpu", task_of(m, p).cpu}};
  add_entity(words, task_of(m, p));
  return words;
}

Words group_se_words(const Machine<D>& m, const Model& model, int cpu, int group) {
  const int parent = model.group_parent[static_cast<std::size_t>(group)];
  Words words = {{"group", group},
                 {"cpu", cpu},
                 {"is_curr", cfs_rq_of(m, cpu, parent).curr == kGroupEntity + group ? 1 : 0}};
  add_entity(words, group_on(m, group, cpu).se);
  return words;
}

/// Compares words one by one; the file's names are looked up in the model's.
class WordCheck {
 public:
  WordCheck(ConformFile& result, std::string op) : result_(&result), op_(std::move(op)) {}

  void named(const JsonReader& value, const std::string& owner, const std::string& name,
             const Words& words) {
    const auto at = words.find(name);
    if (at == words.end()) value.fail("word '" + name + "' is unknown");
    const std::int64_t file = value.integer(-kFileWordMax, kFileWordMax);
    count_row(*result_, file == at->second
                            ? ""
                            : op_ + ": " + owner + name + ": " + std::to_string(file) +
                                  " in the file, " + std::to_string(at->second) + " in the model");
  }
  /// An object of words.
  void object(const JsonReader& object, const std::string& owner, const Words& words) {
    for (const std::string& name : object.keys()) {
      if (name == "removed") {
        static constexpr std::array kParts = {"removed_nr", "removed_util", "removed_load",
                                              "removed_runnable"};
        const auto parts = object.at(name).elements(kParts.size());
        for (std::size_t i = 0; i < kParts.size(); ++i) named(parts[i], owner, kParts.at(i), words);
      } else {
        named(object.at(name), owner, name, words);
      }
    }
  }
  /// A row of words; the names are the columns.
  void row(const JsonReader& row, const JsonReader& columns, const std::string& owner,
           const Words& words) {
    const auto cells = row.elements(columns.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
      named(cells[i], owner, columns.at(i).text(), words);
  }

 private:
  static constexpr std::int64_t kFileWordMax = std::int64_t{1} << 61;
  ConformFile* result_;
  std::string op_;
};

std::string where(const char* what, std::int64_t number, std::int64_t cpu) {
  return std::string(what) + " " + std::to_string(number) + " CPU " + std::to_string(cpu) + " ";
}

void check_heads(const JsonReader& op, const Machine<D>& m, WordCheck& check) {
  for (std::size_t cpu = 0; cpu < m.rq.size(); ++cpu) {
    const Rq<D>& rq = m.rq[cpu];
    const std::string owner = "CPU " + std::to_string(cpu) + " ";
    const bool idle = rq.curr == kNoTask;
    const Words words = {{"curr", rq.curr + 1},
                         {"need_resched", rq.need_resched ? 1 : 0},
                         {"root_util", rq.cfs.avg.util_avg},
                         {"root_util_sum", rq.cfs.avg.util_sum}};
    for (const auto& [name, value] : words) {
      if (!op.has(name)) continue;
      const JsonReader cell = op.at(name).at(cpu);
      if (name == "need_resched" && idle && cell.is_null()) continue;
      check.named(cell, owner, name, words);
    }
  }
  if (op.has("next"))
    check.named(op.at("next"), "", "next",
                {{"next", m.rq[static_cast<std::size_t>(op.integer(
                                   "cpu", 0, static_cast<std::int64_t>(m.rq.size()) - 1))]
                                  .curr +
                              1}});
}

void check_states(const JsonReader& op, const TracePlayer& player, WordCheck& check) {
  const Machine<D>& m = player.machine();
  const auto cpu_of = [&](const JsonReader& at) {
    return static_cast<int>(at.integer("cpu", 0, static_cast<std::int64_t>(m.rq.size()) - 1));
  };
  if (op.has("cfs"))
    for (const JsonReader& cfs : op.at("cfs").elements()) {
      const auto group = static_cast<int>(cfs.integer("group", 0, player.model().nr_groups() - 1));
      check.object(cfs, where("group", group, cpu_of(cfs)), cfs_words(m, cpu_of(cfs), group));
    }
  if (op.has("tasks"))
    for (const JsonReader& task : op.at("tasks").elements()) {
      const auto p = static_cast<int>(task.integer("task", 1, player.model().max_tasks)) - 1;
      check.object(task, "task " + std::to_string(p + 1) + " ", task_words(m, p));
    }
}

void check_rows(const JsonReader& file, const JsonReader& op, const TracePlayer& player,
                WordCheck& check) {
  const Machine<D>& m = player.machine();
  const Model& model = player.model();
  const std::int64_t last_cpu = static_cast<std::int64_t>(m.rq.size()) - 1;
  const auto place = [&](const JsonReader& row, std::int64_t lowest) {
    return std::pair(
        static_cast<int>(row.at(1).integer(0, last_cpu)),
        static_cast<int>(row.at(std::size_t{0}).integer(lowest, model.nr_groups() - 1)));
  };
  for (const JsonReader& row : op.at("cfs").elements()) {
    const auto [cpu, group] = place(row, 0);
    check.row(row, file.at("cfs_columns"), where("group", group, cpu), cfs_words(m, cpu, group));
  }
  for (const JsonReader& row : op.at("group_se").elements()) {
    const auto [cpu, group] = place(row, 1);
    check.row(row, file.at("group_se_columns"), where("entity of group", group, cpu),
              group_se_words(m, model, cpu, group));
  }
  for (const JsonReader& row : op.at("tasks").elements()) {
    const auto p = static_cast<int>(row.at(std::size_t{0}).integer(1, model.max_tasks)) - 1;
    check.row(row, file.at("task_columns"), "task " + std::to_string(p + 1) + " ",
              task_words(m, p));
  }
}

WordCheck check_of(ConformFile& result, std::size_t number, const JsonReader& op) {
  return {result, "op " + std::to_string(number) + " " + op.at("op").text()};
}

}  // namespace

void check_trace(const JsonReader& file, ConformFile& result) {
  Model model;
  model.kernel = parse_kernel("debian-6.12.117").switches;
  // The traces were made without the clock snapshots that this rule reads.
  model.kernel.migrate_se_pelt_lag = false;
  model.base_slice_ns = file.integer("base_slice_ns", 1, kMaxSlice);
  model.lag_tick_ns = file.integer("tick_ns", 1, kMaxSlice);
  TracePlayer player(file, model, static_cast<int>(file.integer("ncpu", 1, kMaxCpus)));
  std::size_t number = 0;
  for (const JsonReader& op : file.at("ops").elements()) {
    player.play(op, false);
    WordCheck check = check_of(result, number++, op);
    check_heads(op, player.machine(), check);
    check_states(op, player, check);
  }
}

void check_pelt_trace(const JsonReader& file, ConformFile& result) {
  Model model;
  model.kernel = parse_kernel("v6.1").switches;
  model.kernel.migrate_se_pelt_lag = false;
  TracePlayer player(file, model, static_cast<int>(file.integer("cpus", 1, kMaxCpus)));
  std::size_t number = 0;
  for (const JsonReader& op : file.at("ops").elements()) {
    player.play(op, true);
    WordCheck check = check_of(result, number++, op);
    check_rows(file, op, player, check);
  }
}

}  // namespace schedcheck
