// SPDX-License-Identifier: Apache-2.0
/// \file The table of JSON kinds: how each is recognised and compared.
#include "counterexamples/conform/json_kinds.hpp"

#include <algorithm>
#include <span>

#include "counterexamples/conform/balance_domains.hpp"
#include "counterexamples/conform/balance_kinds.hpp"
#include "counterexamples/conform/eevdf_pick.hpp"
#include "counterexamples/conform/exit_path.hpp"
#include "counterexamples/conform/find_dst_cases.hpp"
#include "counterexamples/conform/group_cases.hpp"
#include "counterexamples/conform/group_shares.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/new_task_util.hpp"
#include "counterexamples/conform/pelt_primitives.hpp"
#include "counterexamples/conform/pelt_step.hpp"
#include "counterexamples/conform/slice_end_resched.hpp"
#include "counterexamples/conform/topology_kinds.hpp"
#include "counterexamples/conform/trace_player.hpp"
#include "model/input_error.hpp"

namespace schedcheck {
namespace {

using Check = void (*)(const JsonReader&, ConformFile&);

template <auto kCases>
void check_cases(const JsonReader& file, ConformFile& result) {
  compare(result, kCases(file));
}

/// A document is of a kind if it (or, for lists, one of its elements) has all `keys`; tables that
/// share their keys are told apart by their first column.
struct JsonKind {
  const char* name;
  bool list;
  std::vector<std::string> keys;
  const char* first_column;
  Check check;
};

const std::vector<JsonKind>& kinds() {
  static const std::vector<JsonKind> kAll = {
      {"pelt_primitives", false, {"decay", "segments"}, "", check_pelt_primitives},
      {"pelt_sequences", true, {"weight", "start", "steps"}, "", check_cases<pelt_sequence_cases>},
      {"new_task_util", true, {"cfs_util", "cfs_load"}, "", check_cases<new_task_util_cases>},
      {"group_classify",
       false,
       {"columns", "rows"},
       "imbalance_pct",
       check_cases<group_classify_cases>},
      {"fork_dst_group", true, {"groups", "dst_v5_9"}, "", check_cases<fork_dst_group_cases>},
      {"find_dst_cpu", true, {"levels", "prev_cpu"}, "", check_find_dst_cpu},
      {"find_dst_group_cpu",
       true,
       {"this_cpu", "group", "allowed"},
       "",
       check_cases<find_dst_group_cpu_cases>},
      {"topology_executed", true, {"levels", "v6_12"}, "", check_topology_executed},
      {"pelt_trace", false, {"ops", "cfs_columns"}, "", check_pelt_trace},
      {"trace", false, {"ops", "ncpu"}, "", check_trace},
      {"group_shares", false, {"columns", "rows"}, "tg_shares", check_cases<group_shares_cases>},
      {"slice_end_resched",
       false,
       {"columns", "rows"},
       "slice_expired",
       check_cases<slice_end_cases>},
      {"lb_src_group", false, {"row_columns", "cases"}, "", check_lb_src_group},
      {"newidle", false, {"events", "costs"}, "", check_newidle},
      {"eevdf_pick", true, {"tick_ns", "tasks", "events"}, "", check_eevdf_pick},
      {"balance_rq", true, {"domain", "tasks", "migration_cost"}, "", check_balance_rq},
      {"balance_domains", true, {"domains", "serialize_lock_taken"}, "", check_balance_domains},
      {"newidle_flow", true, {"domains", "dice"}, "", check_newidle_flow},
      {"find_src_rq", true, {"migration", "imbalance_pct"}, "", check_find_src_rq},
      {"should_we_balance", true, {"dst_cpu", "balance_mask"}, "", check_should_we_balance},
      {"topology", true, {"cpu", "domains"}, "", check_topology},
  };
  return kAll;
}

bool has_keys(const JsonReader& object, const std::vector<std::string>& keys) {
  return std::all_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return object.has(key); });
}

bool has_column(const JsonReader& file, const std::string& first) {
  if (first.empty()) return true;
  for (const JsonReader& column : file.at("columns").elements())
    if (column.text().starts_with(first)) return true;
  return false;
}

bool is_of_kind(const JsonReader& file, const JsonKind& kind) {
  if (file.is_object() == kind.list) return false;
  if (!kind.list) return has_keys(file, kind.keys) && has_column(file, kind.first_column);
  const auto rows = file.elements();
  return std::any_of(rows.begin(), rows.end(),
                     [&](const JsonReader& row) { return has_keys(row, kind.keys); });
}

/// Tables of the exit path are called S0_.. to S3_..
bool is_exit_path(const JsonReader& file) {
  if (!file.is_object()) return false;
  const auto keys = file.keys();
  return std::any_of(keys.begin(), keys.end(), [](const std::string& key) {
    return key.size() > 2 && key[0] == 'S' && key[1] >= '0' && key[1] <= '3' &&
           key.find('_') != std::string::npos;
  });
}

}  // namespace

void check_json(const JsonReader& file, ConformFile& result) {
  if (file.is_list() || file.is_object()) {
    if (has_keys(file, {"format", "topology", "events"}))
      throw InputError(file.file() + ": is a schedule, not a record; use schedcheck replay " +
                       file.file());
    if (is_exit_path(file)) {
      result.kind = "exit_path";
      return check_exit_path(file, result);
    }
    for (const JsonKind& kind : kinds()) {
      if (!is_of_kind(file, kind)) continue;
      result.kind = kind.name;
      return kind.check(file, result);
    }
  }
  throw InputError(file.file() +
                   ": no known kind of vectors has these keys; leave the file out, or give a "
                   "vector file, a kernel record or a domain dump");
}

}  // namespace schedcheck
