// SPDX-License-Identifier: MIT
// Machine: a warp of 32 or 64 lanes that executes a program in lockstep and counts its requests by brute force. It
// shares no code with the emulator.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <map>
#include <set>

namespace lockstep {

#ifndef LOCKSTEP_LANES
#define LOCKSTEP_LANES 32
#endif
constexpr unsigned lanes = LOCKSTEP_LANES;
using Mask = std::uint64_t;
constexpr Mask all_lanes = ~Mask{0} >> (64 - lanes);
constexpr unsigned banks = 32;
constexpr Mask bit(unsigned lane) { return Mask{1} << lane; }
using Values = std::array<int, lanes>;

/// Which memory an access is of: an array of ints that is only read or only written, global or shared.
enum class Memory { in, out, table, scratch };
constexpr int elements_of(Memory memory) { return memory == Memory::in || memory == Memory::out ? 1024 : 256; }
constexpr bool is_shared(Memory memory) { return memory == Memory::table || memory == Memory::scratch; }

/// The contents of an array that is read.
constexpr int element(Memory memory, int index) {
  return static_cast<int>((static_cast<unsigned>(index) * 2654435761U >> (memory == Memory::in ? 20U : 18U)) & 4095U);
}

struct Counts {
  unsigned requests = 0;
  unsigned sectors = 0;  ///< or passes
  unsigned active_lanes = 0;
};

class Machine {
 public:
  static constexpr unsigned variables = 12;
  using Frame = std::array<Values, variables>;

  [[nodiscard]] static bool has(Mask mask, unsigned lane) { return (mask >> lane & 1U) != 0; }

  void access(int line, Memory memory, Mask mask, const Values& indices) {
    if (mask == 0) return;
    Counts& at = counts[line];
    ++at.requests;
    at.active_lanes += static_cast<unsigned>(std::popcount(mask));
    std::set<int> sectors;  // of 8 ints; the arrays begin at a sector
    std::array<std::map<int, std::set<int>>, lanes / banks>
        parts;  // the words of each bank; 32 lanes are served at once
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (!has(mask, lane)) continue;
      sectors.insert(indices[lane] / 8);
      parts[lane / banks][indices[lane] % static_cast<int>(banks)].insert(indices[lane]);
    }
    std::size_t passes = 0;
    for (const auto& of_bank : parts) {
      std::size_t most = 0;
      for (const auto& [bank, words] : of_bank) most = std::max(most, words.size());
      passes += most;
    }
    at.sectors += static_cast<unsigned>(is_shared(memory) ? passes : sectors.size());
  }

  Frame& frame() { return frames.back(); }

  std::map<int, Counts> counts;  ///< by line
  std::deque<Frame> frames;
  Mask broken = 0;     ///< lanes that left the innermost loop or switch
  Mask continued = 0;  ///< lanes that left the iteration
  Mask returned = 0;   ///< lanes that left the function
  Values result{};     ///< what they return
};

}  // namespace lockstep
