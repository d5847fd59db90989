// SPDX-License-Identifier: Apache-2.0
/// \file Kinds `lb_src_group`, `find_src_rq`, `should_we_balance`, `balance_rq`, `newidle` and
/// `newidle_flow`: load balancing, step by step and whole.
#pragma once

#include <array>
#include <bit>

#include "counterexamples/conform/conform_case.hpp"
#include "counterexamples/conform/json_reader.hpp"
#include "model/balance/lb_env.hpp"

namespace schedcheck {

/// A row is the statistics of a domain's groups; v6.12.
void check_lb_src_group(const JsonReader& file, ConformFile& result);
/// A row is a group's CPUs; v6.12 and v6.1.
void check_find_src_rq(const JsonReader& file, ConformFile& result);
void check_should_we_balance(const JsonReader& file, ConformFile& result);
/// A row is a pass of one domain with its tasks; v6.12 and v6.1.
void check_balance_rq(const JsonReader& file, ConformFile& result);
/// A row is one newidle pass's cost under every rule, or one of the shorter tables.
void check_newidle(const JsonReader& file, ConformFile& result);
/// A row is a newidle walk where what balancing a level does is given; v6.12 and v6.1.
void check_newidle_flow(const JsonReader& file, ConformFile& result);

/// A result field and the kernel it was executed on. 6.1.y has the newidle rule of v6.19.
struct ExecutedOn {
  const char* field;
  const char* kernel;
};
inline constexpr std::array<ExecutedOn, 2> kExecutedOn = {
    {{"v6_12", "debian-6.12.117"}, {"v6_1", "v6.1,newidle_fail=ni_random"}}};

/// The result of a row; "same" stands for the one of v6_12.
inline JsonReader result_of(const JsonReader& row, const char* field) {
  const JsonReader result = row.at(field);
  return result.is_text() && result.text() == "same" ? row.at("v6_12") : result;
}

/// Keeps the first field that differs.
class RowCheck {
 public:
  explicit RowCheck(std::string prefix = "") : prefix_(std::move(prefix)) {}
  void prefix(std::string text) { prefix_ = std::move(text); }
  void same(const std::string& field, std::int64_t file, std::int64_t model) {
    if (file != model && first_.empty())
      first_ = prefix_ + field + ": " + std::to_string(file) + " in the file, " +
               std::to_string(model) + " in the model";
  }
  /// null in the file is `none` in the model.
  void same(const JsonReader& object, const std::string& field, std::int64_t none,
            std::int64_t model) {
    const JsonReader value = object.at(field);
    same(field, value.is_null() ? none : value.integer(-1, kTimeMax), model);
  }
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  std::string prefix_, first_;
};

/// "row 3 'flat 4'".
inline std::string row_name(std::size_t index, const JsonReader& row) {
  return "row " + std::to_string(index) +
         (row.has("name") ? " '" + row.at("name").text() + "'" : "");
}

/// Compares each row of a list: `check(row, RowCheck&)`.
template <class Check>
void check_rows(const std::vector<JsonReader>& rows, ConformFile& result, const Check& check) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RowCheck difference;
    check(rows[i], difference);
    count_row(result,
              difference.first().empty() ? "" : row_name(i, rows[i]) + ": " + difference.first());
  }
}

/// Compares each row with both kernels: `run(row, switches)` yields what a result is compared to.
template <class Run, class Compare>
void check_executed(const JsonReader& file, ConformFile& result, const Run& run,
                    const Compare& compare) {
  check_rows(file.elements(), result, [&](const JsonReader& row, RowCheck& difference) {
    for (const auto& [field, kernel] : kExecutedOn) {
      difference.prefix(std::string(field) + ": ");
      compare(result_of(row, field), run(row, parse_kernel(kernel).switches), difference);
    }
  });
}

/// The kind of pass, as the files call it.
inline CpuIdleType idle_type_of(const JsonReader& value) {
  const std::string text = value.text();
  if (text == "not_idle") return CpuIdleType::kNotIdle;
  if (text == "idle") return CpuIdleType::kIdle;
  if (text == "newly_idle") return CpuIdleType::kNewlyIdle;
  value.fail("not_idle, idle or newly_idle is expected");
}

/// A list of CPUs 0 to N - 1, each with a number `cpu`, in that order.
inline std::vector<JsonReader> numbered_cpus(const JsonReader& list) {
  const auto cpus = list.elements();
  if (cpus.empty() || cpus.size() > kMaxCpus) list.fail("1 to 64 CPUs are expected");
  for (std::size_t i = 0; i < cpus.size(); ++i)
    if (cpus[i].integer("cpu", 0, kMaxCpus - 1) != static_cast<std::int64_t>(i))
      cpus[i].fail("the CPUs are not numbered 0, 1, ..");
  return cpus;
}

inline int cpu_below(const JsonReader& row, const char* field, std::size_t nr_cpus) {
  return static_cast<int>(row.integer(field, 0, static_cast<std::int64_t>(nr_cpus) - 1));
}

/// A set of CPUs below `nr_cpus`.
inline CpuMask cpus_below(const JsonReader& value, std::size_t nr_cpus) {
  const CpuMask cpus = value.cpus();
  if (static_cast<std::size_t>(std::bit_width(cpus)) > nr_cpus)
    value.fail("a list of the CPUs 0 to " + std::to_string(nr_cpus - 1) + " is expected");
  return cpus;
}

}  // namespace schedcheck
