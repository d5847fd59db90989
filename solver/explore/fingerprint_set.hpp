// SPDX-License-Identifier: Apache-2.0
/// \file The states seen so far, 8 bytes each: a hash set with open addressing. Two states with one
/// fingerprint count as one; collision_bound() says how likely that is.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace schedcheck {

/// 64 bits of a state's canonical bytes.
inline std::uint64_t fingerprint(std::string_view bytes) {
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  constexpr std::uint64_t kOther = 0xd1b54a32d192ed03ULL;
  std::uint64_t h = bytes.size() * kOdd ^ kOther;
  const auto mix = [&](std::uint64_t word) {
    const Wide product = static_cast<Wide>(word ^ kOther) * (h ^ kOdd);
    h = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64) ^
        (h << 23 | h >> 41);
  };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    __builtin_memcpy(&word, bytes.data() + i, 8);
    mix(word);
  }
  std::uint64_t rest = 0;
  __builtin_memcpy(&rest, bytes.data() + i, bytes.size() - i);
  mix(rest);
  mix(kOdd);
  return h == 0 ? 1 : h;  // 0 marks a free slot.
}

class FingerprintSet {
 public:
  [[nodiscard]] bool contains(std::uint64_t fp) const { return slots_[slot_of(fp)] == fp; }
  /// False if it was there.
  bool insert(std::uint64_t fp) {
    if ((size_ + 1) * 5 > slots_.size() * 4) grow();
    std::uint64_t& slot = slots_[slot_of(fp)];
    if (slot == fp) return false;
    slot = fp;
    ++size_;
    return true;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(std::uint64_t); }

 private:
  [[nodiscard]] std::size_t slot_of(std::uint64_t fp) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = fp & mask;
    while (slots_[at] != 0 && slots_[at] != fp) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<std::uint64_t> old(slots_.size() * 2, 0);
    old.swap(slots_);
    for (const std::uint64_t fp : old)
      if (fp != 0) slots_[slot_of(fp)] = fp;
  }

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024, 0);
  std::size_t size_ = 0;
};

/// Upper bound on the probability that any two of `states` share a fingerprint.
inline double collision_bound(std::uint64_t states) {
  return static_cast<double>(states) * static_cast<double>(states) / 3.6893488147419103e19;
}

}  // namespace schedcheck
