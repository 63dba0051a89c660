// SPDX-License-Identifier: MIT
// The process's random numbers: a seed, and how many numbers of its sequence are used up.
#pragma once

#include <cstdint>

namespace d2l::detail {

/// A part of the sequence: `offset` numbers come before it.
struct RandomRange {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

/// Takes the next `count` numbers, rounded up to whole blocks of four.
RandomRange take_random(std::int64_t count);

/// Starts the sequence of `seed` from its beginning.
void seed_generator(std::uint64_t seed);

}  // namespace d2l::detail
