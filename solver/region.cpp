// SPDX-License-Identifier: Apache-2.0
/// \file The path a region run is on, and the check of its stores.
#include "solver/region.hpp"

namespace schedcheck {
namespace region_detail {
namespace {

thread_local Run* current_run = nullptr;
thread_local std::uint32_t stamp = 1;
thread_local int unchecked = 0;

}  // namespace

Run::Run(std::vector<bool> path, const std::unordered_set<const void*>* listed_parts)
    : prefix(std::move(path)), listed(listed_parts), start(++stamp), parent(current_run) {
  current_run = this;
  ++Z3Session::current().region_runs;
}

Run::~Run() { current_run = parent; }

UncheckedStores::UncheckedStores() { ++unchecked; }
UncheckedStores::~UncheckedStores() { --unchecked; }

std::uint32_t birth_stamp() { return stamp; }

void check_store(const void* address, std::uint32_t birth) {
  if (current_run == nullptr || unchecked > 0 || birth >= current_run->start) return;
  if (current_run->listed != nullptr && current_run->listed->contains(address)) return;
  throw std::logic_error(
      "a region wrote a value it does not list: add it to the join, or the other paths would see "
      "the write");
}

Z3Bool path_condition() {
  Z3Bool all = true;
  for (const Run* run = current_run; run != nullptr; run = run->parent)
    for (const Decision& d : run->trace)
      all = Z3Bool(all && (d.taken ? d.condition : !d.condition));
  return all;
}

/// The side of `condition` on the current path.
bool decide(const Z3Bool& condition) {
  if (current_run == nullptr)
    throw std::logic_error("branch on a symbolic value outside a region: wrap it in eval or join");
  // A decision taken before, here or further out, is not asked again.
  for (const Run* run = current_run; run != nullptr; run = run->parent)
    for (const Decision& d : run->trace)
      if (d.condition.atom() == condition.atom())
        return d.condition.negated() == condition.negated() ? d.taken : !d.taken;
  const std::size_t depth = current_run->trace.size();
  const bool taken = depth >= current_run->prefix.size() || current_run->prefix[depth];
  current_run->trace.push_back({condition, taken});
  return taken;
}

}  // namespace region_detail

Z3Bool::operator bool() const { return is_constant() ? constant() : region_detail::decide(*this); }

}  // namespace schedcheck
