// SPDX-License-Identifier: MIT
/// @file
/// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>
#include <random>

namespace d2l::examples {

/// Draws numbers from a seed. The engine is the standard library's, the distributions are not: theirs differ from
/// library to library.
class Random {
 public:
  /// The sequence with this number among the sequences of a seed.
  Random(std::uint64_t seed, std::uint64_t sequence) : engine_(seed + sequence * 0x9E3779B97F4A7C15ULL) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) {
    constexpr double steps = 9007199254740992.0;  // 2⁵³
    return low + (high - low) * (static_cast<double>(engine_() >> 11U) / steps);
  }
  /// About normal, with mean 0 and standard deviation 1: the sum of four uniform numbers.
  double normal() {
    constexpr double root_of_three = 1.7320508075688772;
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += uniform(-0.5, 0.5);
    return root_of_three * sum;
  }
  /// An integer from 0 to before `end`.
  std::int64_t below(std::int64_t end) { return static_cast<std::int64_t>(uniform(0, static_cast<double>(end))); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace d2l::examples
