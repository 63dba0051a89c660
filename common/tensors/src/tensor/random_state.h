// SPDX-License-Identifier: MIT
// The state of the random number generator, to draw the same numbers again.
#pragma once

#include <cstdint>

namespace d2l::detail {

/// The seed, and how many numbers of its sequence are used.
struct RandomState {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

RandomState random_state();
void set_random_state(const RandomState& state);

}  // namespace d2l::detail
