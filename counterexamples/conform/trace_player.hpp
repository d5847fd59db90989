// SPDX-License-Identifier: Apache-2.0
/// \file Plays the operations of a full-state trace (kinds `trace` and `pelt_trace`) on the model.
#pragma once

#include "counterexamples/conform/operation_player.hpp"

namespace schedcheck {

class JsonReader;
struct ConformFile;

/// The machine of a trace. Task n of the file is number n - 1 here.
class TracePlayer {
 public:
  /// `file` has t0 and group_parents; `nr_cpus` is named differently by the kinds.
  TracePlayer(const JsonReader& file, const Model& model, int nr_cpus);

  /// `imposed`: the file says who runs next, because the kernel behind it picked by other rules.
  void play(const JsonReader& op, bool imposed);

  [[nodiscard]] const Machine<NativeDomain>& machine() const { return player_.machine(); }
  [[nodiscard]] const Model& model() const { return player_.model(); }

 private:
  void fork(const JsonReader& op);
  void exit(const JsonReader& op, int cpu, std::optional<int> next);
  [[nodiscard]] int task(const JsonReader& op) const;
  [[nodiscard]] int cpu(const JsonReader& op, const char* key) const;
  [[nodiscard]] int group(const JsonReader& op) const;

  OperationPlayer player_;
};

/// Full-state traces of 6.12.117's own functions.
void check_trace(const JsonReader& file, ConformFile& result);
/// Traces of 6.1.y's PELT and group functions; who runs next is taken from the file.
void check_pelt_trace(const JsonReader& file, ConformFile& result);

}  // namespace schedcheck
