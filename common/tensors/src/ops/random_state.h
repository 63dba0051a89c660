// SPDX-License-Identifier: MIT
// The random number generator of the process: a seed, and how many numbers of its sequence are used.
#pragma once

#include <cstdint>

namespace d2l::detail {

/// A place in the sequence of a seed, which begins after `offset` numbers.
struct RandomState {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

/// The place of the numbers that come next.
RandomState random_state();
void set_random_state(const RandomState& state);
/// Reserves the next `count` numbers, rounded up to blocks of four.
RandomState take_random(std::int64_t count);

}  // namespace d2l::detail
