// SPDX-License-Identifier: Apache-2.0
/// \file Kernel threads that belong to one CPU have its number in their name.
#pragma once

#include <string_view>

#include "counterexamples/trace/trace_text.hpp"

namespace schedcheck {

/// The CPU of "migration/3", "ksoftirqd/3", "cpuhp/3", "kworker/3:1H"; -1 for other names. Only a
/// hint: any process may call itself so, and a kworker loses its CPU when that goes offline.
inline int cpu_in_name(std::string_view name) {
  for (const std::string_view kind : {"migration/", "ksoftirqd/", "cpuhp/", "kworker/"}) {
    std::string_view rest = name;
    int cpu = 0;
    if (trace_text::take(rest, kind) && trace_text::take_number(rest, cpu) && cpu >= 0 &&
        rest.starts_with(':') == (kind == "kworker/"))
      return cpu;
  }
  return -1;
}

}  // namespace schedcheck
