// SPDX-License-Identifier: Apache-2.0
/// \file Plays the operations of a full-state trace (kinds `trace` and `pelt_trace`) on the model,
/// one kernel function at a time.
#pragma once

#include "model/step.hpp"

namespace schedcheck {

class JsonReader;
struct ConformFile;

/// The machine of a trace. Task n of the file is number n - 1 here.
class TracePlayer {
 public:
  /// `file` has t0 and group_parents; `nr_cpus` is named differently by the kinds.
  TracePlayer(const JsonReader& file, Model model, int nr_cpus);

  /// `imposed`: the file says who runs next, because the kernel behind it picked by other rules.
  void play(const JsonReader& op, bool imposed);

  [[nodiscard]] const Machine<NativeDomain>& machine() const { return m_; }
  [[nodiscard]] const Model& model() const { return model_; }

 private:
  void fork(const JsonReader& op);
  void reschedule(const JsonReader& op, int cpu, bool imposed);
  void sleep(const JsonReader& op, int cpu, bool imposed);
  void exit(const JsonReader& op, int cpu, bool imposed);
  void wake(int p, int cpu);
  [[nodiscard]] int task(const JsonReader& op) const;

  Model model_;
  Machine<NativeDomain> m_;
};

/// Full-state traces of 6.12.117's own functions.
void check_trace(const JsonReader& file, ConformFile& result);
/// Traces of 6.1.y's PELT and group functions; who runs next is taken from the file.
void check_pelt_trace(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
