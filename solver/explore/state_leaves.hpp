// SPDX-License-Identifier: Apache-2.0
/// \file States without loss: what differs from the start state, as bytes. The frontier of a search
/// keeps its states so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/domain/leaves.hpp"
#include "model/machine.hpp"

namespace schedcheck {

/// All that outlives an event: `event` and `judged` are set anew by each.
template <class D, class F>
void walk_state(Machine<D>& m, const F& f) {
  auto [now, nr_tasks, nr_sessions, rq, task, group, ledger, event, judged] = m.fields();
  for_each_leaf(now, f);
  for_each_leaf(nr_tasks, f);
  for_each_leaf(nr_sessions, f);
  for_each_leaf(rq, f);
  for_each_leaf(task, f);
  for_each_leaf(group, f);
  for_each_leaf(ledger, f);
}

/// Appends numbers in 7-bit groups, small absolute values in few bytes.
inline void put_number(std::string& out, std::int64_t x) {
  auto rest = static_cast<std::uint64_t>(x) << 1 ^ static_cast<std::uint64_t>(x >> 63);
  while (rest >= 0x80) {
    out += static_cast<char>(rest | 0x80);
    rest >>= 7;
  }
  out += static_cast<char>(rest);
}
inline std::int64_t take_number(std::string_view bytes, std::size_t& at) {
  std::uint64_t x = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    x |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return static_cast<std::int64_t>(x >> 1) ^ -static_cast<std::int64_t>(x & 1);
}

/// States as differences from one of them.
template <class D>
class StatePacker {
 public:
  explicit StatePacker(Machine<D> start) {
    walk_state(start, [&](auto& leaf) { start_.push_back(static_cast<std::int64_t>(leaf)); });
  }
  /// Appends (equal leaves, difference) pairs.
  void pack(Machine<D>& m, std::string& out) const {
    std::size_t i = 0;
    std::int64_t equal = 0;
    walk_state(m, [&](auto& leaf) {
      const auto difference =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::int64_t>(leaf)) -
                                    static_cast<std::uint64_t>(start_[i++]));
      if (difference == 0) {
        ++equal;
        return;
      }
      put_number(out, equal);
      put_number(out, difference);
      equal = 0;
    });
  }
  /// `m` has the shape of the start state.
  void unpack(std::string_view bytes, Machine<D>& m) const {
    std::size_t at = 0;
    std::size_t i = 0;
    std::int64_t equal = at < bytes.size() ? take_number(bytes, at) : -1;
    walk_state(m, [&]<class Leaf>(Leaf& leaf) {
      std::int64_t value = start_[i++];
      if (equal-- == 0) {
        value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) +
                                          static_cast<std::uint64_t>(take_number(bytes, at)));
        equal = at < bytes.size() ? take_number(bytes, at) : -1;
      }
      leaf = static_cast<Leaf>(value);
    });
  }

 private:
  std::vector<std::int64_t> start_;
};

}  // namespace schedcheck
