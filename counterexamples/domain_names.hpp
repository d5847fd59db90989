// SPDX-License-Identifier: Apache-2.0
/// \file What a kernel calls levels and flags of scheduling domains.
#pragma once

#include <string>

#include "model/topology/sched_domains.hpp"

namespace schedcheck {

/// `version` is KernelChoice::version. DIE became PKG in v6.7.
inline std::string domain_name(const SchedDomain& sd, int version) {
  return sd.name == "PKG" && version < 6'007'000 ? "DIE" : sd.name;
}

/// Behind SD_. SHARE_PKG_RESOURCES became SHARE_LLC in v6.9.
inline std::string flag_name(std::size_t bit, int version) {
  const bool llc = (SdFlags{1} << bit) == kSdShareLlc;
  return llc && version < 6'009'000 ? "SHARE_PKG_RESOURCES" : kSdFlagNames[bit];
}

/// Names in the order of the bits, each behind `prefix`, separated by blanks.
inline std::string flag_names(SdFlags flags, int version, const char* prefix) {
  std::string text;
  for (std::size_t bit = 0; bit < kSdFlagNames.size(); ++bit)
    if ((flags >> bit & 1) != 0)
      text += (text.empty() ? "" : " ") + (prefix + flag_name(bit, version));
  return text;
}

}  // namespace schedcheck
