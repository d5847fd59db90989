// SPDX-License-Identifier: Apache-2.0
/// \file The generators of warm cases.
#include "properties/random/warm_cases.hpp"

#include "properties/random/dice.hpp"

namespace schedcheck {
namespace {

/// Streams of different indices are independent enough: SplitMix64 hashes its state.
Dice dice_for(std::uint64_t seed, std::uint64_t index) {
  Dice mix(seed ^ 0x5deece66d1234567ULL);
  return Dice(mix.next() + index * 0xd1342543de82ef95ULL);
}

/// Averages near 875 and 876, where a CPU of its own stops to be spare at 117 %; 819 at 125 %.
std::int64_t warm_util(Dice& dice) {
  switch (dice.roll(0, 3)) {
    case 0:
      return dice.roll(860, 890);
    case 1:
      return dice.roll(700, 1000);
    case 2:
      return dice.roll(0, 1024);
    default:
      return dice.roll(0, 1) == 0 ? 0 : 819;
  }
}

/// One loop whose child dies just before a window boundary, with a tick just after it: that applies
/// the removal and derives the averages before the parent forks again. False: no tick falls so.
bool add_loop_before_tick(Schedule& s, Dice& dice, int parent) {
  constexpr std::int64_t kLoopUnits = 10 + 100 + 20;
  for (std::int64_t n = 1; n <= 64 && s.tick_ns > 0; ++n) {
    const std::int64_t tick = n * s.tick_ns;
    const std::int64_t since_boundary = tick % kWindowNs;
    if (since_boundary < 5 * kNsPerUnit || since_boundary > 45 * kNsPerUnit) continue;
    const std::int64_t margin = dice.roll(1, 20) * kNsPerUnit;
    const std::int64_t start = tick - since_boundary - margin - kLoopUnits * kNsPerUnit;
    if (start <= 0) continue;
    s.events = {{.kind = EventKind::kFork, .task = parent, .after_ns = start},
                {.kind = EventKind::kBlock, .task = parent, .after_ns = 10 * kNsPerUnit},
                {.kind = EventKind::kExit,
                 .task = static_cast<int>(s.tasks.size()),
                 .wakes = parent,
                 .duration_ns = 20 * kNsPerUnit,
                 .after_ns = 100 * kNsPerUnit},
                {.kind = EventKind::kFork,
                 .task = parent,
                 .after_ns = margin + since_boundary + dice.roll(1, 8) * kNsPerUnit}};
    s.max_tasks = static_cast<int>(s.tasks.size()) + 2;
    return true;
  }
  return false;
}

}  // namespace

Genome plain_genome(std::uint64_t seed, std::uint64_t index, int length) {
  constexpr std::uint32_t kBusyWarmStart = 15;  // See Decoder::start_tasks.
  Dice dice = dice_for(seed, index);
  Genome genome(static_cast<std::size_t>(length) + 1);
  for (std::uint32_t& word : genome) word = static_cast<std::uint32_t>(dice.next() >> 32);
  if (index % 2 == 0) {
    genome[0] = (genome[0] & ~0xffU) | kBusyWarmStart;
  } else if ((genome[0] & 0xffU) >= kGroupStyle) {
    genome[0] = 0;
  }
  return genome;
}

Schedule warm_spawn_case(const CaseSetup& setup, std::uint64_t seed, std::uint64_t index) {
  Dice dice = dice_for(seed, index);
  Schedule s = setup.base;
  s.round_robin = true;  // The loops say who runs.
  const int nr_cpus = setup.model.topology.nr_cpus;
  s.tasks.clear();
  s.events.clear();
  for (int cpu = 0; cpu < nr_cpus; ++cpu)
    s.tasks.push_back({.cpu = cpu, .util_avg = warm_util(dice)});
  const int parent = static_cast<int>(dice.roll(0, nr_cpus - 1));
  const auto about = [&](std::int64_t units) {
    return dice.roll(units - units / 10, units + units / 10) * kNsPerUnit;
  };
  const std::int64_t tick = setup.model.tick_ns > 0 ? setup.model.tick_ns : kWindowNs;
  if (dice.roll(0, 1) == 0 && add_loop_before_tick(s, dice, parent)) return s;
  const auto loops = static_cast<int>(dice.roll(1, 3));
  for (int loop = 0; loop < loops; ++loop) {
    const std::int64_t start = loop == 0 ? dice.roll(0, tick / kNsPerUnit) * kNsPerUnit : about(50);
    s.events.push_back({.kind = EventKind::kFork, .task = parent, .after_ns = start});
    s.events.push_back({.kind = EventKind::kBlock, .task = parent, .after_ns = about(10)});
    s.events.push_back({.kind = EventKind::kExit,
                        .task = nr_cpus + loop,
                        .wakes = parent,
                        .duration_ns = about(20),
                        .after_ns = about(100)});
  }
  s.events.push_back({.kind = EventKind::kFork, .task = parent, .after_ns = about(50)});
  s.max_tasks = nr_cpus + loops + 1;
  return s;
}

}  // namespace schedcheck
