// SPDX-License-Identifier: Apache-2.0
/// \file Kind `pelt_sequences`: signals updated step by step.
#include "counterexamples/conform/json_reader.hpp"
#include "counterexamples/conform/pelt_step.hpp"

namespace schedcheck {
namespace {

const FieldNames kFields = {"lut",          "load_sum",       "runnable_sum",
                            "util_sum",     "period_contrib", "load_avg",
                            "runnable_avg", "util_avg",       "ret"};

/// The state of a signal between steps: last_update_time, then as in PeltStepCase.
using State = std::vector<std::int64_t>;

PeltStepCase sequence_step(const JsonReader& step, std::int64_t now, const State& state) {
  PeltStepCase c;
  c.fields = &kFields;
  c.in = {now, step.integer("load", 0, kFileLoadMax), step.integer("runnable", 0, kFileLoadMax),
          step.integer("running", 0, 1)};
  c.in.insert(c.in.end(), state.begin(), state.end());
  for (const std::string& name : kFields)
    c.expected.push_back(step.integer(name, 0, kFileResultMax));
  return c;
}

}  // namespace

std::vector<PeltStepCase> pelt_sequence_cases(const JsonReader& file) {
  std::vector<PeltStepCase> cases;
  for (const JsonReader& sequence : file.elements()) {
    const std::string name = sequence.at("name").text();
    const std::int64_t weight = sequence.integer("weight", 1, kFileWeightMax);
    std::int64_t now = sequence.integer("start", 0, kFileTimeMax);
    State state{now, 0, 0, 0, 0, 0, 0, 0};
    const std::vector<JsonReader> steps = sequence.at("steps").elements();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      now += steps[i].integer("dt", -kFileTimeMax, kFileTimeMax);
      if (now < 0 || now > kFileTimeMax) steps[i].fail("the clock leaves its range");
      PeltStepCase c = sequence_step(steps[i], now, state);
      c.row = "'" + name + "' step " + std::to_string(i);
      c.weight = weight;
      const auto after = c.run<NativeDomain>(std::span<const std::int64_t>(c.in));
      state.assign(after.begin(), after.end() - 1);
      cases.push_back(std::move(c));
    }
  }
  return cases;
}

}  // namespace schedcheck
