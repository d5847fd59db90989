// SPDX-License-Identifier: Apache-2.0
/// \file Kind `domain_dump`: /sys/kernel/debug/sched/domains of a running kernel.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "counterexamples/conform/conform.hpp"

namespace schedcheck {

inline constexpr std::string_view kDomainPrefix = "/sys/kernel/debug/sched/domains/";

/// A row is a domain of a CPU, in the file or in the model. `machines.json` beside the file says
/// which machine and kernel it shows: {"FILE": {"topology": .., "kernel": ..}}. Throws InputError
/// if it does not, and for malformed lines.
void check_domain_dump(const std::filesystem::path& path, const std::string& text,
                       ConformFile& result);

}  // namespace schedcheck
