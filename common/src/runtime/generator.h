// SPDX-License-Identifier: MIT
// The random number generator of the process: a seed, and how many numbers of its sequence are used.
#pragma once

#include <cstdint>

namespace d2l::detail {

/// A part of the sequence, which begins after `offset` numbers.
struct RandomRange {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

/// Reserves the next `count` numbers, rounded up to blocks of four.
RandomRange take_random(std::int64_t count);

/// Restarts with the sequence of `seed`.
void seed_generator(std::uint64_t seed);

}  // namespace d2l::detail
